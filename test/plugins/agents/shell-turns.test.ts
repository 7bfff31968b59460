import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {strip} from '../../../src/core/pane/strip.ts'
import {inEachShell} from './each-shell.ts'
import {endAllShells, ShellUnderTest, type Turn} from './shell-under-test.ts'

test.after(endAllShells)

/** Text of the command's output. fish begins with a carriage return of its own. */
async function saidBy(turn: Turn): Promise<string> {
  return strip(Buffer.from(await turn.output()))
    .text.replaceAll('\r\n', '\n')
    .trim()
}

/** Prompts of one shell's life, in this order, each with its exit code; `fish` where that one's language differs. */
const prompts: readonly {what: string; prompt: string; fish?: string | null; exit: number; says?: string}[] =
  [
    {what: 'a success', prompt: 'true', exit: 0},
    {what: 'a failure', prompt: 'false', exit: 1},
    {what: 'an exit code of its own', prompt: '(exit 42)', fish: "sh -c 'exit 42'", exit: 42},
    {what: 'a list', prompt: 'echo one; false', exit: 1, says: 'one'},
    {what: 'a leading blank', prompt: '  echo blank', exit: 0, says: 'blank'},
    {what: 'a trailing line end', prompt: 'echo ended\n', exit: 0, says: 'ended'},
    {
      what: 'a loop over several lines',
      prompt: 'for i in 1 2\ndo\n\techo "<$i>"\ndone',
      fish: 'for i in 1 2\n\techo "<$i>"\nend',
      exit: 0,
      says: '<1>\n<2>',
    },
    {
      what: 'a here document',
      prompt: "cat <<'X'\n$HOME\n\n`tick`\nX",
      fish: null,
      exit: 0,
      says: '$HOME\n\n`tick`',
    },
    {what: 'several commands, of which the last one counts', prompt: 'false\ntrue', exit: 0},
    {
      what: 'several commands, of which the last one fails',
      prompt: 'true\n(exit 7)',
      fish: "true\nsh -c 'exit 7'",
      exit: 7,
    },
    {what: 'a missing program', prompt: 'no-such-program', exit: 127},
    {what: 'what would be history expansion', prompt: 'echo "a!!b" \'!$\'', exit: 0, says: 'a!!b !$'},
    {what: 'output without a line end', prompt: 'printf unended', exit: 0, says: 'unended'},
    {what: 'nothing but a comment, after a failure', prompt: 'false', exit: 1},
    {what: 'nothing but a comment', prompt: '# nothing\n\n  # at all', exit: 0},
    {
      what: "marks of another program's making",
      prompt:
        "printf '\\033]133;D;9\\007\\033]133;A\\007\\033]133;B\\007\\033]633;C\\007\\033]133;D;9;n=guess\\007'",
      exit: 0,
    },
    {what: 'a program that resets the terminal', prompt: "printf '\\033c\\033[!p'; stty sane", exit: 0},
    {what: 'a job in the background', prompt: 'sleep 1000 &', fish: 'true; sleep 1000 &', exit: 0},
    {
      what: 'the end of that job',
      prompt: 'kill $!; wait $!; (exit 3)',
      fish: "kill $last_pid; sh -c 'exit 3'",
      exit: 3,
    },
    {what: 'a command after all that', prompt: 'echo done', exit: 0, says: 'done'},
  ]

inEachShell('each prompt is one turn with the exit code of its last command', async shell => {
  const rc = shell === 'zsh' ? 'setopt interactive_comments' : ''
  const pane = await ShellUnderTest.start(shell, {rc})
  for (const {what, prompt, fish, exit, says} of prompts) {
    if (shell === 'fish' && fish === null) continue
    const isComment = prompt.startsWith('#')
    const turn = await pane.turn(shell === 'fish' ? (fish ?? prompt) : prompt)
    const expected = ['submitted', 'started', 'ended', 'ready'].filter(
      type => type !== 'started' || !isComment || shell === 'fish',
    )
    assert.equal(turn.types, expected, `${what}: ${turn.types}`)
    assert.is(turn.exitCode, exit, what)
    assert.is(pane.state.name, 'done', what)
    if (says !== undefined) assert.is(await saidBy(turn), says, what)
  }
})

inEachShell('a change of directory is told, whatever its name', async shell => {
  const pane = await ShellUnderTest.start(shell)
  const name = 'ä b;%\\c'
  mkdirSync(join(pane.home, name))
  const turn = await pane.turn(`cd '${shell === 'fish' ? name.replace('\\', '\\\\') : name}'`)
  assert.is(turn.exitCode, 0)
  // The host holds back what comes in quick succession.
  const told = await pane.until('the new directory is told', () => {
    const last = pane.entries.findLast(entry => entry.type === 'osc' && entry.code === 7)
    return last?.type === 'osc' && last.text.includes('%') && last.text
  })
  assert.is(decodeURIComponent(new URL(told).pathname), join(pane.home, name))
})

inEachShell('Ctrl-C ends the turn with 130', async shell => {
  const pane = await ShellUnderTest.start(shell)
  const from = pane.signals.length
  const command = "sh -c 'echo is up; exec sleep 1000'"
  await pane.deliver(command)
  assert.is((await pane.signal('started', from)).command, command)
  assert.is(pane.state.name, 'working')
  // Before the program has the terminal, the key would go to a shell that is busy starting it.
  await pane.shows('is up\r\n')
  await pane.type('\x03')
  assert.is((await pane.settled(from)).exitCode, 130)
})

inEachShell('exit ends the pane with its code, and an exec with that of the program', async shell => {
  const leaver = await ShellUnderTest.start(shell)
  const left = await leaver.turn('exit 3')
  assert.equal(
    left.types,
    shell === 'fish' ? ['submitted', 'started', 'exited'] : ['submitted', 'started', 'exited'],
  )
  assert.is((await leaver.signal('exited')).code, 3)
  assert.is(leaver.state.name, 'exited')
  const replaced = await ShellUnderTest.start(shell)
  await replaced.turn("exec sh -c 'exit 5'")
  assert.is((await replaced.signal('exited')).code, 5)
})

inEachShell('a shell inside the shell is one long command, and knows nothing of the marks', async shell => {
  const pane = await ShellUnderTest.start(shell, {
    rc: shell === 'fish' ? '' : 'export PS1="outer> " PS2="more> "',
  })
  const from = pane.signals.length
  await pane.deliver(
    `exec 3>&-; env ${shell === 'fish' ? 'fish --no-config' : shell}`.replace('exec 3>&-; ', ''),
  )
  await pane.signal('started', from)
  await pane.type('echo in$SHLVL; set >inner-set; env >inner-env\r')
  await pane.type(`echo ${'inner'}-; exit 6\r`)
  const turn = await pane.settled(from)
  assert.equal(turn.types, ['submitted', 'started', 'ended', 'ready'])
  assert.is(turn.exitCode, 6)
  for (const file of ['inner-set', 'inner-env']) assert.not.match(pane.file(file), pane.nonce)
})

inEachShell('a person who types has turns too, and none for an empty line', async shell => {
  const pane = await ShellUnderTest.start(shell)
  assert.is(pane.state.name, 'idle')
  const from = pane.signals.length
  await pane.type('\r')
  await pane.signal('ready', from)
  assert.equal(
    pane.signals.slice(from).map(({type}) => type),
    ['ready'],
  )
  const next = pane.signals.length
  await pane.type('echo typed; false\r')
  const turn = await pane.settled(next)
  assert.equal(turn.types, ['started', 'ended', 'ready'])
  assert.is(turn.exitCode, 1)
  assert.is((await pane.signal('started', next)).command, 'echo typed; false')
  assert.is(pane.state.name, 'idle')
})

inEachShell(
  'output without a line end stays on the screen, and what the prompt adds is not part of it',
  async shell => {
    const pane = await ShellUnderTest.start(shell)
    const turn = await pane.turn('printf unended')
    assert.match(
      (await turn.output()).split('unended').at(-1) ?? '',
      new RegExp(`^.]133;D;0;n=${pane.nonce}.$`),
    )
    // zsh and fish fill the line up, so that their prompt, which begins at the margin, does not cover it.
    if (shell !== 'bash') assert.match(await pane.output(), /unended.{1,2}\]133;D.*(#|⏎).* {90}/s)
  },
)

test.run()
