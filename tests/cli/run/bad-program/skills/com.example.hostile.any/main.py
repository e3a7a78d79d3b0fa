"""Misbehaves as told: each branch is one way to break the rules of a contract."""
import json
import os
import signal
import sys
import time

GOOD = '{"success": true, "data": {}}'


def two_documents(_):
    print(GOOD)
    print(GOOD)


def no_document(_):
    return


def log_on_stdout(_):
    print("INFO starting up")
    print(GOOD)


def invalid_utf8(_):
    sys.stdout.buffer.write(b'{"success": true, "data": {"x": "\xff"}}')


def wrong_shape(_):
    print('{"success": "yes", "data": []}')


def failure_without_words(_):
    print('{"success": false}')


def reported(_):
    print('{"success": false, "error": "the moon is in the wrong phase"}')


def exit_three(_):
    print("something is wrong\n\x1b[31mwith me", file=sys.stderr)
    sys.exit(3)


def raised(_):
    raise ValueError("as told")


def signal_itself(_):
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(30)


def kill_itself(_):
    os.kill(os.getpid(), signal.SIGKILL)


def flood(_):
    block = b"x" * 65536
    for _ in range(160000):
        os.write(1, block)


def flood_stderr(_):
    block = b"e" * 65536
    for _ in range(2000):
        os.write(2, block)
    print(GOOD)


def never_ends(_):
    while True:
        time.sleep(1)


def linger(_):
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if os.fork() == 0:
            time.sleep(600)
        time.sleep(600)
    print(GOOD)


def close_stdin(_):
    os.close(0)
    print(GOOD)


def close_stdout(_):
    os.close(1)


def balloon(_):
    held = []
    while True:
        held.append(bytearray(16 << 20))


def balloon_in_children(_):
    for _ in range(8):
        if os.fork() == 0:
            held = bytearray(100 << 20)
            for at in range(0, len(held), 4096):
                held[at] = 1
            time.sleep(30)
    time.sleep(30)


def fork_bomb(_):
    made = 0
    try:
        while made < 1000:
            if os.fork() == 0:
                time.sleep(30)
            made += 1
    except OSError:
        pass
    print(json.dumps({"success": True, "data": {"bounded": made < 64}}))


def write_own_folder(_):
    tell(lambda: open(os.path.join(os.path.dirname(__file__), "planted"), "w"))


def write_elsewhere(_):
    tell(lambda: open("/planted", "w"))


def fill_tmp(_):
    def fill():
        with open("/tmp/big", "wb") as file:
            for _ in range(64):
                file.write(b"x" * (1 << 20))
    tell(fill)


def leave_symlink(request):
    tell(lambda: os.symlink("/etc/shadow", os.path.join(request["folder"], "report")))


def leave_fifo(request):
    tell(lambda: os.mkfifo(os.path.join(request["folder"], "pipe")))


def leave_set_id(request):
    path = os.path.join(request["folder"], "tool")
    open(path, "w").close()
    tell(lambda: os.chmod(path, 0o4755))


def leave_files(request):
    os.makedirs(os.path.join(request["folder"], "a", "b"))
    with open(os.path.join(request["folder"], "a", "b", "c"), "w") as file:
        file.write("kept\n")
    print(GOOD)


def write_file(request):
    with open(request["file"], "w") as file:
        file.write("written\n")
    print(GOOD)


def fail_before_writing(_):
    sys.exit(1)


def see(_):
    print(json.dumps({"success": True, "data": {
        "etc": sorted(os.listdir("/etc")), "dev": sorted(os.listdir("/dev")),
        "programs": sorted(name for folder in ("/usr/bin", "/bin", "/usr/sbin") if os.path.isdir(folder)
                           for name in os.listdir(folder) if not name.startswith("python")),
        "environment": sorted(os.environ), "descriptors": sorted(os.listdir("/proc/self/fd"))[:3],
        "processes": len([name for name in os.listdir("/proc") if name.isdigit()])}}))


def tell(action):
    """Says whether the system let it happen."""
    try:
        action()
        print('{"success": true, "data": {"done": true}}')
    except OSError as error:
        print(json.dumps({"success": True, "data": {"done": False, "errno": os.strerror(error.errno)}}))


def main():
    request = json.load(sys.stdin)
    globals()[request["do"]](request)


main()
