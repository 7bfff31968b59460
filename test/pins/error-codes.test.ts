import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {type ErrorCode, errorTable} from '../../src/core/errors.ts'
import {rpcCodeOf} from '../../src/presentations/socket/rpc-code.ts'

/** Code, exit code, JSON-RPC code. Scripts branch on these: a line may be added, none may change. */
const pinned: ReadonlyArray<readonly [code: string, exit: number, rpc: number]> = [
  ['usage.invalid', 2, -32602],
  ['usage.unknown-verb', 2, -32601],
  ['confirm.declined', 1, -32000],
  ['confirm.no-terminal', 1, -32000],
  ['input.empty-prompt', 1, -32000],
  ['input.nul', 1, -32000],
  ['input.too-large', 1, -32000],
  ['input.not-text', 1, -32000],
  ['input.cut-off', 1, -32000],
  ['output.too-large', 1, -32000],
  ['unsupported', 1, -32000],
  ['internal', 1, -32000],
  ['daemon.not-running', 4, -32000],
  ['daemon.start-failed', 4, -32000],
  ['daemon.stopping', 8, -32000],
  ['daemon.lost', 8, -32000],
  ['cli.disabled', 5, -32000],
  ['auth.refused', 6, -32000],
  ['auth.scope', 6, -32000],
  ['version.client-older', 1, -32000],
  ['version.daemon-older', 1, -32000],
  ['data.unusable', 4, -32000],
  ['data.newer', 4, -32000],
  ['data.corrupt', 4, -32000],
  ['data.full', 1, -32000],
  ['data.read-only', 1, -32000],
  ['socket.path-too-long', 4, -32000],
  ['socket.refused', 6, -32000],
  ['settings.invalid', 1, -32000],
  ['settings.unknown-key', 1, -32000],
  ['settings.bad-value', 1, -32000],
  ['project.not-found', 1, -32000],
  ['project.unregistered', 1, -32000],
  ['project.not-git', 1, -32000],
  ['project.name-taken', 1, -32000],
  ['project.has-tasks', 1, -32000],
  ['task.not-found', 1, -32000],
  ['task.ambiguous', 1, -32000],
  ['task.required', 1, -32000],
  ['task.name-taken', 1, -32000],
  ['task.bad-name', 1, -32000],
  ['task.branch-conflict', 1, -32000],
  ['task.branch-exists', 1, -32000],
  ['task.branch-in-use', 1, -32000],
  ['task.place-taken', 1, -32000],
  ['task.no-commits', 1, -32000],
  ['task.bad-base', 1, -32000],
  ['task.missing', 1, -32000],
  ['task.unsaved-work', 1, -32000],
  ['task.processes-remain', 1, -32000],
  ['task.archived', 1, -32000],
  ['task.create-failed', 1, -32000],
  ['pane.lost', 1, -32000],
  ['pane.limit', 1, -32000],
  ['pane.start-failed', 1, -32000],
  ['tab.not-found', 1, -32000],
  ['agent.not-found', 1, -32000],
  ['agent.unsupported', 1, -32000],
  ['agent.not-installed', 1, -32000],
  ['agent.none', 1, -32000],
  ['agent.no-session', 1, -32000],
  ['agent.running', 1, -32000],
  ['agent.no-signal', 1, -32000],
  ['agent.gone', 1, -32000],
  ['delivery.not-found', 1, -32000],
  ['delivery.none-failed', 1, -32000],
  ['delivery.id-taken', 1, -32000],
  ['git.locked', 1, -32000],
  ['git.missing', 1, -32000],
  ['git.failed', 1, -32000],
  ['git.timeout', 1, -32000],
]

test('error codes, their exit codes and their JSON-RPC codes are these', () => {
  const found = Object.entries(errorTable).map(([code, {exit}]) => [code, exit, rpcCodeOf(code as ErrorCode)])
  assert.equal(byCode(found), byCode(pinned))
})

test('a sentence begins with what happened and ends without a full stop', () => {
  const odd = Object.entries(errorTable).filter(([, {sentence}]) => /^[A-Z]|\.$|\n/.test(sentence))
  assert.equal(odd, [])
})

function byCode(rows: ReadonlyArray<readonly unknown[]>): unknown[] {
  return [...rows].sort((a, b) => String(a[0]).localeCompare(String(b[0])))
}

test.run()
