import {mkdirSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {cliWords, describeCommands, Registry} from '../../../src/core/registry/registry.ts'
import {scanCommands} from '../../../src/core/registry/scan-commands.ts'
import {unknownVerb} from '../../../src/core/registry/unknown-verb.ts'
import {privateDir} from '../../fixtures/private-dir.ts'

const verb = `export default class { static brand = Symbol.for('termic.verb/1'); static summary = 'a verb' }\n`
const plain = `export default class { static summary = 'a plain command' }\n`

/** A program of commands at these places; the sources are what the registry would find in a bundle. */
function programOf(files: Record<string, string>): string {
  const root = privateDir()
  writeFileSync(join(root, 'package.json'), '{"type": "module"}')
  for (const [file, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), {recursive: true})
    writeFileSync(join(root, file), source)
  }
  return root
}

function withAliases(...aliases: string[]): string {
  return verb.replace('static summary', `static aliases = ${JSON.stringify(aliases)}; static summary`)
}

async function failure(files: Record<string, string>): Promise<string> {
  const error = await Registry.open(programOf(files)).catch((error: Error) => error)
  assert.instance(error, Error)
  return (error as Error).message
}

test('ids come from the places of the files', () => {
  const root = programOf({
    ...{
      'commands/history.js': verb,
      'commands/task/new.js': verb,
      'commands/task/new.d.ts': '',
      'commands/notes.md': '',
    },
    ...{
      'plugins/pane/commands/pane/read-output.js': verb,
      'plugins/pane/pane.js': '',
      'plugins/agents/shell.js': '',
    },
  })
  assert.equal(
    scanCommands(root).map(({id, plugin}) => `${plugin}: ${id}`),
    ['core: history', 'core: task.new', 'pane: pane.read-output'],
  )
})

test('the words of the CLI leave the topic task out', () => {
  assert.equal(['task.new', 'project.add', 'history'].map(cliWords), ['new', 'project add', 'history'])
})

test('a command is a verb or runs in the client, by its brand', async () => {
  const entries = await describeCommands(programOf({'commands/a.js': verb, 'commands/b.js': plain}))
  assert.equal(
    entries.map(({id, local, summary, plugin, file}) => [id, local, summary, plugin, file]),
    [
      ['a', false, 'a verb', 'core', 'commands/a.js'],
      ['b', true, 'a plain command', 'core', 'commands/b.js'],
    ],
  )
})

test('the longest match wins, the topic task may be said, and aliases stand beside their command', async () => {
  const registry = await Registry.open(
    programOf({
      'commands/task/list.js': withAliases('ls', 'show all'),
      'commands/tab.js': verb,
      'commands/tab/close.js': withAliases('end'),
      'commands/version.js': withAliases('--version'),
    }),
  )
  const idOf = (...words: string[]) => {
    const found = registry.match(words)
    return found && `${found.entry.id} ${found.taken}`
  }
  assert.is(idOf('list', 'x'), 'task.list 1')
  assert.is(idOf('task', 'list', 'x'), 'task.list 2')
  assert.is(idOf('ls'), 'task.list 1')
  assert.is(idOf('task', 'ls'), 'task.list 2')
  assert.is(idOf('show', 'all'), 'task.list 2')
  assert.is(idOf('tab', 'close'), 'tab.close 2')
  assert.is(idOf('tab', 'end'), 'tab.close 2')
  assert.is(idOf('tab', 'x'), 'tab 1')
  assert.is(idOf('--version'), 'version 1')
  assert.is(idOf('end'), undefined)
  assert.is(idOf('nope', 'list'), undefined)
  assert.is(idOf(), undefined)
})

test('two commands of one id are refused with both names', async () => {
  const message = await failure({
    'commands/project/add.js': verb,
    'plugins/project/commands/project/add.js': verb,
  })
  assert.is(
    message,
    'two commands claim "termic project add": core (commands/project/add.js) and project (plugins/project/commands/project/add.js)',
  )
})

test('an alias that is another command, or its alias, is refused with both names', async () => {
  assert.match(
    await failure({'commands/task/list.js': withAliases('ls'), 'commands/task/ls.js': verb}),
    /^two commands claim "termic task ls": core \(commands\/task\/list\.js\) and core \(commands\/task\/ls\.js\)$/,
  )
  assert.match(
    await failure({'commands/a.js': withAliases('x'), 'plugins/p/commands/b.js': withAliases('x')}),
    /^two commands claim "termic x": core \(commands\/a\.js\) and p \(plugins\/p\/commands\/b\.js\)$/,
  )
})

test('a command at the root and one of the topic task cannot share a spelling', async () => {
  assert.match(
    await failure({'commands/list.js': verb, 'commands/task/list.js': verb}),
    /^two commands claim "termic list": /,
  )
})

test('a file without a command is refused by its name', async () => {
  assert.match(
    await failure({'commands/a.js': 'export const x = 1\n'}),
    /a\.js exports no command as its default$/,
  )
})

test('a manifest is believed, and a verb is imported by its first call alone', async () => {
  const root = programOf({'commands/a.js': verb, 'commands/broken.js': 'throw new Error("imported")\n'})
  const entry = (id: string) => ({
    id,
    plugin: 'core',
    file: `commands/${id}.js`,
    summary: '',
    aliases: [],
    local: false,
  })
  writeFileSync(join(root, 'manifest.json'), JSON.stringify([entry('a'), entry('broken')]))
  const registry = await Registry.open(root)
  assert.is((await registry.verb('a'))?.id, 'a')
  assert.is(await registry.verb('a'), await registry.verb('a'))
  assert.is(await registry.verb('b'), undefined)
  const error: unknown = await registry.verb('broken').catch((error: unknown) => error)
  assert.match((error as Error).message, /imported/)
})

test('an id is no name that every object has', async () => {
  const registry = await Registry.open(programOf({'commands/a.js': verb}))
  for (const id of ['constructor', '__proto__', 'toString'])
    assert.equal([await registry.verb(id), registry.match([id])], [undefined, undefined])
})

test('an unknown verb is answered with what it may have been', async () => {
  const registry = await Registry.open(
    programOf({
      'commands/task/status.js': verb,
      'commands/project/add.js': verb,
      'commands/project/list.js': verb,
    }),
  )
  assert.equal(unknownVerb(registry, ['statsu']), {verb: 'statsu', hint: ' (did you mean status?)'})
  assert.equal(unknownVerb(registry, ['project', 'ad', 'x']), {
    verb: 'project ad',
    hint: ' (project has add, list)',
  })
  assert.equal(unknownVerb(registry, ['zzz']), {verb: 'zzz', hint: ''})
})

test.run()
