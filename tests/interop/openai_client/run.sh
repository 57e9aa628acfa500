#!/usr/bin/env bash
# run.sh ASSAY VENV: the openai Python client against `assay simulate`.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bash "$here/../venv.sh" "$2" "$here/requirements.txt" || exit $?
exec "$2/bin/python" "$here/client_test.py" "$1"
