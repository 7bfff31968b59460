import type {AgentSignal} from '../agent/types.ts'
import type {Delivery} from '../delivery/types.ts'
import {endCommand, insertCommand, lastCommandOfPane} from '../store/commands-table.ts'
import type {Store} from '../store/store.ts'

/** Keeps the history of commands from a pane's signals; inside the running transaction. */
export function noteCommands(
  store: Store,
  pane: number,
  signal: AgentSignal,
  open: readonly Delivery[],
): void {
  if (signal.type === 'started' && signal.command !== undefined) {
    const own = open.find(({state}) => state === 'submitted' || state === 'started')
    insertCommand(store, {
      pane,
      deliveryId: own?.id,
      command: signal.command,
      startedAt: signal.at,
      startOffset: signal.offset,
    })
  }
  if (signal.type === 'ended' || signal.type === 'exited') {
    const last = lastCommandOfPane(store, pane)
    if (!last || last.endedAt !== undefined) return
    const exitCode = signal.type === 'ended' ? signal.exitCode : signal.code
    endCommand(store, last.id, {exitCode, endedAt: signal.at, endOffset: signal.offset})
  }
}
