import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {table} from '../../../src/core/text/table.ts'

test('columns are aligned, two spaces apart, and the last one is not padded', () => {
  assert.is(
    table(
      ['A', 'LONG', 'C'],
      [
        ['one', '2', 'three'],
        ['', 'x', ''],
      ],
    ),
    'A    LONG  C\none  2     three\n     x     ',
  )
})

test('wide characters, combining ones and colours take the cells that a terminal gives them', () => {
  const rows = [
    ['日本', 'x'],
    ['é'.normalize('NFD'), 'x'],
    ['\x1b[32mok\x1b[39m', 'x'],
    ['👩‍👩‍👧', 'x'],
  ]
  assert.equal(table(['NAME', 'B'], rows).split('\n').slice(1), [
    '日本  x',
    `${'é'.normalize('NFD')}     x`,
    '\x1b[32mok\x1b[39m    x',
    '👩‍👩‍👧    x',
  ])
})

test('without rows there is the header', () => {
  assert.is(table(['A', 'B'], []), 'A  B')
})

test.run()
