#!/bin/sh
# Builds the benchmarks and prints their table; BENCH_ROUNDS sets the rounds (empty: each one's own).
set -eu
cd "$(dirname "$0")/.."
CC=${CC:-cc} tools/configure.sh build-bench --buildtype=release -Dtests=disabled
ninja -C build-bench >build-bench/build.log 2>&1 || { cat build-bench/build.log; exit 1; }
exec python3 -B bench/run.py ${BENCH_ROUNDS:+--rounds "$BENCH_ROUNDS"}
