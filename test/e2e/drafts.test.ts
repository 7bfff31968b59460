import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {adopt} from '../../src/core/pane/adopt.ts'
import {readLog} from '../../src/core/pane/log-reader.ts'
import {strip} from '../../src/core/pane/strip.ts'
import {installedShells} from '../fixtures/installed-shells.ts'
import {PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

/** What a person types into pane 1, key by key as the host gets it from an attached terminal. */
async function typeIntoPane(termic: PrivateTermic, keys: string): Promise<void> {
  const adoption = await adopt(join(termic.dataDir, 'panes/1'))
  if (!('alive' in adoption)) throw new Error('pane 1 does not live')
  await using host = adoption.alive
  await host.request('input', {inputId: `person ${keys}`, data: Buffer.from(keys).toString('base64')})
}

async function shows(termic: PrivateTermic, text: string): Promise<boolean> {
  const {bytes} = await readLog(join(termic.dataDir, 'panes/1'), {offset: 0, limitBytes: 1024 * 1024})
  // fish redraws a line in coloured pieces as it is typed.
  return strip(bytes).text.includes(text)
}

for (const {name: shell, path: shellPath} of installedShells) {
  // asheshgoplani/agent-deck#1409: an automated send was merged into a person's half-typed line.
  test(`${shell}: a half-typed draft is never merged into; the prompt waits for it and goes once it is gone`, async () => {
    await using termic = new PrivateTermic({env: {SHELL: shellPath}})
    const {path: cwd} = await termic.project()
    await termic.json(['new', 'fix'], {cwd})
    await until(
      'the shell is at its prompt',
      async () => (await termic.json(['status', 'fix'])).task.state.name === 'idle',
    )
    await typeIntoPane(termic, 'echo abc')
    await until('the draft is on the screen', () => shows(termic, 'echo abc'))

    await termic.json(['send', 'fix', '-p', 'echo from-termic'])
    const queued = await until('the prompt has met the draft', async () => {
      const [first] = (await termic.json(['status', 'fix'])).task.queue
      return first?.detail === 'a person is typing' && first
    })
    assert.is(queued.state, 'queued')

    // Taken back with the erase key, which leaves no mark of any kind.
    await typeIntoPane(termic, '\x7f'.repeat('echo abc'.length))
    const {outcomes} = await termic.json(['wait', 'fix', '--timeout', '60'])
    assert.is(outcomes[0].outcome, 'done')
    assert.ok(await shows(termic, 'from-termic\r\n'))
    assert.not.ok(await shows(termic, 'abcecho'))
  })
}

test.run()
