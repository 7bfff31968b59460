/** `queued → written → submitted → started → settled | failed(reason)`; one row each in the store, FIFO per pane. */
export type DeliveryStateName = 'queued' | 'written' | 'submitted' | 'started' | 'settled' | 'failed'

export type DeliveryFailure =
  | 'agent-exited'
  | 'archived'
  | 'not-confirmed'
  | 'rejected'
  | 'pane-lost'
  | 'cancelled'

/** A prompt on its way, as every presentation shows it. Times are epoch milliseconds. */
export interface Delivery {
  id: string
  taskId: string
  pane: number
  state: DeliveryStateName
  /** Which attempt at writing it this is (1 = first). */
  attempt: number
  reason?: DeliveryFailure
  detail?: string
  exitCode?: number
  /** What confirms it: the agent's own word, an echo on the screen, or nothing. */
  confirmed: 'exact' | 'echo' | 'no'
  createdAt: number
  writtenAt?: number
  submittedAt?: number
  startedAt?: number
  settledAt?: number
}
