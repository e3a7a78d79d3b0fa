#!/bin/sh
# Installs what a target of the Makefile needs and this machine lacks:  tools/setup.sh build|demo|test|fuzz|bench|deb|test-deb|test-arm64|all
#
# Each need is found by what it brings (a command, a pkg-config module, a file), so packages from anywhere count and a
# removed one is noticed; nothing is remembered between runs.  What is missing is installed on Debian and Ubuntu, as
# root or with a sudo that asks nothing; otherwise the one command to run is printed and the exit status is 1.
set -u

missing=

# A need is checked by one of these; the second argument is the Debian package that brings it.
need_command() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
need_file() {
    for candidate in $1; do # unquoted on purpose: the first argument is a pattern
        [ ! -e "$candidate" ] || return 0
    done
    missing="$missing $2"
}
need_module() { pkg-config --exists "$1" 2>/dev/null || missing="$missing $2"; }

need_build() {
    need_command "${CC:-cc}" "$(compiler_package "${CC:-cc}")"
    need_file '/usr/include/stdio.h' libc6-dev
    need_command meson meson
    need_command ninja ninja-build
    need_command pkg-config pkg-config
    # One process for the usual case that all are there.
    pkg-config --exists yaml-0.1 libpcre2-8 libsodium libutf8proc 2>/dev/null && return
    need_module yaml-0.1 libyaml-dev
    need_module libpcre2-8 libpcre2-dev
    need_module libsodium libsodium-dev
    need_module libutf8proc libutf8proc-dev
}

need_demo() {
    need_command python3 python3
    need_command git git
    need_command pdftotext poppler-utils
    need_file /usr/share/poppler/cMap poppler-data
    need_command tesseract tesseract-ocr
    need_file '/usr/share/tesseract-ocr/*/tessdata/eng.traineddata /usr/share/tessdata/eng.traineddata' tesseract-ocr-eng
    need_file '/usr/share/tesseract-ocr/*/tessdata/chi_sim.traineddata /usr/share/tessdata/chi_sim.traineddata' \
        tesseract-ocr-chi-sim
}

need_fuzz() {
    need_command python3 python3
    need_command clang clang
    # Clang names the file's full path if it has it, and echoes the bare name if not.
    case "$(clang -print-file-name="libclang_rt.fuzzer-$(uname -m).a" 2>/dev/null)" in
    /*) ;;
    *) need_file "$(clang -print-runtime-dir 2>/dev/null)/libclang_rt.fuzzer.a" libclang-rt-dev ;;
    esac
}

need_test() {
    need_command gcc gcc
    need_command python3 python3
    need_command git git
    need_command strace strace
    need_command zsh zsh
    need_command fish fish
    need_command mandoc mandoc
    need_command node nodejs
    need_command jq jq
    need_module cmocka libcmocka-dev
    need_module jansson libjansson-dev
}

need_bench() {
    need_command python3 python3
    need_command bwrap bubblewrap
    need_command node nodejs
    need_command npm npm
    need_file '/etc/ssl/certs/ca-certificates.crt' ca-certificates
    need_module jansson libjansson-dev
}

need_deb() {
    need_command python3 python3
    need_command dpkg-shlibdeps dpkg-dev
    need_command strip binutils
}

# Clean roots can be made by root alone; without it the rest of the test is done.
need_test_deb() {
    need_command lintian lintian
    [ "$(id -u)" = 0 ] || return 0
    need_file /usr/sbin/debootstrap debootstrap
    need_file /usr/share/keyrings/debian-archive-keyring.gpg debian-archive-keyring
    need_command setpriv util-linux
}

need_test_arm64() {
    [ "$(uname -m)" != aarch64 ] || return 0
    need_command python3 python3
    need_command git git
    need_command aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
    need_command qemu-aarch64-static qemu-user-static
    need_command qemu-system-aarch64 qemu-system-arm
    need_file '/sbin/mke2fs /usr/sbin/mke2fs' e2fsprogs
}

compiler_package() {
    case "$1" in
    *clang*) echo clang ;;
    *) echo gcc ;;
    esac
}

case "${1:-}" in
build) need_build ;;
demo) need_build && need_demo ;;
test) need_build && need_demo && need_fuzz && need_test ;;
fuzz) need_build && need_fuzz && need_test ;;
bench) need_build && need_bench ;;
deb) need_build && need_deb ;;
test-deb) need_build && need_deb && need_test_deb ;;
test-arm64) need_build && need_test_arm64 ;;
all) need_build && need_demo && need_fuzz && need_test && need_bench && need_deb && need_test_deb && need_test_arm64 ;;
*)
    echo "usage: tools/setup.sh build|demo|test|fuzz|bench|deb|test-deb|test-arm64|all" >&2
    exit 2
    ;;
esac
[ -n "$missing" ] || exit 0

packages=$(printf '%s\n' $missing | sort -u | tr '\n' ' ')
packages=${packages% }
install="apt-get update && apt-get install -y --no-install-recommends $packages"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "writ needs what these Debian packages bring; install your system's own: $packages" >&2
    exit 1
fi
if [ "$(id -u)" = 0 ]; then
    as_root=
elif sudo -n true 2>/dev/null; then
    as_root=sudo
else
    printf 'Some packages are missing. Run this, then try again:\n\n    sudo sh -c "%s"\n\n' "$install" >&2
    exit 1
fi
echo "Installing what is missing: $packages"
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
if ! $as_root env DEBIAN_FRONTEND=noninteractive sh -c "$install" >"$log" 2>&1 </dev/null; then
    tail -n 25 "$log" >&2
    echo "Could not install: $packages" >&2
    exit 1
fi
