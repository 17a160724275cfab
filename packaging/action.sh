#!/usr/bin/env bash
# What the GitHub Action (action.yml) does once `cellog` is installed. Its inputs come as variables: PATHS, BUILD_DIR,
# ARGUMENTS, FLAGS, SARIF and FAIL. Lists are split at blanks, and names of files may be patterns.
set -eo pipefail # not -u: the bash of macOS takes an empty list for one that is not set

fail() { printf '::error title=Cellog::%s\n' "$*"; exit 2; }
tell() { printf '%s\n' "$1" >>"${GITHUB_OUTPUT:-/dev/null}"; }

shopt -s nullglob
# shellcheck disable=SC2206 # patterns are for the shell
paths=(${PATHS:-})
read -ra arguments <<<"${ARGUMENTS:-}"
read -ra flags <<<"${FLAGS:-}"
if [ -n "${BUILD_DIR:-}" ]; then
    arguments+=(-p "$BUILD_DIR")
elif [ "${#paths[@]}" = 0 ]; then
    fail "neither build-dir nor paths names a C file: \"${PATHS:-}\""
fi
command=(check "${arguments[@]}" "${paths[@]}")

# The log for code scanning first; then what is definite, for people, from the results that the first run has kept.
status=0
cellog "${command[@]}" --format sarif --output "$SARIF" -- "${flags[@]}" || status=$?
tell "status=$status"
if [ "$status" -gt 1 ]; then
    fail "cellog ended with status $status"
fi
tell "sarif=$SARIF"
cellog "${command[@]}" --quiet -- "${flags[@]}" || true
if [ "${FAIL:-true}" != true ]; then
    exit 0
fi
exit "$status"
