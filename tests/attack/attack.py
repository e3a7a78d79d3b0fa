#!/usr/bin/env python3
"""Attacks on `writ run` by the skill, the input, the folders beside and the caller:  attack.py WRIT

Each attack comes with a control: the nearest thing that is allowed, done the same way.  An attack that fails because
the trial itself is broken would so be seen.  The skill (skills/com.example.attack.probe) runs the Python that it is
given; what it can see and do is what any program could.  TAP on standard output; rules S4.3 to S4.6.
"""
import concurrent.futures
import json
import os
import pty
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from expect import Skipped, expect, expect_in  # noqa: E402 (its folder is only known now)
from tap import Tap  # noqa: E402

WRIT = os.path.abspath(sys.argv[1])
SKILLS = os.path.join(HERE, "skills")
PROBE = "com.example.attack.probe"
CONTRACT = os.path.join(SKILLS, PROBE, "skill.yaml")
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
SECRET = "a secret of the caller's"

# What the attacks share, run in front of each.
PRELUDE = '''
import ctypes, errno, fcntl, mmap, os, socket, stat, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(number, *arguments):
    """A system call by number (x86-64): 0 or more, or the name of the error."""
    ctypes.set_errno(0)
    got = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    return got if got >= 0 else errno.errorcode[ctypes.get_errno()]
def tried(act):
    """True when it worked."""
    try:
        act()
        return True
    except (OSError, ValueError):
        return False
def make(path, text="x"):
    with open(path, "w") as file:
        file.write(text)
'''


class Place:
    """A scratch folder with a home of its own, gone at the end."""

    def __init__(self):
        self.path = os.path.realpath(tempfile.mkdtemp(prefix="writ-attack-"))
        os.chmod(self.path, 0o755)
        self.home = self.folder("home")
        self.environment = {"HOME": self.home, "PATH": SYSTEM_PATH, "LANG": "C.UTF-8"}

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        for folder, folders, _ in os.walk(self.path):
            for name in folders:
                if not os.path.islink(os.path.join(folder, name)):
                    os.chmod(os.path.join(folder, name), 0o700)
        shutil.rmtree(self.path)

    def folder(self, name):
        path = os.path.join(self.path, name)
        os.makedirs(path, exist_ok=True)
        return path

    def file(self, name, text="x"):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def command(self, code, read=(), write=(), skills=SKILLS, more=()):
        document = {"code": PRELUDE + code}
        if read:
            document["read"] = list(read)
        if write:
            document["write"] = list(write)
        return [WRIT, "run", PROBE, "--skills", skills, "--json", "--input", json.dumps(document)] + list(more)

    def run(self, code, read=(), write=(), skills=SKILLS, environment=(), folder=None, **options):
        """The envelope of a call."""
        done = subprocess.run(self.command(code, read, write, skills), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, cwd=folder or self.path,
                              env=dict(self.environment, **dict(environment)), timeout=60, **options)
        try:
            return json.loads(done.stdout)
        except ValueError:
            raise AssertionError("no envelope, status %d: %r" % (done.returncode, done.stderr)) from None

    def answer(self, code, **options):
        envelope = self.run(code, **options)
        if envelope["outcome"] != "succeeded":
            raise AssertionError("%s: %s" % (envelope["outcome"], envelope["error"]))
        return envelope["output"]["data"]["answer"]

    def error_class(self, code, **options):
        envelope = self.run(code, **options)
        return envelope["error"]["class"] if envelope["error"] else "none"

    def verify(self):
        done = subprocess.run([WRIT, "audit", "verify"], env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=60)
        return done.returncode, done.stdout.decode()


def need_numbers():
    """System calls by number are those of x86-64."""
    if os.uname().machine != "x86_64":
        raise Skipped("the numbers are those of x86-64")


# ---- what the skill can see ----

def undeclared_files(place):
    secret = place.file("home/secret", SECRET)
    code = "answer = [tried(lambda: open(p)) for p in %r]"
    names = [secret, "/etc/hostname", "/etc/shadow", "/proc/keys", "/proc/sys/kernel/core_pattern", "/proc/cmdline",
             "/sys/kernel", "/run", "/var/run/docker.sock", "/dev/mem", "/dev/shm", "/dev/tty", CONTRACT + "/.."]
    expect("attack", [False] * len(names), place.answer(code % names))
    expect("control", SECRET, place.answer("answer = open(data['read'][0]).read()", read=[secret]))


def first_process(place):
    names = ["mem", "environ", "root/etc", "cwd", "fd", "exe", "maps", "status"]
    code = "answer = [os.path.lexists('/proc/%%s/%%s' %% (p, n)) for n in %r for p in (1, os.getppid())]"
    expect("attack", [False] * 2 * len(names), place.answer(code % names))
    code = "answer = [os.path.exists('/proc/self/%%s' %% n) for n in %r if n != 'root/etc']"
    expect("control", [True] * (len(names) - 1), place.answer(code % names))


def reach_into_others(place):
    need_numbers()
    code = """
child = os.fork()
if child == 0:
    time.sleep(60)
answer = [call(101, 16, 1, 0, 0), call(101, 16, child, 0, 0), call(310, 1, 0, 0, 0, 0, 0), call(438, 0, 0, 0),
          call(302, 1, 7, 0, ctypes.create_string_buffer(16))]
os.kill(child, 9)
answer.append(os.waitpid(child, 0)[1])
"""
    got = place.answer(code)
    expect("attack", ["EPERM"] * 5, got[:5])
    expect("control: a child of its own is killed", 9, got[5])


def inherited_descriptors(place):
    secret = os.open(place.file("home/secret", SECRET), os.O_RDONLY)
    folder = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
    high = os.dup2(secret, 900)
    for fd in (secret, folder, high):
        os.set_inheritable(fd, True)
    try:
        code = "answer = [fd for fd in range(3, 1024) if tried(lambda: os.fstat(fd))]"
        expect("attack", [], place.answer(code, close_fds=False))
        expect("control", [0, 1, 2], place.answer("answer = [fd for fd in range(3) if tried(lambda: os.fstat(fd))]"))
    finally:
        for fd in (secret, folder, high):
            os.close(fd)


def inherited_signals_and_environment(place):
    def spoil():
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    code = """
import signal
answer = [sorted(os.environ), len(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
          signal.getsignal(signal.SIGTERM) == signal.SIG_DFL, signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL]
"""
    odd = {"LD_PRELOAD": "/nonexistent.so", "LD_LIBRARY_PATH": place.path, "PYTHONPATH": place.path, "LANG": "zz",
           "PYTHONSTARTUP": "/x", "BASH_ENV": "/x", "AWS_SECRET_ACCESS_KEY": SECRET, "LONG": "x" * 100000}
    got = place.answer(code, environment=odd, preexec_fn=spoil)
    expect("attack", [["HOME", "LANG", "PATH"], 0, True, True], got)
    expect("control", got, place.answer(code))


# ---- what the skill can do to files ----

def leftovers_of_kinds(place):
    folder = place.folder("out")
    code = """
os.chdir(data['write'][0])
answer = [tried(lambda: os.symlink('/etc/shadow', 'link')), tried(lambda: os.mkfifo('pipe')),
          tried(lambda: os.mknod('node', 0o600 | stat.S_IFCHR, os.makedev(1, 3))),
          tried(lambda: os.mknod('socket', 0o600 | stat.S_IFSOCK)),
          tried(lambda: socket.socket(socket.AF_UNIX).bind('bound')),
          tried(lambda: os.link('/proc/self/exe', 'exe')), tried(lambda: os.link(sys.argv[0], 'main'))]
make('file'); os.mkdir('folder'); make('folder/file')
"""
    expect("attack", [False] * 7, place.answer(code, write=[folder]))
    expect("control", ["file", "folder"], sorted(os.listdir(folder)))


def set_id_bits(place):
    need_numbers()
    folder = place.folder("out")
    code = """
os.chdir(data['write'][0]); make('file')
answer = [tried(lambda: os.chmod('file', 0o4755)), tried(lambda: os.open('new', os.O_CREAT | os.O_WRONLY, 0o4755)),
          tried(lambda: os.mkdir('folder', 0o2755)), call(452, -100, b'file', 0o4755, 0) == 0,
          call(437, -100, b'other', ctypes.create_string_buffer(24), 24) == 0,
          tried(lambda: os.setxattr('file', 'security.capability', bytes([1, 0, 0, 2]) + bytes(16)))]
os.chmod('file', 0o750)
"""
    expect("attack", [False] * 6, place.answer(code, write=[folder]))
    expect("control", 0o750, stat.S_IMODE(os.stat(os.path.join(folder, "file")).st_mode))


def mount_points_and_renames(place):
    need_numbers()
    folder, beside = place.folder("out"), place.file("beside", SECRET)
    code = """
path = data['write'][0]; make(path + '/file')
answer = [tried(lambda: os.rename(path, path + '2')), tried(lambda: os.rmdir(path)),
          tried(lambda: os.rename(path + '/file', path + '/../file')),
          tried(lambda: os.rename(data['read'][0], path + '/stolen')), tried(lambda: make(data['read'][0])),
          tried(lambda: os.unlink(data['read'][0])),
          call(316, -100, (path + '/file').encode(), -100, b'/tmp/w', 4) == 0]
os.rename(path + '/file', path + '/renamed')
"""
    expect("attack", [False] * 7, place.answer(code, write=[folder], read=[beside]))
    expect("control", ["renamed"], os.listdir(folder))
    expect("the file beside", SECRET, open(beside).read())


def read_inside_write(place):
    kept = place.file("out/kept/file", SECRET)
    code = """
answer = [tried(lambda: make(data['read'][0] + '/file')), tried(lambda: os.unlink(data['read'][0] + '/file')),
          tried(lambda: make(data['write'][0] + '/other'))]
"""
    got = place.answer(code, write=[place.folder("out")], read=[place.folder("out/kept")])
    expect("attack, control", [False, False, True], got)
    expect("what was kept", SECRET, open(kept).read())


def own_folder(place):
    code = """
folder = os.path.dirname(sys.argv[0])
answer = [tried(lambda: make(folder + '/main.py')), tried(lambda: make(folder + '/new')), len(os.listdir(folder))]
"""
    expect("attack, control", [False, False, 2], place.answer(code))


def code_from_writable_places(place):
    need_numbers()
    folder = place.folder("out")
    code = """
answer = []
for path in (data['write'][0] + '/run', '/tmp/run'):
    make(path, '#!/bin/sh' + chr(10)); os.chmod(path, 0o755)
    answer.append(tried(lambda: os.execv(path, [path])))
    fd = os.open(path, os.O_RDWR)
    answer.append(tried(lambda: mmap.mmap(fd, 1, prot=mmap.PROT_READ | mmap.PROT_EXEC)))
    answer.append(tried(lambda: mmap.mmap(fd, 1, prot=mmap.PROT_READ)))
answer.append(call(319, b'x', 0))
"""
    expect("attack, control", [False, False, True] * 2 + ["ENOSYS"], place.answer(code, write=[folder]))


def undeclared_programs(place):
    code = """
def runs(path):
    child = os.fork()
    if child == 0:
        try: os.execv(path, [path, '-c', 'raise SystemExit(7)'])
        except OSError: os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
answer = [runs(p) for p in ('/bin/sh', '/usr/bin/env', '/usr/bin/git', '/bin/su')] + [runs(sys.executable)]
"""
    expect("attack, control", [99, 99, 99, 99, 7], place.answer(code))


def granted_programs(place):
    """A granted program grants neither the programs that it starts nor files beside those of the skill."""
    skills = os.path.join(place.path, "skills")
    shutil.copytree(SKILLS, skills)
    for folder in (skills, os.path.join(skills, PROBE)):
        os.chmod(folder, 0o755)
    with open(CONTRACT) as file:
        text = file.read()
    with open(os.path.join(skills, PROBE, "skill.yaml"), "w") as file:
        file.write(text.replace("permissions:\n", "permissions:\n  - binary:run:cat\n  - binary:run:env\n"))
    secret, granted = place.file("home/secret", SECRET), place.file("granted")
    code = """
def status(*words):
    child = os.fork()
    if child == 0:
        os.dup2(os.open('/dev/null', os.O_WRONLY), 1)
        try: os.execvp(words[0], words)
        except OSError: os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
answer = [status('cat', %r), status('env', 'ls'), status('env', sys.executable, '-c', 'raise SystemExit(7)'),
          status('env', 'cat', data['read'][0])]
"""
    expect("attack, control", [1, 127, 7, 0], place.answer(code % secret, read=[granted], skills=skills))


# ---- what the skill can do to the kernel ----

def forbidden_calls(place):
    code = """
zero = ctypes.create_string_buffer(256)
answer = {'user namespace': call(56, 0x10000011, 0, 0, 0, 0), 'clone3': call(435, zero, 88),
          'unshare': call(272, 0x10000000),
          'mount': call(165, b'a', b'/tmp', b'tmpfs', 0, 0), 'setns': call(308, 0, 0), 'keyctl': call(250, 0, -3, 0),
          'add_key': call(248, b'user', b'a', b'b', 1, -3), 'bpf': call(321, 0, zero, 128),
          'perf': call(298, zero, 0, -1, -1, 0), 'userfaultfd': call(323, 0), 'io_uring': call(425, 8, zero),
          'clock': call(227, 0, zero), 'host name': call(170, b'x', 1), 'reboot': call(169, 0, 0, 0, 0),
          'personality': call(135, 0x0040000), 'inotify': call(294, 0), 'shm': call(29, 4660, 100, 0o1666),
          'msg': call(68, 4660, 0o1666), 'mq': call(240, b'a', 0o102, 0o600, 0)}
answer = [name for name, got in answer.items() if not isinstance(got, str)] + [call(39) > 0]
"""
    need_numbers()
    expect("attack, control", [True], place.answer(code))


def sockets(place):
    code = """
def opens(*what):
    return tried(lambda: socket.socket(*what))
answer = [opens(socket.AF_INET), opens(socket.AF_INET6, socket.SOCK_DGRAM), opens(socket.AF_NETLINK, socket.SOCK_RAW),
          opens(17, 3), opens(38, 5), opens(40, 1),
          tried(lambda: socket.socket(socket.AF_UNIX).connect(chr(0) + 'x')),
          tried(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))]
one, other = socket.socketpair(); one.send(b'hello'); answer.append(other.recv(9) == b'hello')
"""
    expect("attack, control", [False] * 8 + [True], place.answer(code))


def terminal_input(place):
    code = """
def ioctl(number):
    return call(16, 0, number, ctypes.create_string_buffer(b'x'))
answer = [ioctl(0x5412), ioctl(0x100005412), ioctl(0x541C), ioctl(0x8000541C), ioctl(0x541B)]
"""
    need_numbers()
    got = place.answer(code)
    expect("attack", [True] * 4, [isinstance(one, str) for one in got[:4]])
    expect("control: FIONREAD", 0, got[4])


# ---- limits ----

def survivors(place):
    folder = place.folder("out")
    code = """
import signal
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in (1, 2, 3, 15): signal.signal(number, signal.SIG_IGN)
        make(data['write'][0] + '/lived')
        time.sleep(%s)
        make(data['write'][0] + '/survived')
    os._exit(0)
while not os.path.exists(data['write'][0] + '/lived'): time.sleep(0.01)
%s
"""
    place.answer(code % (0.5, ""), write=[folder])
    expect("time-out", "limit:timeout", place.error_class(code % (5.5, "time.sleep(60)"), write=[folder]))
    time.sleep(1)
    expect("attack, control", ["lived"], os.listdir(folder))


def memory_of_children(place):
    code = """
for _ in range(%d):
    if os.fork() == 0:
        ballast = bytearray(%d << 20); time.sleep(3); os._exit(0)
time.sleep(%s)
"""
    expect("attack", "limit:memory", place.error_class(code % (8, 30, 3)))
    expect("control", "none", place.error_class(code % (1, 1, 0.1)))


def memory_out_of_sight(place):
    code = """
held = []
for _ in range(%d):
    held.append(mmap.mmap(-1, 16 << 20))
    for at in range(0, 16 << 20, 4096): held[-1][at] = 1
    held[-1].madvise(mmap.MADV_DONTNEED)
time.sleep(0.5)
"""
    expect("attack", "limit:memory", place.error_class(code % 40))
    expect("control", "none", place.error_class(code % 2))


def memory_in_sockets(place):
    code = """
pairs, held = [], 0
def fill(count):
    global held
    for _ in range(count):
        pairs.append(socket.socketpair()); pairs[-1][0].setblocking(False)
        try:
            while True: held += pairs[-1][0].send(bytes(65536))
        except BlockingIOError: pass
enlarged = [tried(lambda: socket.socketpair()[0].setsockopt(socket.SOL_SOCKET, option, 4 << 20))
            for option in (socket.SO_SNDBUF, socket.SO_RCVBUF)]
enlarged.append(tried(lambda: fcntl.fcntl(os.pipe()[0], 1031, 1 << 20)))
%s
answer = [enlarged, held > 0, held < 256 << 20]
"""
    many = "for _ in range(7):\n    if os.fork() == 0: break\ntried(lambda: fill(500)); time.sleep(1)"
    expect("attack", "limit:memory", place.error_class(code % many))
    expect("attack, control", [[False] * 3, True, True], place.answer(code % "fill(9)"))


def processes_and_scratch(place):
    code = """
count = 0
while count < 2000:
    try: child = os.fork()
    except OSError: break
    if child == 0: time.sleep(60)
    count += 1
full = not tried(lambda: [make('/tmp/%d' % i) for i in range(10000)])
huge = tried(lambda: os.posix_fallocate(os.open('/tmp/big', os.O_CREAT | os.O_RDWR), 0, 1 << 40))
answer = [2 < count < 2000, full, huge]
"""
    expect("attack, control", [True, True, False], place.answer(code))


def floods(place):
    expect("stdout", "limit:output", place.error_class("while True: os.write(1, bytes(65536))"))
    expect("stderr", 1, place.answer("[os.write(2, b'x' * 65536) for _ in range(200)]; answer = 1"))
    document = json.dumps({"code": "answer = 2", "ballast": "x" * (10 << 20)})
    path = place.file("long.json", document)
    done = subprocess.run([WRIT, "run", PROBE, "--skills", SKILLS, "--input", path], env=place.environment,
                          cwd=place.path, stdout=subprocess.PIPE, timeout=60)
    expect_in("control: a long input", b'"answer":2', done.stdout)


# ---- what paths may name ----

def links_in_paths(place):
    place.file("real/file", SECRET)
    os.symlink("real/file", os.path.join(place.path, "last"))
    os.symlink("real", os.path.join(place.path, "mine"))
    os.chmod(place.folder("open"), 0o1777)
    os.symlink("../real", os.path.join(place.path, "open/planted"))
    for name in ("last", "open/planted/file", "open/../open/planted/file", "/proc/self/root/etc/shadow"):
        expect("attack " + name, "filesystem:denied", place.error_class("", read=[name]))
    expect("control", SECRET, place.answer("answer = open(data['read'][0]).read()", read=["mine/file"]))


def swapped_folders(place):
    """A folder that is a link every other moment: what is read is the one or nothing."""
    place.file("private/file", SECRET)
    place.file("race/folder/file", "harmless")
    os.chmod(place.folder("race"), 0o777)
    os.symlink("../private", os.path.join(place.path, "race/link"))
    swapper = subprocess.Popen([sys.executable, "-c", """
import ctypes, os, sys
libc = ctypes.CDLL(None)
os.chdir(sys.argv[1])
while os.getppid() == int(sys.argv[2]):
    libc.renameat2(-100, b'folder', -100, b'link', 2)
""", place.folder("race"), str(os.getpid())])
    try:
        seen = set()
        for _ in range(40):
            envelope = place.run("answer = open(data['read'][0]).read()", read=["race/folder/file"])
            seen.add(envelope["output"]["data"]["answer"] if envelope["outcome"] == "succeeded" else
                     envelope["error"]["class"])
        expect("attack", set(), seen - {"harmless", "filesystem:denied", "internal:sandbox", "program:reported"})
    finally:
        swapper.kill()
        swapper.wait()
    expect("control", SECRET, place.answer("answer = open(data['read'][0]).read()", read=["private/file"]))


def home_by_other_names(place):
    place.file("home/.aws/credentials", SECRET)
    place.file("home/notes", "notes")
    os.symlink("home", os.path.join(place.path, "linked"))
    for home in ("linked", "./linked/../home", "home/."):
        environment = {"HOME": os.path.join(place.path, home)}
        for name in ("home/.aws/credentials", "home/.aws", "home/.local/state/writ/audit/current.jsonl", "home"):
            expect("attack %s as %s" % (name, home), "filesystem:denied",
                   place.error_class("", read=[name], environment=environment))
        expect("control", "notes", place.answer("answer = open(data['read'][0]).read()", read=["home/notes"],
                                                environment=environment))


def what_runs_next(place):
    place.file("home/.bashrc", "kept")
    place.folder("home/.agents/skills")
    place.file("tools/git", "kept")
    environment = {"PATH": SYSTEM_PATH + ":" + place.folder("tools")}
    for name in ("home/.bashrc", "home/.profile", "home/.agents/skills", "home/.agents", "tools", "tools/git",
                 "tools/new", "home", SKILLS, CONTRACT, "/usr/lib", "/etc"):
        expect("attack " + name, "filesystem:denied",
               place.error_class("make(data['write'][0])", write=[name], environment=environment))
    expect("control", None, place.answer("make(data['write'][0])", write=["home/new"], environment=environment))
    expect("what is there", [".agents", ".bashrc", "new"],
           sorted(set(os.listdir(place.home)) - {".local", ".cache"}))
    expect("tools", ["git"], os.listdir(place.folder("tools")))


def skills_by_other_names(place):
    shutil.copytree(SKILLS, os.path.join(place.path, "skills"))
    for folder in (os.path.join(place.path, "skills"), os.path.join(place.path, "skills", PROBE)):
        os.chmod(folder, 0o755)
    os.symlink("skills", os.path.join(place.path, "linked"))
    for named in ("skills/.", "linked", "./skills/../skills", place.path + "/linked"):
        expect("attack by " + named, "filesystem:denied",
               place.error_class("", write=["skills/%s/main.py" % PROBE], skills=named))
        expect("control by " + named, 3, place.answer("answer = 3", skills=named))
    expect("control by .", 4, place.answer("answer = 4", skills=".", folder=os.path.join(place.path, "skills")))


def names_that_no_program_can_be_told(place):
    odd = os.path.join(os.fsencode(place.path), b"odd\xff")
    os.mkdir(odd)
    expect("attack", "filesystem:denied", place.error_class("", write=["new"], folder=odd))
    expect("nothing was made", [], os.listdir(odd))
    odd = place.folder("line\nend")
    expect("control", odd + "/new", place.answer("answer = data['write'][0]", write=["new"], folder=odd))


def interpreters_of_others(place):
    place.file("shims/python3", "#!/bin/sh\necho shim\n")
    os.chmod(os.path.join(place.path, "shims/python3"), 0o755)
    for first in (".", "", "shims", place.folder("shims")):
        path = first + ":" + SYSTEM_PATH
        got = place.answer("answer = sys.executable", environment={"PATH": path}, folder=place.folder("shims"))
        if got.startswith(place.path):
            raise AssertionError("%s ran %s" % (path, got))
    expect("control", "shim\n", subprocess.run([os.path.join(place.path, "shims/python3")], stdout=subprocess.PIPE,
                                               check=True, timeout=20).stdout.decode())


# ---- the caller ----

def killed_callers(place):
    marker = place.folder("out")
    code = "make(data['write'][0] + '/began'); time.sleep(1); make(data['write'][0] + '/survived')"
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL):
        child = subprocess.Popen(place.command(code, write=[marker]), env=place.environment, cwd=place.path,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not os.path.exists(marker + "/began"):
            time.sleep(0.01)
        child.send_signal(number)
        expect("status", -9 if number == signal.SIGKILL else 130, child.wait(timeout=20))
        os.unlink(marker + "/began")
    time.sleep(1.2)
    expect("attack", [], os.listdir(marker))
    status, words = place.verify()
    expect("control", 0, status)
    expect_in("the record", "1 unfinished", words)


def ignored_signals(place):
    marker = place.folder("out")
    code = "make(data['write'][0] + '/began'); time.sleep(0.5)"
    for disposition, wanted in ((signal.SIG_IGN, 0), (signal.SIG_DFL, 130)):
        child = subprocess.Popen(place.command(code, write=[marker]), env=place.environment, cwd=place.path,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 preexec_fn=lambda: signal.signal(signal.SIGHUP, disposition))
        while not os.path.exists(marker + "/began"):
            time.sleep(0.01)
        child.send_signal(signal.SIGHUP)
        expect("status", wanted, child.wait(timeout=20))
        os.unlink(marker + "/began")


def odd_callers(place):
    command = " ".join("'%s'" % word for word in [WRIT, "run", PROBE, "--skills", SKILLS, "--input",
                                                  '{"code": "answer = 5"}'])

    def shell(text):
        return subprocess.run(["bash", "-c", text % command], env=place.environment, cwd=place.path,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    expect("no stdout", 71, shell("%s <&- >&- 2>&-").returncode)
    expect("files of no size", 73, shell("ulimit -f 0; %s | cat; exit ${PIPESTATUS[0]}").returncode)
    expect("few descriptors", False, shell("ulimit -n 7; %s").returncode in (0, 139, -11))
    expect("umask", 0, shell("umask 0777; %s").returncode)
    done = shell("%s")
    expect("control", (0, b'{"success":true,"data":{"answer":5}}\n'), (done.returncode, done.stdout))
    expect("the record", 0, place.verify()[0])


def many_at_once(place):
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda number: place.answer("answer = %d" % number), range(20)))
    expect("control", list(range(20)), answers)
    expect_in("the record", "40 records in 1 segments, 0 unfinished", place.verify()[1])


def records_of_others(place):
    expect("control", 6, place.answer("answer = 6"))
    for name, spoil in (("link", lambda path: os.symlink(place.folder("elsewhere"), path)),
                        ("pipe", lambda path: (os.makedirs(path, 0o700), os.mkfifo(path + "/current.jsonl"))),
                        ("open", lambda path: (os.makedirs(path, 0o700), os.chmod(path, 0o777)))):
        base = place.folder("state-" + name)
        os.mkdir(os.path.join(base, "writ"), 0o700)
        spoil(os.path.join(base, "writ", "audit"))
        expect("attack " + name, "internal:audit",
               place.error_class("make(data['write'][0])", write=["never"], environment={"XDG_STATE_HOME": base}))
        expect("nothing ran", False, os.path.exists(os.path.join(place.path, "never")))
    log = os.path.join(place.home, ".local/state/writ/audit/current.jsonl")
    text = open(log).read()
    with open(log, "w") as file:
        file.write(text.replace(PROBE, "com.example.attack.other", 1))
    expect("tampering is seen", 1, place.verify()[0])


# ---- what is shown ----

def steered_terminal(place):
    def shown(code):
        parent, child = pty.openpty()
        process = subprocess.Popen(place.command(code), env=place.environment, cwd=place.path, stdin=child,
                                   stdout=child, stderr=child)
        os.close(child)
        text = b""
        while True:
            try:
                more = os.read(parent, 4096)
            except OSError:
                break
            if not more:
                break
            text += more
        os.close(parent)
        process.wait(timeout=20)
        return text.decode(errors="replace")
    text = shown("answer = 'a' + chr(0x9b) + '31mb' + chr(0x202e) + 'c' + chr(0x7f) + 'd'")
    expect("attack", [], [c for c in text if 0x7f <= ord(c) < 0xa0 or c == "\u202e"])
    expect_in("the rest is shown", "a?31mb?c?d", text)
    expect_in("control", "\u4e24\u4e2a", shown("answer = chr(0x4e24) + chr(0x4e2a)"))


def forged_plan(place):
    name = "x\nnetwork      everything"
    place.file(name)
    document = json.dumps({"code": "", "read": [name]})
    done = subprocess.run([WRIT, "run", PROBE, "--skills", SKILLS, "--explain", "--input", document],
                          env=place.environment, cwd=place.path, stdout=subprocess.PIPE, timeout=20)
    lines = done.stdout.decode().splitlines()
    expect("attack, control", ["network      none"], [line for line in lines if line.startswith("network")])


# ---- building ----

def compilers_that_read(place):
    if not shutil.which("cc", path=SYSTEM_PATH):
        raise Skipped("no C compiler")
    secret = place.file("home/secret", SECRET)
    identity = "com.example.attack.build"
    honest = '#include <stdio.h>\nint main(void) { puts("{\\"success\\":true,\\"data\\":{}}"); return 0; }\n'
    # The last is the control.
    programs = {'__asm__(".incbin \\"%s\\"");' % secret: 1, '#include "%s"' % secret: 1, "": 0}
    for text, wanted in programs.items():
        folder = place.folder(identity)
        with open(CONTRACT) as file:
            contract = file.read().replace(PROBE, identity).replace("language: python", "language: c")
        place.file(identity + "/skill.yaml", contract + '\ntest:\n  - {name: runs, input: {code: ""}}\n')
        place.file(identity + "/main.c", text + "\n" + honest)
        done = subprocess.run([WRIT, "test", folder], env=place.environment, cwd=place.path, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=120)
        expect("the build of %r: %s" % (text, done.stdout.decode()), wanted != 0, done.returncode != 0)
        expect("main", wanted == 0, os.path.exists(folder + "/main"))
        if SECRET.encode() in done.stdout:
            raise AssertionError("the compiler told the secret: %s" % done.stdout)
        shutil.rmtree(folder)


ATTACKS = [undeclared_files, first_process, reach_into_others, inherited_descriptors, inherited_signals_and_environment,
           leftovers_of_kinds, set_id_bits, mount_points_and_renames, read_inside_write, own_folder,
           code_from_writable_places, undeclared_programs, granted_programs, forbidden_calls, sockets, terminal_input,
           survivors, memory_of_children, memory_out_of_sight, memory_in_sockets, processes_and_scratch, floods,
           links_in_paths, swapped_folders, home_by_other_names, what_runs_next, skills_by_other_names,
           names_that_no_program_can_be_told, interpreters_of_others, killed_callers, ignored_signals, odd_callers,
           many_at_once, records_of_others, steered_terminal, forged_plan, compilers_that_read]


def main():
    tap = Tap()
    for attack in ATTACKS:
        title = attack.__name__.replace("_", " ")
        if len(sys.argv) > 2 and attack.__name__ not in sys.argv[2:]:
            continue
        with Place() as place:
            try:
                attack(place)
                tap.case(title)
            except Skipped as reason:
                tap.skip(title, str(reason))
            except (AssertionError, OSError, subprocess.SubprocessError) as fault:
                tap.case(title, ["%s: %s" % (type(fault).__name__, fault)])
    tap.done()


main()
