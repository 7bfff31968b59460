import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {inEachShell, posixOrFish} from './each-shell.ts'
import {endAllShells, type ShellName, ShellUnderTest} from './shell-under-test.ts'

test.after(endAllShells)

/** What people have in their rc files: a prompt of several parts, hooks that look at the status, and names that shadow builtins. */
const rcs: Readonly<Record<ShellName, string>> = {
  bash: `
    PS1='\\[\\e[1m\\]USER \\w\\[\\e[0m\\]\\n$(true)> '
    PROMPT_COMMAND='echo "before prompt $?" >>~/hooks'
    trap 'case $BASH_COMMAND in *hooks*) ;; *) last_command=$BASH_COMMAND ;; esac' DEBUG
    alias printf='echo aliased' builtin='echo aliased' read='echo aliased'
    printf() { echo shadowed; }
    IFS=,
    shopt -s nocasematch`,
  zsh: `
    setopt prompt_subst ksh_arrays sh_word_split no_unset
    PS1=$'%B USER %~%b\\n%# ' PROMPT_EOL_MARK=
    precmd() { print "before prompt $?" >>~/hooks }
    preexec() { print "before command $1" >>~/hooks }
    zle-line-init() { print line init >>~/hooks }
    zle -N zle-line-init
    alias print='echo aliased' builtin='echo aliased' emulate='echo aliased' local='echo aliased'
    IFS=,`,
  fish: `
    function fish_prompt; set -l code $status; echo "before prompt $code" >>~/hooks; echo; echo -n 'USER > '; end
    function fish_right_prompt; echo right; end
    function on_command --on-event fish_preexec; echo "before command $argv" >>~/hooks; end
    function printf; echo shadowed; end
    function echo; builtin echo $argv; end
    abbr --add --global zzz echo abbreviated`,
}

inEachShell("the user's prompt, hooks, traps and names stay as they are", async shell => {
  const pane = await ShellUnderTest.start(shell, {rc: rcs[shell]})
  assert.match(await pane.output(), 'USER')
  const turn = await pane.turn(posixOrFish(shell, '(exit 5)', "sh -c 'exit 5'"))
  assert.is(turn.exitCode, 5)
  assert.match(pane.file('hooks'), /before prompt 0\n(.*\n)*before prompt 5\n/)
  if (shell !== 'bash') assert.match(pane.file('hooks'), /before command /)
  if (shell === 'zsh') assert.is(pane.file('hooks').match(/line init/g)?.length, 2)
  if (shell === 'bash') {
    await pane.turn('command echo "<$last_command>" >~/trapped')
    assert.match(pane.file('trapped'), /^<.+>$/m)
  }
  // What the status was is for the next command to see, too.
  await pane.turn(posixOrFish(shell, '(exit 6)', "sh -c 'exit 6'"))
  await pane.turn(posixOrFish(shell, 'command echo $? >~/status', 'echo $status >~/status'))
  assert.is(pane.file('status'), '6\n')
})

inEachShell('an rc file that is read again in a turn changes nothing', async shell => {
  const pane = await ShellUnderTest.start(shell, {rc: rcs[shell]})
  const source = {bash: '. ~/.bashrc', zsh: '. ~/.zshrc', fish: 'source ~/.config/fish/config.fish'}
  for (const exitCode of [3, 4]) {
    assert.is((await pane.turn(source[shell])).types.at(-1), 'ready')
    const turn = await pane.turn(posixOrFish(shell, `(exit ${exitCode})`, `sh -c 'exit ${exitCode}'`))
    assert.equal(turn.types, ['submitted', 'started', 'ended', 'ready'])
    assert.is(turn.exitCode, exitCode)
  }
})

inEachShell('hooks that the user takes away come back with the next prompt', async shell => {
  const pane = await ShellUnderTest.start(shell)
  const removals = {
    bash: [
      'unset PROMPT_COMMAND',
      'PROMPT_COMMAND=(true)',
      'PROMPT_COMMAND+=(true)',
      "PS1='$ '",
      'PS0= PS2=',
      'PROMPT_COMMAND=true',
    ],
    zsh: [
      'precmd_functions=()',
      'unset precmd_functions',
      'preexec_functions=()',
      'zle -D zle-line-init',
      'setopt prompt_sp',
    ],
    fish: [
      "function fish_prompt; echo '$ '; end",
      'functions -e fish_prompt',
      'fish_vi_key_bindings',
      'fish_default_key_bindings',
    ],
  }
  for (const removal of removals[shell]) {
    assert.is((await pane.turn(removal)).types.at(-1), 'ready', removal)
    const turn = await pane.turn(posixOrFish(shell, '(exit 7)', "sh -c 'exit 7'"))
    assert.equal(turn.types, ['submitted', 'started', 'ended', 'ready'], removal)
    assert.is(turn.exitCode, 7, removal)
  }
})

inEachShell('both key maps of vi take a prompt', async shell => {
  const rc = {bash: 'set -o vi', zsh: 'bindkey -v; KEYTIMEOUT=1', fish: 'fish_vi_key_bindings'}[shell]
  const pane = await ShellUnderTest.start(shell, {rc})
  assert.is((await pane.turn('true')).exitCode, 0)
  const from = pane.signals.length
  await pane.type(shell === 'fish' ? '\x1b' : 'x\x1bdd')
  // fish waits whether more follows ESC, and shows the mode when it has changed.
  if (shell === 'fish') await pane.shows('[N]')
  await pane.deliver('false')
  const turn = await pane.settled(from)
  assert.equal(turn.types, ['submitted', 'started', 'ended', 'ready'])
  assert.is(turn.exitCode, 1)
})

inEachShell('the nonce is in no environment and in no file, and HOME stays as it was', async shell => {
  const pane = await ShellUnderTest.start(shell, {
    rc: `env >>~/environment${shell === 'bash' ? '; set -a' : ''}`,
  })
  await pane.turn('env >>~/environment')
  const environment = pane.file('environment')
  assert.not.match(environment, pane.nonce)
  // Flags that bash itself sets in the expansion of a prompt, and exports after `set -a`.
  assert.not.match(environment, /TERMIC|termic_(?!ran=|more=)|ZDOTDIR/)
  assert.not.match(readFileSync(`/proc/${pane.shellPid}/environ`, 'utf8'), pane.nonce)
  const files = readdirSync(join(pane.paneDir, 'shell'))
  for (const file of files)
    assert.not.match(readFileSync(join(pane.paneDir, 'shell', file), 'utf8'), pane.nonce)
  if (shell !== 'fish')
    assert.equal(readdirSync(pane.home).sort(), [`.${shell}rc`, '.local', 'environment'].sort())
})

inEachShell(
  'options that make scripts strict do not disturb the hooks, and the other way round',
  async shell => {
    const pane = await ShellUnderTest.start(shell)
    const strict = ['set -u', 'set -f', 'set -C', 'IFS=0123456789', 'set -x', 'set +x', 'set -a', 'set -e']
    for (const option of [
      ...strict,
      ...(shell === 'bash' ? ['set -T', 'set -o posix', 'set +o posix'] : ['setopt err_return']),
    ]) {
      const turn = await pane.turn(option)
      assert.equal(turn.types, ['submitted', 'started', 'ended', 'ready'], option)
      assert.is(turn.exitCode, 0, option)
      assert.is((await pane.turn('true || false')).exitCode, 0, option)
    }
    const last = await pane.turn('false')
    assert.equal(last.types, ['submitted', 'started', 'exited'])
    assert.is((await pane.signal('exited')).code, 1)
  },
  ['bash', 'zsh'],
)

inEachShell(
  'output that the user sends elsewhere takes no marks with it',
  async shell => {
    const pane = await ShellUnderTest.start(shell)
    await pane.turn('exec >~/out')
    assert.is((await pane.turn('echo here; (exit 8)')).exitCode, 8)
    // Debian's own zshrc switches the keypad with what it prints.
    assert.match(pane.file('out'), 'here\n')
    assert.not.match(pane.file('out'), /133|633/)
  },
  ['bash', 'zsh'],
)

inEachShell('a delivered prompt is in the history as a typed line is', async shell => {
  const pane = await ShellUnderTest.start(shell)
  await pane.turn('echo remembered')
  await pane.turn(
    {bash: 'history >~/list', zsh: 'fc -l 1 >~/list', fish: 'history search --max 5 >~/list'}[shell],
  )
  assert.match(pane.file('list'), /echo remembered$/m)
})

inEachShell(
  'a command that is told apart from the history is named, one that the history left out is not misnamed',
  async shell => {
    const pane = await ShellUnderTest.start(shell, {rc: 'HISTCONTROL=ignoreboth'})
    for (const [typed, named] of [
      ['echo a', 'echo a'],
      [' echo b', shell === 'bash' ? undefined : ' echo b'],
      ['echo c', 'echo c'],
    ]) {
      const from = pane.signals.length
      await pane.type(`${typed}\r`)
      await pane.settled(from)
      assert.is((await pane.signal('started', from)).command, named)
    }
  },
  ['bash', 'zsh'],
)

inEachShell(
  "the user's own ZDOTDIR holds, wherever it was set",
  async shell => {
    const files = {'zdir/.zshrc': 'echo from zdir >>~/read', 'zdir/.zshenv': 'echo env from zdir >>~/read'}
    const inherited = await ShellUnderTest.launch(shell, {home: files, env: {ZDOTDIR: 'zdir'}})
    await inherited.signal('ready')
    await inherited.turn('env | grep ZDOTDIR >~/environment')
    assert.is(inherited.file('read'), 'env from zdir\nfrom zdir\n')
    assert.is(inherited.file('environment'), 'ZDOTDIR=zdir\n')
    const own = await ShellUnderTest.start(shell, {home: {...files, '.zshenv': 'ZDOTDIR=~/zdir'}})
    await own.turn('echo $ZDOTDIR $HISTFILE >~/environment; env | grep ZDOTDIR >>~/environment')
    assert.is(own.file('read'), 'from zdir\n')
    assert.is(own.file('environment'), `${own.home}/zdir\n`)
    assert.ok(!existsSync(join(own.home, 'read-twice')))
  },
  ['zsh'],
)

inEachShell(
  'an abbreviation in a delivered prompt is left as it is',
  async shell => {
    const pane = await ShellUnderTest.start(shell, {rc: rcs.fish})
    assert.is((await pane.turn('zzz')).exitCode, 127)
    const turn = await pane.turn('echo zzz')
    assert.match(await turn.output(), /zzz\r\n/)
  },
  ['fish'],
)

test.run()
