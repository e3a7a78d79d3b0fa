"""A small arm64 machine that runs tests on a kernel of its own; used by tools/arm64.py.

Theory of operation.  The root is unpacked from packages (nothing in it was ever installed, no script of a package has
run), the tree and its build are copied to where they lie here, for tests know their files by whole paths, and both
become one ext4 image.  The kernel is the distribution's; a first root of a few files loads its driver for the disk.
Inside, tools/arm64_guest.py takes the list of tests and prints one line of JSON a test on the console.  Emulation is by
software, so times are long and no test may depend on them.
"""
import glob
import json
import os
import re
import selectors
import shutil
import stat
import subprocess
import time

import test

# What the tests and the guest's driver start; each comes with all it needs.
ROOT_PACKAGES = ["base-files", "bash", "busybox-static", "coreutils", "dash", "diffutils", "findutils", "git", "grep",
                 "gzip", "libc-bin", "libcmocka0", "libjansson4", "mount", "procps", "python3", "sed", "strace", "tar",
                 "util-linux"]
KERNEL_PACKAGE = "linux-image-cloud-arm64"
MODULES = ["virtio_ring", "virtio", "virtio_mmio", "virtio_blk"]
NOT_NEEDED = ["usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/info", "usr/share/i18n", "boot"]
MARK = "writ-test: "


class Failure(Exception):
    """The machine could not be made or did not come up."""


def archive(files):
    """A cpio archive (newc) of (name, mode, bytes)."""
    out = bytearray()
    for number, (name, mode, content) in enumerate(files + [("TRAILER!!!", 0, b"")], 1):
        fields = [number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0]
        out += b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
        out += b"\0" * (-len(out) % 4)
        out += content
        out += b"\0" * (-len(out) % 4)
    return bytes(out)


FIRST_INIT = """#!/bin/busybox sh
for module in %s; do /bin/busybox insmod /$module.ko; done
/bin/busybox mount -t devtmpfs devtmpfs /dev
/bin/busybox mount -t ext4 /dev/vda /root && exec /bin/busybox switch_root /root /guest/init
echo "%sno disk"
/bin/busybox poweroff -f
"""
GUEST_INIT = """#!/bin/sh
export PATH=%(path)s
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mkdir -p /dev/shm /dev/pts
mount -t tmpfs tmpfs /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /run
ln -s /proc/self/fd /dev/fd
[ %(uid)d = 0 ] || chown -hR 0:0 /
echo 1 >/proc/sys/kernel/printk
hostname arm64
cd %(tree)s && python3 -B tools/arm64_guest.py /guest/tests.json
busybox poweroff -f
"""


class Machine:
    def __init__(self, tree, place, build):
        self.tree, self.place, self.build = tree, os.path.join(place, "machine"), build
        self.root = os.path.join(self.place, "root")
        self.kernel = os.path.join(self.place, "kernel")

    def make(self, packages):
        """Fetches what is missing.  Some packages bring /bin, others /usr/bin: they become one, as on any Debian."""
        os.makedirs(self.place, exist_ok=True)
        packages.unpack(ROOT_PACKAGES, re.compile(""), self.root)
        packages.unpack([KERNEL_PACKAGE], re.compile(r"linux-image-\d.*-cloud-arm64$"), self.kernel)
        for name in NOT_NEEDED:
            shutil.rmtree(os.path.join(self.root, name), ignore_errors=True)
        for name in ("bin", "sbin", "lib"):
            own, usr = os.path.join(self.root, name), os.path.join(self.root, "usr", name)
            if os.path.isdir(own) and not os.path.islink(own):
                shutil.copytree(own, usr, symlinks=True, dirs_exist_ok=True)
                shutil.rmtree(own)
                os.symlink("usr/" + name, own)
        etc = os.path.join(self.root, "etc")
        for name, text, mode in (("passwd", "root:x:0:0:root:/root:/bin/sh\n", 0o644), ("group", "root:x:0:\n", 0o644),
                                 ("shadow", "root:*:::::::\n", 0o600), ("hosts", "127.0.0.1 localhost\n", 0o644)):
            with open(os.path.join(etc, name), "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(os.path.join(etc, name), mode)
        os.makedirs(os.path.join(etc, "ssh"), exist_ok=True)

    def write_disk(self, users):
        """The image: the root, the tree, the build, the lists of tests."""
        stage = os.path.join(self.place, "stage")
        shutil.rmtree(stage, ignore_errors=True)
        shutil.copytree(self.root, stage, symlinks=True, copy_function=os.link)
        inside = stage + self.tree
        test.bring_up_to_date(self.tree, test.files_of(self.tree), inside)
        data = os.path.join(os.path.dirname(self.tree), "shared", "data")
        if os.path.isdir(data):
            test.bring_up_to_date(data, test.files_of(data), stage + data)
        built = os.path.join(inside, os.path.relpath(self.build, self.tree))
        for folder, _, names in os.walk(self.build):
            for name in names:
                path = os.path.join(folder, name)
                if os.stat(path).st_mode & stat.S_IXUSR and not name.endswith(".so"):
                    target = os.path.join(built, os.path.relpath(path, self.build))
                    os.makedirs(os.path.dirname(target), exist_ok=True)
                    subprocess.run(["aarch64-linux-gnu-strip", "-o", target, path], check=False,
                                   stderr=subprocess.DEVNULL)
                    if name.startswith("skill-"):  # the one beside its source is made for this machine
                        shutil.copy2(target, os.path.join(inside, "skills", name.removeprefix("skill-"), "main"))
        os.makedirs(os.path.join(built, "meson-private"), exist_ok=True)  # so that writ knows that it lies in a build
        os.makedirs(os.path.join(stage, "guest"))
        values = {"path": test.SYSTEM_PATH, "tree": self.tree, "uid": os.geteuid()}
        for name, mode, text in (("init", 0o755, GUEST_INIT % values),
                                 ("tests.json", 0o644, json.dumps({"users": users, "mark": MARK}))):
            path = os.path.join(stage, "guest", name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(path, mode)
        disk = os.path.join(self.place, "disk.img")
        if os.path.exists(disk):
            os.unlink(disk)
        made = subprocess.run(["mke2fs", "-q", "-t", "ext4", "-O", "^has_journal", "-d", stage, disk, "3G"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        shutil.rmtree(stage)
        if made.returncode:
            raise Failure("mke2fs: " + made.stdout)
        return disk

    def write_first_root(self):
        files = [("dev", 0o040755, b""), ("root", 0o040755, b""), ("bin", 0o040755, b"")]
        with open(os.path.join(self.root, "bin", "busybox"), "rb") as file:
            files.append(("bin/busybox", 0o100755, file.read()))
        files.append(("init", 0o100755, (FIRST_INIT % (" ".join(MODULES), MARK)).encode()))
        for module in MODULES:
            found = glob.glob(os.path.join(glob.escape(self.kernel), "**", module + ".ko"), recursive=True)
            if not found:
                raise Failure("the kernel's package has no module %s" % module)
            with open(found[0], "rb") as file:
                files.append((module + ".ko", 0o100644, file.read()))
        path = os.path.join(self.place, "first-root.cpio")
        with open(path, "wb") as file:
            file.write(archive(files))
        return path

    def lines(self, disk, seconds_max):
        """What the machine prints, line by line, until it is off."""
        kernel, = glob.glob(os.path.join(glob.escape(self.kernel), "boot", "vmlinuz-*"))
        processors = str(len(os.sched_getaffinity(0)))
        process = subprocess.Popen(
            ["qemu-system-aarch64", "-machine", "virt", "-cpu", "cortex-a72", "-accel", "tcg,thread=multi",
             "-smp", processors, "-m", "3G", "-display", "none", "-monitor", "none", "-serial", "stdio", "-no-reboot",
             "-nic", "none", "-kernel", kernel, "-initrd", self.write_first_root(), "-append", "console=ttyAMA0 quiet",
             "-drive", "file=%s,format=raw,if=none,id=disk,cache=unsafe" % disk.replace(",", ",,"),
             "-device", "virtio-blk-device,drive=disk"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        ends, held = time.monotonic() + seconds_max, b""
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(process.stdout, selectors.EVENT_READ)
                while selector.select(max(0, ends - time.monotonic())):
                    part = os.read(process.stdout.fileno(), 1 << 16)
                    if not part:
                        return
                    *whole, held = (held + part).split(b"\n")
                    for line in whole:
                        yield line.decode(errors="replace").rstrip("\r")
            raise Failure("the machine was still running after %d s" % seconds_max)
        finally:
            process.kill()
            process.wait()

    def run(self, users, seconds_max):
        """`users`: {who: [uid or None, tests]}.  Yields (where, name, result) of every test of each of them."""
        disk = self.write_disk(users)
        missing = {(user, entry["name"]) for user, (_, tests) in users.items() for entry in tests}
        said = []
        try:
            for line in self.lines(disk, seconds_max):
                before, mark, text = line.partition(MARK)
                if not mark:
                    said.append(line)
                    continue
                answer = json.loads(text)
                missing.discard((answer["user"], answer["name"]))
                yield "machine, " + answer["user"], answer["name"], test.Result(*answer["result"])
        except (Failure, ValueError) as failure:
            said.append(str(failure))
        finally:
            os.unlink(disk)
        for user, name in sorted(missing):
            yield "machine, " + user, name, test.Result(0, 1, 0, ["%s: did not run" % name], [], "\n".join(said[-40:]))
            said = ["(what the machine said is above)"]
