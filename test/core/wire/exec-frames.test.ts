import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {FrameReader, frame, packList, unpackList} from '../../../src/core/wire/exec-frames.ts'

const frames = [
  {type: 'o', payload: 'hello\n'},
  {type: 'h', payload: ''},
  {type: 'e', payload: 'grüße 日本 👩‍👩‍👧\r\n'},
  {type: 'q', payload: 'confirm\0a?'},
  {type: 'x', payload: '0'},
]
const bytes = Buffer.concat(frames.map(({type, payload}) => frame(type, payload)))

/** Everything that a reader gives for these chunks, copied, since a payload is a view of its chunk. */
function readAll(chunks: readonly Buffer[]): Array<{type: string; payload: string}> {
  const reader = new FrameReader()
  return chunks.flatMap(chunk =>
    [...reader.read(chunk)].map(({type, payload}) => ({type, payload: payload.toString()})),
  )
}

test('frames come through whole, split at every byte', () => {
  for (let at = 0; at <= bytes.length; at++)
    assert.equal(readAll([bytes.subarray(0, at), bytes.subarray(at)]), frames, `split at ${at}`)
})

test('frames come through byte by byte', () => {
  assert.equal(readAll([...bytes].map(byte => Buffer.from([byte]))), frames)
})

test('bytes that are no text come through as they are', () => {
  const payload = Buffer.from(Array.from({length: 256}, (_, byte) => byte))
  const [read] = [...new FrameReader().read(frame('I', payload))]
  assert.ok(read?.payload.equals(payload))
})

test('a frame over the limit is refused at its head, before its bytes come', () => {
  const head = Buffer.from([0x49, 0x00, 0x80, 0x00, 0x01])
  assert.throws(() => [...new FrameReader().read(head)], /8388609 bytes is over the limit of 8388608/)
  const largest = Buffer.from([0x49, 0x00, 0x80, 0x00, 0x00])
  assert.equal([...new FrameReader().read(largest)], [])
})

test('what came before a frame that is too large is still given', () => {
  const reader = new FrameReader().read(Buffer.concat([frame('h'), Buffer.from([0x49, 0xff, 0, 0, 0])]))
  assert.is(reader.next().value?.type, 'h')
  assert.throws(() => reader.next(), RangeError)
})

for (const list of [[], [''], ['', ''], ['a'], ['a', ''], ['', 'a'], ['a b', 'ü\n', '--help']]) {
  test(`the list ${JSON.stringify(list)} comes back`, () => {
    assert.equal(unpackList(Buffer.from(packList(list))), list)
  })
}

test('a list of a peer that ends no item is read too', () => {
  assert.equal(unpackList(Buffer.from('a\0b')), ['a', 'b'])
})

test.run()
