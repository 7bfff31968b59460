import {statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {TermicError} from '../../../src/core/errors.ts'
import {kind} from '../../../src/plugins/agents/shell.ts'
import {inEachShell, posixOrFish, quoted} from './each-shell.ts'
import {endAllShells, type ShellName, ShellUnderTest} from './shell-under-test.ts'

test.after(endAllShells)

/** Everything that a terminal, a line editor or a shell might make something else of. */
const hardText = [
  'tab\there, trailing blanks  ',
  '',
  '!! !$ !-1 ^a^b^ $HOME `tick` $(sub) $x{y} \\ \\n \\\\ "double" \'single\'',
  'é ñ 日本語 🎉 👩‍👩‍👧 e\u0301 \u200b \ufeff \u{10ffff}',
  '; | & > < * ? [a] {b,c} ~ # % : =',
  'ESC \x1b[31m BEL \x07 DEL \x7f ^C \x03 ^D \x04 ^U \x15 ^V \x16 CR \r ^Z \x1a paste \x1b[201~ end',
  'no line end at the end',
].join('\n')

const writes = (shell: ShellName, text: string, file: string) => `printf %s ${quoted(shell, text)} >~/${file}`

inEachShell('a prompt arrives byte for byte, whatever is in it', async shell => {
  const pane = await ShellUnderTest.start(shell)
  const turn = await pane.turn(writes(shell, hardText, 'got'))
  assert.is(turn.exitCode, 0)
  assert.is(pane.file('got'), hardText)
})

inEachShell('a prompt arrives byte for byte in the C locale too', async shell => {
  const pane = await ShellUnderTest.start(shell, {env: {LC_ALL: 'C'}})
  assert.is((await pane.turn(writes(shell, hardText, 'got'))).exitCode, 0)
  assert.is(pane.file('got'), hardText)
})

inEachShell(
  'a prompt of 1 MB arrives in a few seconds, and is still one turn with its own exit code',
  async shell => {
    const pane = await ShellUnderTest.start(shell)
    const text = 'a line of 64 bytes with some ünïcödé in it, as a person writes\n'.repeat(16_384)
    const startedAt = performance.now()
    const turn = await pane.turn(
      `${writes(shell, text, 'got')}\n${posixOrFish(shell, '(exit 9)', "sh -c 'exit 9'")}`,
    )
    assert.ok(performance.now() - startedAt < 15_000)
    assert.equal(turn.types, ['submitted', 'started', 'ended', 'ready'])
    assert.is(turn.exitCode, 9)
    assert.ok(pane.file('got') === text)
    assert.match((await pane.signal('started', 1)).command ?? '', /^printf %s 'a line of 64 bytes/)
  },
)

inEachShell('an id is taken once; delivered again it is answered for and nothing runs', async shell => {
  const pane = await ShellUnderTest.start(shell)
  const id = "strange id: ;'*?[~]%41 é"
  const command = posixOrFish(shell, 'echo x >>~/count; (exit 4)', "echo x >>~/count; sh -c 'exit 4'")
  assert.is((await pane.turn(command, id)).exitCode, 4)
  await pane.turn('true')
  const again = await pane.turn(command, id)
  assert.equal(again.types, ['submitted', 'ended', 'ready'])
  assert.is((await pane.signal('submitted')).deliveryId, id)
  assert.is(pane.file('count'), 'x\n')
  const other = await pane.turn(command, 'strange id')
  assert.is(other.exitCode, 4)
  assert.is(pane.file('count'), 'x\nx\n')
})

inEachShell(
  "a person's half-typed draft is neither lost nor merged, and the same delivery works later",
  async shell => {
    const pane = await ShellUnderTest.start(shell)
    const from = pane.signals.length
    await pane.type('echo dra')
    const id = await pane.deliver('echo delivered >>~/log')
    assert.is((await pane.signal('draft', from)).deliveryId, id)
    await pane.type('ft >>~/log\r')
    assert.equal((await pane.settled(from + 1)).types, ['started', 'ended', 'ready'])
    assert.equal((await pane.turn('echo delivered >>~/log', id)).types, [
      'submitted',
      'started',
      'ended',
      'ready',
    ])
    assert.is(pane.file('log'), 'draft\ndelivered\n')
  },
)

inEachShell('a draft that is given up with Ctrl-C makes room', async shell => {
  const pane = await ShellUnderTest.start(shell)
  const from = pane.signals.length
  await pane.type('echo dra')
  await pane.deliver('true')
  await pane.signal('draft', from)
  // fish runs the key's command with Ctrl-C as an interrupt of that; once a character shows it is a key again.
  await pane.type('ft')
  await pane.shows('ft')
  await pane.type('\x03')
  assert.equal((await pane.settled(from + 1)).types, ['ready'])
  assert.is(pane.state.name, 'idle')
})

inEachShell('a prompt that does not parse is rejected, and the next one works', async shell => {
  const pane = await ShellUnderTest.start(shell)
  for (const text of posixOrFish(shell, 'if fi|)|echo a ;; b', 'end|echo )|if true; end end').split('|')) {
    const turn = await pane.turn(text, `of ${text}`)
    assert.equal(
      turn.types.filter(type => type !== 'submitted'),
      ['rejected', 'ready'],
      text,
    )
    assert.is(pane.state.name, 'done')
  }
  assert.is((await pane.turn('true')).exitCode, 0)
})

inEachShell(
  'an unfinished prompt says so, is given up with Ctrl-C and is rejected',
  async shell => {
    const pane = await ShellUnderTest.start(shell)
    for (const text of [
      'echo "open',
      'if true',
      "cat <<'X'\nno end",
      'echo a && \\',
      'echo ran\nfor i in 1',
    ]) {
      const from = pane.signals.length
      await pane.deliver(text)
      await pane.signal('unfinished', from)
      await pane.type(kind.interrupt)
      const turn = await pane.settled(from)
      assert.equal(
        turn.types.filter(type => type !== 'started'),
        ['submitted', 'unfinished', 'rejected', 'ready'],
        text,
      )
    }
    assert.is((await pane.turn('true')).exitCode, 0)
  },
  ['bash', 'zsh'],
)

inEachShell(
  'an unfinished prompt is rejected at once where the shell can tell before',
  async shell => {
    const pane = await ShellUnderTest.start(shell)
    for (const text of ['echo "open', 'if true', 'echo (', 'echo a && \\']) {
      assert.equal((await pane.turn(text)).types, ['rejected', 'ready'], text)
    }
    assert.is((await pane.turn('true')).exitCode, 0)
  },
  ['fish'],
)

inEachShell(
  'a person may leave a line unfinished: nothing is delivered into it',
  async shell => {
    const pane = await ShellUnderTest.start(shell)
    const drafts = [
      ['echo "one', 'two"'],
      ['if true; then', 'echo one; echo two; fi'],
      ['echo one; \\', 'echo two'],
      ['(echo one', 'echo two)'],
      ["cat <<'X'", 'one\rtwo\rX'],
    ]
    for (const [begin, end] of drafts) {
      const from = pane.signals.length
      const shown = pane.entries.length
      await pane.type(`${begin}\r`)
      await pane.until('the continuation is shown', () =>
        pane.entries.slice(shown).some(entry => entry.type === 'osc' && entry.text.startsWith('A;k=s')),
      )
      await pane.deliver('echo no >~/no')
      await pane.signal('draft', from)
      await pane.type(`${end}\r`)
      const turn = await pane.settled(from + 1)
      assert.equal(turn.types, ['started', 'ended', 'ready'], begin)
      assert.match(await turn.output(), /one\r\n(.*)two\r\n/s, begin)
    }
  },
  ['bash', 'zsh'],
)

inEachShell('a key that comes while a program runs is found at the next prompt', async shell => {
  const pane = await ShellUnderTest.start(shell)
  const from = pane.signals.length
  // Opening a named pipe blocks until somebody writes.
  await pane.turn('mkfifo ~/pipe')
  const next = pane.signals.length
  await pane.deliver('cat ~/pipe')
  await pane.signal('started', next)
  const id = await pane.deliver('echo late >~/late')
  writeFileSync(join(pane.home, 'pipe'), 'go on\n')
  const late = await pane.until('it is taken', () =>
    pane.signals.slice(from).find(s => s.type === 'submitted' && s.deliveryId === id),
  )
  await pane.settled(pane.signals.indexOf(late))
  assert.is(pane.file('late'), 'late\n')
})

inEachShell('a key that a program takes is harmless, and the delivery can be repeated', async shell => {
  const pane = await ShellUnderTest.start(shell)
  const from = pane.signals.length
  await pane.deliver('cat >~/eaten')
  await pane.signal('started', from)
  const id = await pane.deliver('echo again >~/again')
  await pane.type('\r\x04')
  assert.equal((await pane.settled(from)).types, ['submitted', 'started', 'ended', 'ready'])
  assert.is(pane.file('eaten'), '\x1b[9137~\x1b[9138~\n')
  assert.equal((await pane.turn('echo again >~/again', id)).types, ['submitted', 'started', 'ended', 'ready'])
  assert.is(pane.file('again'), 'again\n')
})

inEachShell('an empty inbox is no delivery', async shell => {
  const pane = await ShellUnderTest.start(shell)
  const from = pane.signals.length
  await pane.type('\x1b[9137~\x1b[9138~')
  writeFileSync(join(pane.paneDir, 'inbox'), '')
  await pane.type('\x1b[9137~\x1b[9138~tr\x1b[9138~ue\r')
  assert.equal((await pane.settled(from)).types, ['started', 'ended', 'ready'])
})

test('the inbox is for its owner only, and a NUL is refused', async () => {
  const paneDir = process.env.TMPDIR ?? '/tmp'
  await kind.deliver({deliveryId: 'd1', text: 'secret'}, {paneDir})
  assert.is(statSync(join(paneDir, 'inbox')).mode & 0o777, 0o600)
  const refused = await kind.deliver({deliveryId: 'd2', text: 'a\0b'}, {paneDir}).catch(error => error)
  assert.instance(refused, TermicError)
  assert.is(refused.code, 'input.nul')
})

test.run()
