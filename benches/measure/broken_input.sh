#!/usr/bin/env bash
# Input that is broken: `cellog check` must end with a clear error or a partial result that says so, with the designed status,
# without a panic and within 60 s.
#
# usage: broken_input.sh    (CELLOG names the binary, target/release/cellog if not set)
set -uo pipefail
cellog=${CELLOG:-$(cd "$(dirname "$0")/../.." && pwd)/target/release/cellog}
[ -x "$cellog" ] || { echo "$cellog is not there: cargo build --release, or set CELLOG" >&2; exit 2; }
folder=$(mktemp -d)
trap 'chmod -R u+rwx "$folder"; rm -rf "$folder"' EXIT
cd "$folder" || exit 2
failed=0

# try NAME 'STATUSES' ARGUMENTS...: runs `cellog check ARGUMENTS` and judges how it ended.
try() {
    local name=$1 wanted=$2 status=0 start=$SECONDS verdict=ok
    shift 2
    timeout 60 "$cellog" check "$@" >out 2>err </dev/null || status=$?
    [[ " $wanted " == *" $status "* ]] || verdict="status $status, expected one of: $wanted"
    grep -q 'panicked at' out err && verdict="panicked: $(grep -h -m1 'panicked at' out err)"
    [ "$status" -eq 124 ] && verdict="no end within 60 s"
    [ -s out ] || [ -s err ] || verdict="said nothing"
    [ "$verdict" = ok ] || failed=1
    printf '%-28s %-6s %3d s  %s\n' "$name" "$verdict" $((SECONDS - start)) "$(cat err out | grep -v '^ *$' | head -n 1 | cut -c1-100)"
}

: > empty.c
try 'empty file' '4' empty.c

head -c 100000 /dev/urandom > binary.c
try 'binary file' '2 4' binary.c

{ printf 'int x = 0'; head -c 10000000 /dev/zero | tr '\0' ' '; printf ';\nint main(void) { return x; }\n'; } > blanks.c
try '10 MB line of blanks' '0' blanks.c

{ printf 'int f(void) { return 0'; yes ' + 1' | head -n 2500000 | tr -d '\n'; printf '; }\n'; } > sum.c
try '10 MB line, one expression' '0 2 4' sum.c

printf '#include "no_such_header.h"\nint main(void) { return 0; }\n' > header.c
try 'missing header' '2' header.c

try 'missing file' '2' no_such_file.c

mkdir closed && printf 'int main(void) { return 0; }\n' > closed/a.c && chmod 000 closed
if [ "$(id -u)" -eq 0 ]; then
    printf '%-28s skipped: root reads everything\n' 'unreadable folder'
else
    try 'unreadable folder' '2' closed/a.c
fi

mkdir folder.c
try 'a folder as a file' '2' folder.c

mkdir build
try '-p without a database' '2' -p build
echo '[{"directory": 1' > build/compile_commands.json
try '-p with a broken database' '2' -p build

{ printf 'int f(void) { return '; head -c 100000 /dev/zero | tr '\0' '('; printf 1; head -c 100000 /dev/zero | tr '\0' ')'; printf '; }\n'; } > parentheses.c
try '100,000 parentheses' '0 2 4' parentheses.c

{ printf 'int f(int x) { return '; yes '-' | head -n 100000 | tr '\n' ' '; printf 'x; }\n'; } > minus.c
try '100,000 unary minuses' '0 2 4' minus.c

{ printf 'void f(void) '; head -c 100000 /dev/zero | tr '\0' '{'; head -c 100000 /dev/zero | tr '\0' '}'; printf '\n'; } > blocks.c
try '100,000 nested blocks' '0 2 4' blocks.c

{ printf 'int '; head -c 100000 /dev/zero | tr '\0' '*'; printf 'p;\nint main(void) { return p == 0; }\n'; } > pointers.c
try 'pointer of depth 100,000' '0 2 4' pointers.c

printf 'int g(int d) { return 1 / d; }\nint main(int argc, char **argv) { if (argc > ' > half.c
try 'half a function' '0 1 2 4' half.c

printf 'int main(void) { int a[2]; a[0] = 1; return a[0]; }\nint broken( { ;;; }}\n' > partial.c
try 'one bad declaration' '0' partial.c

try 'no arguments' '2'
try 'an unknown check' '2' --checks no-such-check partial.c
try 'an unknown entry' '2 4' --entry no_such_function partial.c

exit "$failed"
