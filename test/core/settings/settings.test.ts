import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {dirname, join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {Settings} from '../../../src/core/settings/settings.ts'
import {patterns} from '../../../src/core/settings/settings-schema.ts'
import {privateDir} from '../../fixtures/private-dir.ts'
import {codeOf, thrown} from '../../fixtures/thrown.ts'

function newSettings(content?: string) {
  const path = join(privateDir(), 'settings.json')
  if (content !== undefined) writeFileSync(path, content)
  const stored = () => JSON.parse(readFileSync(path, 'utf8'))
  return {path, settings: new Settings(path), stored}
}

test('without a file every setting has its default, and says what it is for', () => {
  const {settings} = newSettings()
  assert.equal(
    settings.list().map(({key, value, source}) => [key, value, source]),
    [
      ['cli.enabled', true, 'default'],
      ['tasksPath', '~/termic/tasks', 'default'],
      ['agent', 'shell', 'default'],
      ['log.limitBytes', 268_435_456, 'default'],
      ['limits.livePanes', 100, 'default'],
    ],
  )
  assert.ok(settings.list().every(({about}) => about.length > 10))
})

test('what was set is read back, by another reader too, and the file is private', () => {
  const {path, settings} = newSettings()
  settings.set('cli.enabled', false)
  assert.is(settings.get('cli.enabled'), false)
  const {value, source} = new Settings(path).entry('cli.enabled')
  assert.equal([value, source], [false, 'set'])
  assert.is(statSync(path).mode & 0o777, 0o600)
  assert.equal(readdirSync(dirname(path)), ['settings.json'])
})

test('text is read by what the setting takes', () => {
  const {settings} = newSettings()
  for (const [text, value] of [
    ['true', true],
    ['off', false],
    ['Yes', true],
  ] as const) {
    assert.is(settings.set('cli.enabled', text).value, value)
  }
  assert.is(settings.set('agent', 'true').value, 'true')
  assert.is(settings.set('log.limitBytes', '2000000').value, 2_000_000)
  assert.equal(settings.set('agents.mine.command', 'my-agent --fast').value, ['my-agent', '--fast'])
  assert.equal(settings.set('agents.mine.command', '["sh", "-c", "a b"]').value, ['sh', '-c', 'a b'])
  assert.equal(settings.set('agents.mine.command', ['a', 'b c']).value, ['a', 'b c'])
})

test('a value that does not fit changes nothing and says why', () => {
  const {settings} = newSettings()
  const refusal = (key: string, value: unknown) => thrown(() => settings.set(key, value)).message
  assert.match(
    refusal('cli.enabled', 'perhaps'),
    /"perhaps" does not fit the setting cli\.enabled: it takes true or false/,
  )
  assert.match(refusal('log.limitBytes', '1.5'), /it takes a whole number/)
  assert.match(refusal('log.limitBytes', '1'), /expected number to be >=1048576/)
  assert.match(refusal('agent', ''), /does not fit/)
  assert.match(refusal('agents.mine.command', ''), /does not fit/)
  assert.match(refusal('agents.mine.command', 'sh -c "a b"'), /or a JSON array/)
  assert.match(refusal('agents.mine.command', '[1]'), /expected string, received number/)
  assert.match(refusal('agent', null), /a value is needed/)
  assert.ok(settings.list().every(({source}) => source === 'default'))
})

test('an unknown key is refused with the nearest one', () => {
  const {settings} = newSettings()
  assert.match(
    thrown(() => settings.set('cli.enabeld', 'true')).message,
    /no setting "cli\.enabeld" \(did you mean "cli\.enabled"\?\)/,
  )
  for (const key of [
    '',
    'cli',
    'cli.enabled.x',
    'agents.x',
    'agents.A B.command',
    'agents.__proto__.command',
    'toString',
  ]) {
    assert.is(
      codeOf(() => settings.entry(key)),
      'settings.unknown-key',
    )
  }
})

test('a setting that was taken back has its default, and leaves no empty object', () => {
  const {settings, stored} = newSettings('{"theirs": 1}')
  settings.set('agents.mine.command', 'x')
  assert.equal(Object.keys(settings.agents()), ['mine'])
  assert.ok(settings.unset('agents.mine.command'))
  assert.not(settings.unset('agents.mine.command'))
  assert.equal(stored(), {theirs: 1})
  assert.equal(settings.agents(), {})
})

test('keys that this version does not know stay in the file', () => {
  const {settings, stored} = newSettings('{"cli": {"colour": "red"}, "future": [1, {"a": null}]}')
  settings.set('cli.enabled', 'no')
  assert.equal(stored(), {cli: {colour: 'red', enabled: false}, future: [1, {a: null}]})
})

// Two sections of the first termic's settings each saved a stale copy of the whole file and undid one another.
test('two that change different settings both keep theirs', () => {
  const {path, settings} = newSettings()
  const other = new Settings(path)
  settings.get('agent')
  other.get('agent')
  for (let i = 0; i < 20; i++) {
    settings.set('agent', `a${i}`)
    other.set('tasksPath', `/t${i}`)
  }
  assert.equal([settings.get('agent'), settings.get('tasksPath')], ['a19', '/t19'])
})

test('an edit by hand counts at the next look, one of the same size and time too', () => {
  const {path, settings} = newSettings('{"agent": "one"}')
  assert.is(settings.get('agent'), 'one')
  const {atime, mtime} = statSync(path)
  writeFileSync(path, '{"agent": "two"}')
  utimesSync(path, atime, mtime)
  assert.is(settings.get('agent'), 'two')
})

test('a file that is not JSON is named with its line, and nothing goes on with defaults', () => {
  for (const [content, line] of [
    ['', 1],
    ['{\n  "agent": sh\n}', 2],
    ['{\n  "agent": "sh",\n}', 3],
    ['{\n  "agent": "sh"\n  "tasksPath": "/t"\n}\n', 3],
    ['{\n  "agent": "sh"\n\n\n', 2],
    ["{'agent': 1}", 1],
    ['{"agent": "sh"}\n// more', 2],
  ] as const) {
    const {path, settings} = newSettings(content)
    const {code, message} = thrown(() => settings.get('agent'))
    assert.is(code, 'settings.invalid')
    assert.ok(message.startsWith(`${path} is not valid: line ${line} is no JSON`), message)
    assert.is(
      codeOf(() => settings.set('agent', 'shell')),
      'settings.invalid',
    )
    assert.is(readFileSync(path, 'utf8'), content)
  }
  assert.match(thrown(() => newSettings('[1]').settings.get('agent')).message, /does not begin a JSON object/)
})

test('a value of the wrong type is named with its line, and only stops who asks for it', () => {
  const {settings} = newSettings(
    '{\n  "list": ["cli", {"enabled": 1}],\n  "cli": {\n    "enabled": "yes"\n  },\n  "log": 5\n}',
  )
  assert.match(
    thrown(() => settings.get('cli.enabled')).message,
    /cli\.enabled in line 4: expected boolean, received string/,
  )
  assert.match(thrown(() => settings.get('log.limitBytes')).message, /log in line 6: expected an object/)
  assert.is(settings.get('agent'), 'shell')
  settings.set('cli.enabled', 'true')
  assert.is(settings.get('cli.enabled'), true)
})

test('a file that is a link stays one', () => {
  const dir = privateDir()
  writeFileSync(join(dir, 'dotfile'), '{}')
  symlinkSync('dotfile', join(dir, 'settings.json'))
  new Settings(join(dir, 'settings.json')).set('agent', 'mine')
  assert.ok(lstatSync(join(dir, 'settings.json')).isSymbolicLink())
  assert.match(readFileSync(join(dir, 'dotfile'), 'utf8'), /mine/)
})

test('what a death in the middle of a write left behind stops no later write', () => {
  const {path, settings} = newSettings()
  writeFileSync(`${path}.new`, '{"half')
  chmodSync(`${path}.new`, 0o444)
  settings.set('agent', 'mine')
  assert.is(settings.get('agent'), 'mine')
  assert.equal(readdirSync(dirname(path)), ['settings.json'])
})

test('the keys are these (a key that is set somewhere is never taken away)', () => {
  assert.equal(patterns, [
    'cli.enabled',
    'tasksPath',
    'agent',
    'log.limitBytes',
    'limits.livePanes',
    'agents.<id>.command',
  ])
})

test.run()
