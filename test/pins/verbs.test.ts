import {fileURLToPath} from 'node:url'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {globalFlags} from '../../src/core/help/global-flags.ts'
import {cliWords, Registry} from '../../src/core/registry/registry.ts'
import {control} from '../../src/presentations/socket/control.ts'

/**
 * Socket method, CLI spellings, who may, MCP tool (– for none), the hints read-only, destructive, idempotent and open
 * world, and the exit codes beyond the common ones. A line may be added; none may change what scripts and models rely on.
 */
const verbs: ReadonlyArray<
  readonly [id: string, cli: string, scope: string, mcp: string, hints: string, exits: string]
> = [
  ['agents', 'agents', 'scoped', 'task_agents', 'yes no yes no', ''],
  ['config.get', 'config get', 'full', '–', 'yes no yes no', ''],
  ['config.list', 'config list', 'full', '–', 'yes no yes no', ''],
  ['config.set', 'config set', 'full', '–', 'no no yes no', ''],
  ['config.unset', 'config unset', 'full', '–', 'no no yes no', ''],
  ['events', 'events', 'full', '–', 'yes no yes no', ''],
  ['project.add', 'project add', 'full', 'project_add', 'no no yes no', ''],
  ['project.list', 'project list', 'full', 'project_list', 'yes no yes no', ''],
  ['project.remove', 'project remove', 'full', 'project_remove', 'no yes no no', ''],
  ['task.archive', 'archive', 'full', 'task_archive', 'no yes no no', ''],
  ['task.diff', 'diff', 'scoped', 'task_diff', 'yes no yes no', ''],
  ['task.env', 'env', 'full', '–', 'yes no yes no', ''],
  ['task.list', 'list, ls', 'full', 'task_list', 'yes no yes no', ''],
  ['task.log', 'log, logs', 'scoped', 'task_log', 'yes no yes no', ''],
  ['task.new', 'new', 'scoped', 'task_new', 'no no no yes', '3 7 9'],
  ['task.path', 'path', 'full', '–', 'yes no yes no', ''],
  ['task.send', 'send', 'scoped', 'task_send', 'no no no yes', '3 7 9'],
  ['task.status', 'status', 'scoped', 'task_status', 'yes no yes no', ''],
  ['task.wait', 'wait', 'scoped', 'task_wait', 'yes no yes no', '3 7 9'],
  ['whoami', 'whoami', 'scoped', 'whoami', 'yes no yes no', ''],
]

/** Plain commands: they run in the client, whatever the daemon does. */
const local: readonly string[] = [
  'daemon restart',
  'daemon start',
  'daemon status',
  'daemon stop',
  'help',
  'quit',
  'version',
]

const registry = await Registry.open(fileURLToPath(new URL('../../src', import.meta.url)))

test('verbs are called, spelled, allowed, annotated and exposed like this', async () => {
  const loaded = await registry.verbs()
  const found = loaded.map(({id, entry, command, mcp}) => {
    const {readOnlyHint, destructiveHint, idempotentHint, openWorldHint} = command.annotations
    const hints = [readOnlyHint, destructiveHint, idempotentHint, openWorldHint]
    return [
      id,
      [cliWords(id), ...entry.aliases].join(', '),
      command.scope,
      typeof mcp === 'string' ? mcp : '–',
      hints.map(hint => (hint ? 'yes' : 'no')).join(' '),
      command.exits.join(' '),
    ]
  })
  assert.equal(found.sort(byFirst), [...verbs].sort(byFirst))
})

test('every verb that is no MCP tool says why', async () => {
  const excluded = (await registry.verbs()).map(({mcp}) => mcp).filter(mcp => typeof mcp !== 'string')
  assert.ok(excluded.length > 0)
  assert.equal(
    excluded.filter(({excluded}) => excluded.trim() === ''),
    [],
  )
})

test('MCP names are snake_case and unique', async () => {
  const names = (await registry.verbs()).map(({mcp}) => mcp).filter(mcp => typeof mcp === 'string')
  assert.equal(
    names.filter(name => !/^[a-z]+(_[a-z]+)*$/.test(name)),
    [],
  )
  assert.is(new Set(names).size, names.length)
})

test('these verbs answer while the CLI is switched off', async () => {
  const answering = (await registry.verbs()).filter(({command}) => command.whileDisabled).map(({id}) => id)
  assert.equal(answering.sort(), ['config.get', 'config.list', 'config.set', 'config.unset'])
})

test('these commands run in the client', () => {
  const found = [...registry.entries.values()].filter(entry => entry.local).map(({id}) => cliWords(id))
  assert.equal(found.sort(), local)
})

test('these methods steer the daemon itself', () => {
  assert.equal(Object.keys(control).sort(), ['daemon.quit', 'daemon.status', 'daemon.stop'])
})

test('flags of every command', () => {
  assert.equal(
    globalFlags.map(({flag, short, value}) => [flag, short, value]),
    [
      ['--output-format', null, 'text|json|stream-json'],
      ['--json', null, null],
      ['--no-launch', null, null],
      ['--help', '-h', null],
    ],
  )
})

function byFirst(a: readonly string[], b: readonly string[]): number {
  return String(a[0]).localeCompare(String(b[0]))
}

test.run()
