#!/bin/sh
# Installs the development dependencies when the lock file changed since the last time (or was never installed).
set -eu
cd "$(dirname "$0")/.."
mark=node_modules/.termic-setup
if [ ! -f "$mark" ] || ! cmp -s package-lock.json "$mark"; then
  npm ci --no-audit --no-fund --loglevel=error >&2
  cp package-lock.json "$mark"
fi
