import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {typedPrompt} from '../../../src/core/agent/typed-prompt.ts'

const keys = (text: string, bracketedPaste?: boolean) =>
  Buffer.from(typedPrompt(text, {bracketedPaste})).toString()

test('a text is typed as it is, with Enter', () => {
  assert.is(keys('a\tb\nc é\x1b[A'), 'a\tb\nc é\x1b[A\r')
})

test('a program with bracketed paste gets one paste, and Enter alone', () => {
  assert.is(keys('a\tb\nc é 日本', true), '\x1b[200~a\tb\nc é 日本\x1b[201~\r')
})

test('nothing in a paste can end it or act as a key', () => {
  assert.is(keys('a\x1b[201~b\x03c\x1b[A d\r\ne\x9b201~f\x7f', true), '\x1b[200~abc[A d\ne201~f\x1b[201~\r')
  assert.is(keys('x\x1b[20\x1b[201~1~y', true), '\x1b[200~x[201~y\x1b[201~\r')
})

test.run()
