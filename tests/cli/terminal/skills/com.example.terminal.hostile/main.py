"""Prints what a terminal would obey, in every place that writ shows, or waits with a child of its own."""
import json
import os
import signal
import sys

STEERING = "\x1b]0;stolen\x07\x1b[2J\x1b[31mred\x1bc\x9b5A\u202eback\x08\x7f\r"


def main():
    given = json.load(sys.stdin)
    sys.stderr.write(STEERING + "\n")
    if given["do"] == "wait":
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        if os.fork():
            with open(given["file"], "w", encoding="utf-8") as file:
                file.write("waits")
        while True:
            signal.pause()
    result = {"success": given["do"] == "say", "data": {STEERING: STEERING}}
    if given["do"] == "fail":
        result["error"] = STEERING
    json.dump(result, sys.stdout, ensure_ascii=False)


main()
