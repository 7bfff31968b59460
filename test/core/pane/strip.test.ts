import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {foldLines, Stripper, strip} from '../../../src/core/pane/strip.ts'

const sequences: [string, string][] = [
  ['\x1b[31mred\x1b[0m', 'red'],
  ['\x1b[38:2::1:2:3mcolon\x1b[m', 'colon'],
  ['\x1b[4:3mcurly\x1b[24m', 'curly'],
  ['\x1b]0;title\x07a', 'a'],
  ['\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', 'link'],
  ['\x1b]633;E;echo é;n\x07é', 'é'],
  ['\x1bP>|term(1)\x1b\\a', 'a'],
  ['\x1bP1$r0m\x07still\x1b\\a', 'a'],
  ['\x1b_Gi=1;AAAA\x1b\\a', 'a'],
  ['\x1b^private\x1b\\a', 'a'],
  ['\x1bXstart\x1b\\a', 'a'],
  ['\x1b(Ba', 'a'],
  ['\x1b#8a', 'a'],
  ['\x1b7\x1b8\x1b=\x1b>\x1bMa', 'a'],
  ['\x1b[?2004h\x1b[>4;1m\x1b[<u\x1b[=1;1ua', 'a'],
  ['\x1b[!p\x1b[1 qa', 'a'],
  ['\u009b31mc1\u009b0m', 'c1'],
  ['\u009d0;t\u009ca', 'a'],
  ['\u0090q\u009ca', 'a'],
  ['a\u0085b', 'a\nb'],
  ['\x1b]0;a\x1b[31mb', 'b'],
  ['\x1b]0;cut\x18a', 'a'],
  ['\x1b[31\x1b[32ma', 'a'],
  ['\x1b[3\na', '\na'],
  ['a\x00\x05\x07\x0e\x0f\x7fb\tc\r\n', 'ab\tc\r\n'],
  ['é✜£🚀\u00a0', 'é✜£🚀\u00a0'],
]
const everything = Buffer.from(sequences.map(([raw]) => raw).join('\x1b[0m'))
const plain = sequences.map(([, text]) => text).join('')

test('every kind of control sequence is taken out and all text stays', () => {
  for (const [raw, text] of sequences) assert.is(strip(Buffer.from(raw)).text, text, JSON.stringify(raw))
})

test('the result is the same wherever the output is cut', () => {
  for (let cut = 0; cut <= everything.length; cut++) {
    const stripper = new Stripper()
    const text =
      stripper.push(everything.subarray(0, cut)).text + stripper.push(everything.subarray(cut)).text
    assert.is(text, plain, `cut at ${cut}`)
  }
  const stripper = new Stripper()
  assert.is([...everything].map(byte => stripper.push(Uint8Array.of(byte)).text).join(''), plain)
})

test('a reader that goes on at the bytes consumed loses nothing, sees nothing twice and never half a character', () => {
  for (let size = 1; size < 40; size++) {
    let text = ''
    let offset = 0
    for (let want = size; offset < everything.length; ) {
      const piece = strip(everything.subarray(offset, offset + want))
      text += piece.text
      offset += piece.consumed
      want = piece.consumed === 0 ? want + size : size
    }
    assert.is(text, plain, `by ${size}`)
  }
})

test('what is no UTF-8 becomes a replacement character and nothing else is lost', () => {
  assert.is(strip(Buffer.from([0x61, 0xff, 0x62, 0xc3, 0x28, 0x63])).text, 'a\ufffdb\ufffd(c')
  assert.is(strip(Buffer.from([0xe2, 0x82, 0x1b, 0x5b, 0x6d, 0x61])).text, '\ufffda')
})

test('a sequence that never ends costs 64 KiB, not the rest', () => {
  const {text, consumed} = strip(Buffer.from(`a\x1b]0;${'x'.repeat(70_000)}b`))
  assert.ok(text.startsWith('ax') && text.endsWith('b') && text.length < 5_000)
  assert.is(consumed, 70_006)
})

test('progress bars are folded to what a terminal shows last', () => {
  const fold = (raw: string): string => foldLines(strip(Buffer.from(raw), {forFolding: true}).text)
  assert.is(fold('10%\r50%\r100%\ndone\r\n'), '100%\ndone\n')
  assert.is(fold('downloading\rok\n'), 'okwnloading\n')
  assert.is(fold('downloading\r\x1b[Kok\n'), 'ok\n')
  assert.is(fold('downloading\x1b[2K\x1b[1Gok\r\n'), 'ok\n')
  assert.is(fold('|\b/\b-\bdone'), 'done')
  assert.is(fold('abc\b\b\x1b[1Kx'), ' xc')
  assert.is(fold('né✜\rö'), 'öé✜')
  assert.is(foldLines(strip(Buffer.from('plain\x0e\r\n')).text), 'plain\n')
})

test.run()
