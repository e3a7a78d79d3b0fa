"""What the Python tests say of a case: it did not come as wanted, or cannot be tried here."""


class Skipped(Exception):
    """The case cannot be tried here."""


def expect(what, wanted, got):
    if wanted != got:
        raise AssertionError("%s: wanted %r, got %r" % (what, wanted, got))


def expect_in(what, part, whole):
    if part not in whole:
        raise AssertionError("%s: wanted %r in %r" % (what, part, whole))
