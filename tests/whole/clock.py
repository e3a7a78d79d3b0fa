#!/usr/bin/env python3
"""A wall clock that jumps:  clock.py WRIT PROBE --shim FILE [CASE]...  (support.py, clock_shim.c)

Limits and durations go by clocks that cannot be set; the order of records is that of their chain; times are shown as
the clock told them.
"""
import datetime
import json
import os
import threading
import time

from support import PROBE_ID, expect, expect_class, expect_intact, read_arguments, run_cases, wait_for_records

DAY, YEAR = 86400, 86400 * 365
NOW = int(time.time())


def at(place, *offsets):
    """The environment of a process whose readings of the wall clock are off by these seconds, in turn."""
    path = place.file("clock", "".join("%d\n" % offset for offset in offsets))
    return {"LD_PRELOAD": place.arguments.shim, "CLOCK_SHIM": path}


def times(place):
    return [record["time"] for record in place.records()]


def the_clock_is_really_another(place):
    place.skill()
    expect("a call", 0, place.run(environment=at(place, 10 * YEAR)).status)
    expect("its time", datetime.datetime.fromtimestamp(NOW + 10 * YEAR, datetime.timezone.utc).year,
           int(times(place)[0][:4]))


def jumps_between_calls(place):
    place.skill()
    offsets = [0, -DAY, 40 * YEAR, -YEAR, 3600, 0]
    for offset in offsets:
        expect("a call", 0, place.run(environment=at(place, offset)).status)
    expect("records", 2 * len(offsets), expect_intact(place)["records"])
    expect("numbers", list(range(1, 2 * len(offsets) + 1)), [record["seq"] for record in place.records()])
    shown = place.writ("audit").out.decode().splitlines()
    expect("calls in their order", times(place)[::2], [line.split()[0] + begun[19:]
                                                       for line, begun in zip(shown, times(place)[::2])])


def jumps_within_calls(place):
    """At every reading of the clock, there and back."""
    place.skill()
    for jump in (-DAY, DAY, -50 * YEAR, 300 * YEAR, -NOW, 7900 * YEAR):
        for position in range(8):
            envelope = place.envelope("ok", environment=at(place, *[0] * position, jump, 0))
            expect("outcome at %d" % position, "succeeded", envelope["outcome"])
            if not 0 < envelope["run"]["duration_ms"] < 20000:
                raise AssertionError("a duration of %r ms" % envelope["run"]["duration_ms"])
    for record in place.records():
        for key in ("duration_us", "setup_us", "cpu_us"):
            if not 0 <= record.get(key, 0) < 20000000:
                raise AssertionError("%s: %d" % (key, record[key]))
    expect_intact(place)


def jumps_while_a_program_runs(place):
    """Neither stops it early nor lets it run on; what it wrote is looked at as ever."""
    place.skill(permissions=["filesystem:write:${{ .input.path }}"], runtime={"language": "native", "timeout": "700ms"})
    out = place.folder("out")
    for jump in (-DAY, DAY, -10 * YEAR, 10 * YEAR):
        clock = at(place, 0)
        before, calls = len(place.records()), {}
        threads = [threading.Thread(target=lambda act=act: calls.update(
            {act: place.envelope(act, *more, environment=clock)}))
            for act, more in (("sleep", []), ("write", ["--path", out + "/file"]))]
        for thread in threads:
            thread.start()
        wait_for_records(place, before + 1)
        with open(clock["CLOCK_SHIM"], "w") as file:
            file.write("%d\n" % jump)
        for thread in threads:
            thread.join()
        expect("what sleeps", "limit:timeout", calls["sleep"]["error"]["class"])
        if not 700 <= calls["sleep"]["run"]["duration_ms"] < 20000:
            raise AssertionError("stopped after %r ms" % calls["sleep"]["run"]["duration_ms"])
        expect("what writes: %s" % calls["write"]["error"], "succeeded", calls["write"]["outcome"])
    expect_intact(place)


def clocks_of_every_year(place):
    """1970, what does not fit into 32 bits, the last year of four digits, and what no calendar has."""
    place.skill()
    wanted = {"1970-01-01": -NOW + 1, "1969-12-31": -NOW - 10, "1901-12-1": -NOW - 2 ** 31, "2038-01-19": 2 ** 31 - NOW,
              "2106-02-07": 2 ** 32 - NOW, "9999-12-31": 253402300799 - NOW - 100, "9999-12-31T23:59:59.999Z": 2 ** 40,
              "0000-01-01T00:00:00.000Z": -2 ** 40}
    for begin, offset in wanted.items():
        environment = at(place, offset)
        expect("a call", 0, place.run(environment=environment).status)
        expect("its time", begin, times(place)[-2][:len(begin)])
        expect("trust", 0, place.writ("trust", place.folder(begin), environment=environment).status)
        done = place.writ("list", environment=environment)
        expect("list", 0, done.status)
    expect("lengths of run ids", {32}, {len(record["run"]) for record in place.records()})
    with open(os.path.join(place.config, "trust.json")) as file:
        for entry in json.load(file)["folders"]:
            name = os.path.basename(entry["path"])
            expect("when it was trusted", name, entry["added"][:len(name)])
    expect_intact(place)
    expect("calls since 9999", 2, len(place.writ("audit", "--since", "9999-01-01").out.splitlines()))
    expect("calls since 0000", len(wanted), len(place.writ("audit", "--since", "0000-01-01").out.splitlines()))


def a_cache_under_a_clock_that_jumps(place):
    """A kept digest is used or not, but never a wrong one."""
    skill = place.skill()
    for offset in (YEAR, 0, -YEAR, 100 * YEAR, -NOW - DAY):
        for text in ("one", "three"):
            place.file("skills/%s/notes" % PROBE_ID, text)
            environment = at(place, offset)
            expect("a call", 0, place.run(environment=environment).status)
            expect("again", 0, place.run(environment=environment).status)
    digests = [record["digest"] for record in place.records() if record["type"] == "begin"]
    expect("digests", [digests[0], digests[0], digests[2], digests[2]] * 5, digests)
    if digests[0] == digests[2]:
        raise AssertionError("one digest for two states of %s" % skill)


run_cases([the_clock_is_really_another, jumps_between_calls, jumps_within_calls, jumps_while_a_program_runs,
           clocks_of_every_year, a_cache_under_a_clock_that_jumps], read_arguments("--shim"))
