#!/usr/bin/env bash
# The workflow, executable: what a newcomer types, what CI runs, what the documentation says.
#
#   ./run.sh demo       set up, build the demo corpus from the web that comes along, serve it
#   ./run.sh test       set up, check style, types and imports, run all tests
#   ./run.sh lint | types | imports      one check alone
#   ./run.sh docs       write the generated reference pages and build the pages in site/
#   ./run.sh fuzz       throw inputs made by chance at everything that reads something, until Ctrl-C
#   ./run.sh bench      measure, small; --full in the sizes of the goals (run it alone on the machine)
#   ./run.sh serve DIR  serve a corpus folder
#   ./run.sh web        serve the small web of the tutorial, without a corpus
#   ./run.sh izwi ...   any command of izwi, e.g. ./run.sh izwi query demo-corpus braai
set -euo pipefail
cd "$(dirname "$0")"

VENV=.venv
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONUTF8=1

say() { printf '%s\n' "$*" >&2; }

find_python() {
    for name in "${PYTHON:-}" python3.13 python3.12 python3.11 python3; do
        [ -n "$name" ] || continue
        if command -v "$name" >/dev/null 2>&1 &&
            "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    say "izwi needs Python 3.11 or newer; none was found. Install it, or set PYTHON=/path/to/python3."
    exit 2
}

# Install into .venv, once for each state of the project's own list of packages.
set_up() { # extras, e.g. "" or "[dev]"
    local extras=$1 stamp want
    stamp="$VENV/.izwi-installed$extras"
    want=$(cat pyproject.toml constraints.txt | cksum)
    if [ ! -x "$VENV/bin/python" ]; then
        local python
        python=$(find_python)
        say "Making $VENV with $python ..."
        "$python" -m venv "$VENV" || {
            rm -rf "$VENV"
            say "The venv module is missing. On Debian: apt-get install python3-venv"
            exit 2
        }
    fi
    if [ "$(cat "$stamp" 2>/dev/null)" != "$want" ]; then
        say "Installing packages and compiling izwi's fast parts (once; up to five minutes, without a word) ..."
        "$VENV/bin/python" -m pip install -qq -c constraints.txt -e ".$extras"
        printf '%s' "$want" >"$stamp"
    fi
    # Compiled parts whose source has changed since; nothing to do is the usual case.
    "$VENV/bin/python" tools/build_kernels.py
}

# As root on Debian, and once: install what some tests need, each package on its own, since older systems lack some.
install_once() {
    local mark=$VENV/.izwi-$1 what=$2 package
    shift 2
    { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 && [ ! -e "$mark" ]; } || return 0
    touch "$mark"
    say "Installing $what for its tests ..."
    export DEBIAN_FRONTEND=noninteractive
    timeout 120 apt-get update -qq >/dev/null 2>&1 || return 0
    for package; do
        timeout 300 apt-get install -y -qq --no-install-recommends "$package" >/dev/null 2>&1 || true
    done
}

# The browser tests need a real Chromium; pages cost less than half in the one that draws no window.
set_up_browser() {
    command -v chromium-headless-shell >/dev/null 2>&1 && command -v chromium >/dev/null 2>&1 && return
    install_once browser Chromium chromium fonts-dejavu-core chromium-headless-shell
    command -v chromium >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1 ||
        say "No Chromium: the browser tests are skipped. Install one (Debian: apt-get install chromium)."
}

# The tests of a catalog in PostgreSQL start a server of their own; Debian keeps its programs aside.
has_postgresql() { command -v pg_ctl >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/pg_ctl >/dev/null 2>&1; }
set_up_postgresql() {
    has_postgresql && return
    install_once postgresql PostgreSQL postgresql
    has_postgresql || say "No PostgreSQL: its tests are skipped. Install it (Debian: apt-get install postgresql)."
}

lint() {
    "$VENV/bin/ruff" check .
    "$VENV/bin/ruff" format --check --quiet . || {
        say "Some files are not formatted. Run: $VENV/bin/ruff format ."
        exit 1
    }
    "$VENV/bin/codespell" src docs README.md CHANGELOG.md tools benchmarks
}
types() { "$VENV/bin/mypy"; }
imports() { "$VENV/bin/lint-imports" --no-cache; }

# Two tests at once on two cores; more than four wait for each other's disks.
test_processes() { "$VENV/bin/python" -c 'import os; print(min(4, os.cpu_count() or 1))'; }

command=${1:-help}
[ $# -gt 0 ] && shift
case $command in
demo)
    set_up ""
    exec "$VENV/bin/izwi" demo "$@"
    ;;
test)
    set_up "[dev]"
    set_up_browser
    set_up_postgresql
    lint
    imports
    # Types are checked beside the tests, which wait now and then; what is found stands at the end.
    checked=$(mktemp)
    types >"$checked" 2>&1 &
    types_pid=$!
    trap 'kill "$types_pid" 2>/dev/null || true; rm -f "$checked"' EXIT
    failed=0
    # The order of files is ours (tests/conftest.py): those that take long come first.
    "$VENV/bin/python" -m pytest --numprocesses "$(test_processes)" --dist loadfile \
        --no-loadscope-reorder "$@" || failed=$?
    # What failed beside others is tried once more, alone: a fault fails again and stays a failure;
    # what passes now hung on how busy the machine was, and the first summary names it.
    if [ "$failed" = 1 ]; then
        say "Tests failed; they are run once more, one after the other."
        failed=0
        "$VENV/bin/python" -m pytest --last-failed --last-failed-no-failures none "$@" || failed=$?
    fi
    wait "$types_pid" || failed=1
    cat "$checked"
    exit "$failed"
    ;;
lint | types | imports)
    set_up "[dev]"
    $command
    ;;
docs)
    set_up "[dev]"
    "$VENV/bin/python" tools/generate_reference.py
    exec "$VENV/bin/python" tools/build_docs.py site
    ;;
fuzz)
    set_up "[dev]"
    exec "$VENV/bin/python" tools/fuzz.py "$@"
    ;;
bench)
    set_up "[dev]"
    exec "$VENV/bin/python" tools/run_benchmarks.py "$@"
    ;;
serve)
    set_up ""
    exec "$VENV/bin/izwi" serve "$@"
    ;;
web)
    set_up ""
    exec "$VENV/bin/izwi" demo --web "$@"
    ;;
izwi)
    set_up ""
    exec "$VENV/bin/izwi" "$@"
    ;;
*)
    sed -n '2,12s/^# \{0,1\}//p' "$0"
    ;;
esac
