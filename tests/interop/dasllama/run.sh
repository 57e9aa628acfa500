#!/usr/bin/env bash
# run.sh ASSAY VENV: assay against dasLLAMA's server with real weights.
#
# An engine and an HTTP server of their own, beside llama.cpp's: the package dasllama holds both prebuilt (53 MB) and reads the
# same weights. What else serves chat completions on a CPU did not fit: README.md beside this folder says why.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bash "$here/../venv.sh" "$2" "$here/requirements.txt" || exit $?
exec "$2/bin/python" "$here/../real_server_test.py" "$1" "$2" "$here"
