import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {customKind} from '../../../src/plugins/agents/custom.ts'

const env = {PATH: process.env.PATH ?? ''}
const context = {paneDir: '/pane', env, cwd: '/', nonce: 'n'}

test('a custom agent runs its command as it is, with its own environment on top', async () => {
  const kind = customKind({id: 'mine', command: ['sh', '-c', 'true'], args: ['x'], env: {A: '1'}})
  assert.is(kind.signal, 'none')
  assert.is(kind.route, 'typed')
  assert.equal(await kind.launch(context), {argv: ['sh', '-c', 'true', 'x'], env: {...env, A: '1'}})
  assert.equal(customKind({id: 'mine', command: 'sh'}).summary, 'your own: sh')
})

test('its program is looked up in the PATH that it gets', async () => {
  assert.match((await customKind({id: 'mine', command: 'sh'}).find(env)) ?? '', /^\/.*\/sh$/)
  assert.is(await customKind({id: 'mine', command: 'no-such-program'}).find(env), null)
  assert.is(await customKind({id: 'mine', command: 'sh', env: {PATH: '/nowhere'}}).find(env), null)
  assert.is(await customKind({id: 'mine', command: []}).find(env), null)
})

test('a prompt is typed, as a paste where the program asked for that', async () => {
  const kind = customKind({id: 'mine', command: 'sh'})
  const prompt = {deliveryId: 'd1', text: 'hello'}
  assert.is(Buffer.from(await kind.deliver(prompt, {paneDir: '/pane'})).toString(), 'hello\r')
  const pasted = await kind.deliver(prompt, {paneDir: '/pane', bracketedPaste: true})
  assert.is(Buffer.from(pasted).toString(), '\x1b[200~hello\x1b[201~\r')
})

test('nothing is known of it but its end', () => {
  const {reader} = customKind({id: 'mine', command: 'sh'})
  const place = {seq: 1, at: 5, offset: 9}
  assert.equal(reader.read(reader.initial, {...place, type: 'osc', code: 133, text: 'B'}, {}).signals, [])
  assert.equal(
    reader.read(reader.initial, {...place, type: 'exit', code: 143, signal: 'SIGTERM'}, {}).signals,
    [
      {
        type: 'exited',
        at: 5,
        offset: 9,
        evidence: {source: 'process', at: 5, detail: 'the program ended'},
        confidence: 'exact',
        code: 143,
        signal: 'SIGTERM',
      },
    ],
  )
})

test.run()
