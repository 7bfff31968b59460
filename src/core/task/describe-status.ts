import {spanText} from '../duration.ts'
import type {TaskStatus} from '../results.ts'
import type {View} from '../verb/verb.ts'
import {diffCell} from './diff-cell.ts'
import {stateText} from './state-text.ts'

/** Everything about a task, as `key  value` lines. */
export function describeStatus(task: TaskStatus, view: View): string {
  const {evidence, confidence} = task.state
  const ago = spanText(view.now - evidence.at)
  const lines: Array<[string, string]> = [
    ['name', task.name],
    ['project', task.project],
    ['agent', task.agent],
    ['state', stateText(task, view)],
    ['evidence', `${evidence.detail} (${evidence.source}, ${confidence}, ${ago} ago)`],
    ['branch', `${task.branch} (from ${task.base})`],
    ['head', headText(task)],
    ['path', task.path + (task.missing ? ' (missing)' : '')],
    ['uncommitted', dirtyText(task)],
    ['diff', task.diff.error && !task.missing ? `unknown: ${task.diff.error}` : diffCell(task)],
    ...task.tabs.flatMap(tab =>
      tab.panes.map((pane): [string, string] => [
        `tab ${tab.number}`,
        `${tab.title} ${pane.pane}: ${stateText(pane, view)}`,
      ]),
    ),
    ...task.queue.map((delivery): [string, string] => [
      'queue',
      `${delivery.id} ${delivery.state}${delivery.detail ? ` (${delivery.detail})` : ''}`,
    ]),
    ...(task.lastDelivery && task.queue.length === 0 ? [lastText(task.lastDelivery)] : []),
    ['started by', task.startedBy],
    ['created', `${spanText(view.now - task.createdAt)} ago`],
    ['id', task.id],
  ]
  return lines.map(([key, value]) => key.padEnd(13) + value).join('\n')
}

function headText({head, branch}: TaskStatus): string {
  if (!head) return 'unknown'
  const commit = head.commit.slice(0, 10)
  if (head.branch === null) return `${commit} (detached)`
  return head.branch === branch ? commit : `${commit} on ${head.branch}, not on the task's branch`
}

function dirtyText({dirty}: TaskStatus): string {
  if (!dirty) return 'unknown'
  if (dirty.changed + dirty.untracked === 0) return 'nothing'
  return `${dirty.changed} changed, ${dirty.untracked} untracked`
}

function lastText({id, state, exitCode, reason}: NonNullable<TaskStatus['lastDelivery']>): [string, string] {
  const more = [...(exitCode === undefined ? [] : [`exit code ${exitCode}`]), ...(reason ? [reason] : [])]
  return ['last prompt', `${id} ${state}${more.length > 0 ? ` (${more.join(', ')})` : ''}`]
}
