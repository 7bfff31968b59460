#!/bin/sh
# Installs, builds and runs the main job in front of the user (demo.sh).
set -eu
cd "$(dirname "$0")/.."
echo '# Installing and building; the first time this takes about half a minute.'
npm run --silent build
exec sh scripts/demo.sh
