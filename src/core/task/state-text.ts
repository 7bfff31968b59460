import {styleText} from 'node:util'
import {spanText} from '../duration.ts'
import type {AgentStateResult} from '../results.ts'
import type {View} from '../verb/verb.ts'

const colours = {
  working: 'blue',
  waiting: 'yellow',
  done: 'green',
  lost: 'red',
  exited: 'gray',
  inactive: 'gray',
  starting: 'cyan',
} as const

/** A state in a table: `working 3 min`, `done, 1 queued`, `exited (1)`. */
export function stateText(
  {state, queued = 0}: {state: AgentStateResult; queued?: number},
  {now, color}: View,
): string {
  const {name, since, exitCode, waitingFor, confidence} = state
  const words = [
    name + (confidence === 'heuristic' ? '?' : ''),
    ...(waitingFor ? [`for ${waitingFor}`] : []),
    ...(name === 'exited' && exitCode !== undefined ? [`(${exitCode})`] : []),
    ...(name === 'working' || name === 'waiting' ? [spanText(now - since)] : []),
  ]
  const text = words.join(' ') + (queued > 0 ? `, ${queued} queued` : '')
  return color && name in colours
    ? styleText(colours[name as keyof typeof colours], text, {validateStream: false})
    : text
}
