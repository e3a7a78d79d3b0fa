"""What the Python tests print: TAP, one line a case, the reasons of a failure as comments below it."""
import sys


class Tap:
    """Counts cases; `case` takes the list of what is wrong, empty when all is well."""

    def __init__(self):
        self.cases = 0
        self.failed = 0

    def case(self, title, faults=()):
        self.cases += 1
        faults = list(faults)
        print("%s %d - %s" % ("not ok" if faults else "ok", self.cases, title))
        for fault in faults[:50]:
            print("\n".join("#   " + line for line in str(fault).splitlines()))
        if len(faults) > 50:
            print("#   and %d more" % (len(faults) - 50))
        if faults:
            self.failed += 1
        sys.stdout.flush()

    def skip(self, title, reason):
        self.cases += 1
        print("ok %d - %s # SKIP %s" % (self.cases, title, reason), flush=True)

    def done(self):
        """Prints the plan and ends the program."""
        print("1..%d" % self.cases, flush=True)
        sys.exit(1 if self.failed or not self.cases else 0)
