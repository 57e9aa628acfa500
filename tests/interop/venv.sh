#!/usr/bin/env bash
# venv.sh FOLDER REQUIREMENTS: a virtual environment with pinned packages, made once and kept while the pins stay.
# Ends 0 where it is ready, 77 (skip) where the registry cannot be reached, 1 where anything else went wrong.
set -euo pipefail

folder=$1
requirements=$2
stamp=$folder/installed.txt

if cmp -s "$requirements" "$stamp" && "$folder/bin/python" -c '' 2>/dev/null; then
    exit 0
fi

rm -rf "$folder"
python3 -m venv "$folder" || { echo "a virtual environment needs the package python3-venv" >&2; exit 1; }

log=$folder/install.log
if ! "$folder/bin/pip" install --disable-pip-version-check --no-input --retries 2 --timeout 30 -r "$requirements" >"$log" 2>&1; then
    if grep -qiE 'failed to establish a new connection|name resolution|name or service not known|network is unreachable|connection refused|timed out|connection reset|proxyerror|sslerror' "$log"; then
        echo "skipped: the package registry cannot be reached:"
        grep -iE 'connection|resolution|network|timed out|proxy|ssl' "$log" | tail -1
        exit 77
    fi
    tail -20 "$log" >&2
    exit 1
fi
cp "$requirements" "$stamp"
