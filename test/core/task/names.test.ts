import {promisify} from 'node:util'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {execFile} from '../../../src/core/child-process.ts'
import {TermicError} from '../../../src/core/errors.ts'
import {
  branchOf,
  decodeDirectory,
  derivedName,
  directoryOf,
  isName,
  nameKey,
} from '../../../src/core/task/names.ts'

/** A small reproducible source of chance (mulberry32), so that a failure can be run again. */
function chance(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const alphabet = [
  ...'abAB01--__..//++==pe@{}~^:?*[\\ \t"\'`$&;|<>#%!,()',
  'é',
  'e\u0301',
  '\u0301',
  '\u0338',
  '≠',
  'ß',
  'İ',
  'ς',
  '日',
  '🚀',
  '👩‍💻',
  '\u202e',
  '.lock',
  'HEAD',
  '\n',
  '\0',
  '\ud800',
  'K',
]

function randomNames(count: number, seed = 1): string[] {
  const next = chance(seed)
  return Array.from({length: count}, () =>
    Array.from(
      {length: 1 + Math.floor(next() * 9)},
      () => alphabet[Math.floor(next() * alphabet.length)],
    ).join(''),
  )
}

function reasonOf(name: string): string {
  try {
    return `branch ${branchOf(name)}`
  } catch (error) {
    if (error instanceof TermicError && error.code === 'task.bad-name') return String(error.data.reason)
    throw error
  }
}

test('names differ by neither case nor composition', () => {
  assert.is(nameKey('Fix'), nameKey('fIX'))
  assert.is(nameKey('caf\u00e9'), nameKey('CAFE\u0301'))
  assert.is(nameKey('Straße'), nameKey('STRASSE'))
  assert.is.not(nameKey('fix'), nameKey('fix-2'))
})

test('the key of a key is the key', () => {
  for (const name of randomNames(3_000))
    assert.is(nameKey(nameKey(name)), nameKey(name), JSON.stringify(name))
})

// appandflow/stim#289, t3code#6428
test('a branch keeps the name verbatim where git allows it', () => {
  for (const name of [
    'fix/login',
    'feat/a-b',
    'Fix_1.2',
    "it's",
    'a@b',
    'a=b+c',
    '日本',
    '🚀',
    'x{1}',
    '#12',
    'a.lockx',
    'a/-b',
  ])
    assert.is(branchOf(name), name)
})

test('spaces become hyphens, and those around a name are dropped', () => {
  assert.is(branchOf('  fix the\u00a0 login '), 'fix-the-login')
})

test('a decomposed name gives the composed branch', () => {
  assert.is(branchOf('cafe\u0301'), 'caf\u00e9')
})

// smtg-ai/claude-squad#220
for (const [name, reason] of [
  ['', 'it is empty'],
  ['  ', 'it is empty'],
  ['..', '".."'],
  ['a..b', '".."'],
  ['.lock', 'begin with "."'],
  ['x.lock', '".lock"'],
  ['x.lock/y', '".lock"'],
  ['x/.y', 'begin with "."'],
  ['-x', 'option'],
  ['HEAD', 'HEAD'],
  ['head', 'HEAD'],
  ['A\\B', 'backslash'],
  ['a@{b', '"@"'],
  ['@', '"@"'],
  ['a:b', '~ ^ : ? * ['],
  ['/a', '"/"'],
  ['a/', '"/"'],
  ['a//b', '"/"'],
  ['a.', 'ends with "."'],
  ['a\nb', 'control'],
  ['a\0b', 'control'],
  ['a\u202eb', 'direction'],
  ['\ud800', 'Unicode'],
  ['refs/heads/x', 'refs/'],
  ['0123456789012345678901234567890123456789', 'commit'],
  ['_', 'no letter'],
  ['\u200d', 'no letter'],
  ['x'.repeat(241), 'longer than'],
  ['日'.repeat(81), 'longer than'],
] as const) {
  test(`${JSON.stringify(name).slice(0, 30)} cannot name a task, with the reason`, () => {
    assert.match(reasonOf(name), reason)
    assert.not(isName(name))
  })
}

test('every accepted name is a branch for git, and a directory that is one step', async () => {
  const branches = randomNames(40_000, 2).filter(isName).map(branchOf)
  assert.ok(branches.length > 1_000)
  const sample = [...new Set(branches)].slice(0, 150)
  const run = promisify(execFile)
  for (const branch of sample) await run('git', ['check-ref-format', '--branch', branch])
  for (const branch of branches) {
    const directory = directoryOf(branch)
    assert.not.match(directory, /[/\0]/)
    assert.ok(directory !== '' && directory !== '.' && directory !== '..' && !directory.startsWith('-'))
    assert.ok(Buffer.byteLength(directory) <= 255)
  }
})

test('a directory reads like its branch and gives it back', () => {
  assert.is(directoryOf('fix-login'), 'fix-login')
  assert.is(directoryOf('fix/login'), 'fix+login')
  assert.is(directoryOf('c++=x'), 'c=p=p=ex')
  for (const branch of randomNames(40_000, 3).filter(isName).map(branchOf))
    assert.is(decodeDirectory(directoryOf(branch)), branch, JSON.stringify(branch))
})

test('no two branches share a directory, not even where composed and decomposed names are one', () => {
  assert.is.not(directoryOf('feat/a-b'), directoryOf('feat-a/b'))
  const seen = new Map<string, string>()
  for (const branch of randomNames(60_000, 4).filter(isName).map(branchOf)) {
    const directory = directoryOf(branch).normalize('NFD')
    assert.is(seen.get(directory) ?? branch, branch)
    seen.set(directory, branch)
  }
})

test('a directory that no branch has is not decoded', () => {
  for (const directory of ['a/b', 'a=', 'a=x']) assert.is(decodeDirectory(directory), undefined)
})

test('a derived name is the branch, or the first words of a prompt', () => {
  const free = () => false
  assert.is(derivedName('feat/x', free), 'feat/x')
  assert.is(
    derivedName('Fix the login page, please: it fails on Tuesdays', free),
    'fix-the-login-page-please-it',
  )
  assert.is(derivedName('¿Qué pasa aquí?', free), 'qué-pasa-aquí')
  assert.is(derivedName('?!', free), 'task')
  assert.is(derivedName('', free), 'task')
  assert.is(derivedName('HEAD', free), 'task')
  assert.is([...derivedName(`${'🚀x'.repeat(5)} ${'y'.repeat(500)}`, free)].length < 60, true)
})

test('a derived name that is taken is numbered', () => {
  const taken = new Set(['fix', 'fix-2'].map(nameKey))
  assert.is(
    derivedName('Fix', key => taken.has(key)),
    'Fix-3',
  )
  const long = 'x'.repeat(240)
  assert.is(
    derivedName(long, key => key === nameKey(long)),
    `${'x'.repeat(238)}-2`,
  )
})

test('any prompt gives a usable name', () => {
  for (const prompt of randomNames(5_000, 5))
    assert.ok(isName(derivedName(prompt, () => false)), JSON.stringify(prompt))
})

test.run()
