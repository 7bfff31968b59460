#!/bin/sh
# The main job in front of the user: on a real repository that is thrown away, with a home, data directory and daemon of
# its own. Leaves no process and no file behind, also when interrupted.
set -eu

if [ -z "${TERMIC_DEMO:-}" ]; then
  root=$(cd "$(dirname "$0")/.." && pwd)
  shell=$(command -v bash || command -v zsh || command -v fish) || {
    echo 'this needs bash, zsh or fish, which tell termic what becomes of a command line' >&2
    exit 1
  }
  # A person's own shell has nothing of npm's in its environment, and nothing of yours is read or written here.
  # /tmp and no $TMPDIR: the path of a unix socket has a limit of 103 bytes.
  home=$(mktemp -d /tmp/termic-demo.XXXXXX)
  exec env -i PATH="$root/bin:$PATH" HOME="$home" SHELL="$shell" TERM="${TERM:-dumb}" LANG="${LANG:-C.UTF-8}" \
    NO_COLOR="${NO_COLOR:-}" TERMIC_DEMO="$root" sh "$root/scripts/demo.sh"
fi
root=$TERMIC_DEMO
unset TERMIC_DEMO

bold='' dim='' plain=''
if [ -t 1 ] && [ -z "$NO_COLOR" ]; then
  bold=$(printf '\033[1m') dim=$(printf '\033[2m') plain=$(printf '\033[0m')
fi
note() { printf '%s# %s%s\n' "$dim" "$1" "$plain"; }

finish() {
  status=$?
  trap '' INT TERM HUP PIPE
  # `list` first: it waits for a daemon that an interruption left half started, which `quit` would not see.
  if [ -e "$HOME/.local/share/termic/daemon.lock" ] || [ -e "$HOME/Library/Application Support/termic/daemon.lock" ]; then
    { termic list && termic quit --yes; } > /dev/null 2>&1 < /dev/null || true
  fi
  cd /
  rm -rf "$HOME"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
trap 'exit 141' PIPE

# Shows a command as a user types it, runs it, and shows what it prints.
run() {
  printf '\n%s$ %s%s\n' "$bold" "$1" "$plain"
  eval "$1"
}
say() { printf '\n'; note "$1"; }

git config --global user.name 'Ada'
git config --global user.email 'ada@example.org'
git config --global init.defaultBranch main
printf '%s\n' 'update-notifier=false' 'progress=false' > "$HOME/.npmrc"
mkdir "$HOME/shop"
cd "$HOME/shop"
echo '{"type": "module", "scripts": {"test": "node login.test.js"}}' > package.json
echo "export const mayLogIn = name => name === 'ada'" > login.js
cat > login.test.js << 'END'
import {mayLogIn} from './login.js'

console.log(mayLogIn('Ada') ? 'passed: Ada may log in' : 'FAILED: Ada may log in')
process.exitCode = mayLogIn('Ada') ? 0 : 1
END
git init -q
git add .
git commit -q -m 'Let ada log in'

note "All of this happens in $HOME, which is removed at the end."
run 'cd ~/shop && cat login.js && git log --oneline'

say 'A task is a branch, a worktree of it and an agent in there. This agent is the one that termic brings along, a'
note 'shell: a prompt is a command line. (--yes takes the repository as a project of termic without asking.)'
run 'termic new fix-login -p "npm test" --yes'
run 'termic wait fix-login && termic log fix-login -n 7'

say 'The test fails. Let the agent change the code and test again.'
run "termic send fix-login -p \"sed -i.old 's/name ===/name.toLowerCase() ===/' login.js; rm login.js.old; npm test\""
run 'termic wait fix-login && termic diff fix-login --full'
run 'termic status fix-login'
run 'termic list'

say 'Scripts read the same as JSON.'
run 'termic status fix-login --json | node -p "JSON.parse(fs.readFileSync(0)).task.state"'

say 'No crash costs you anything. Kill the daemon while a prompt runs …'
run 'termic send fix-login -p "sleep 1; echo still at work"'
run 'termic daemon status'
run "kill -9 $(termic daemon status | sed -n 's/.* process \([0-9]*\) .*/\1/p')"
say '… and the next command starts another one, which finds the agent where it is.'
run 'termic wait fix-login && termic log fix-login -n 3'

say 'Commit the work in its worktree and archive the task; its branch stays, for a merge or a pull request.'
run 'cd "$(termic path fix-login)" && git commit -qam "Let Ada log in" && cd ~/shop'
run 'termic archive fix-login --yes'
run 'git merge -q fix-login && npm test --silent'

say 'The daemon started by itself and would go on waiting for commands. This ends it, and every agent with it.'
run 'termic quit --yes'

say "Nothing of this runs any more, and $HOME goes now. To use termic: put $root/bin"
note 'into your PATH, go to a repository of yours, and begin with `termic new`. `termic --help` shows the rest.'
