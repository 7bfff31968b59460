import type {DeliveryRoute} from '../agent/types.ts'

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
  /** When it came to its end, settled or failed. */
  settledAt?: number
  /** How it reaches the program; absent: `inbox`. */
  route?: DeliveryRoute
  /** Bookkeeping of the delivery table: stored with the row, shown to nobody. */
  progress?: DeliveryProgress
}

/** What the delivery table remembers between two events. Plain JSON, so that a new daemon goes on from the row. */
export interface DeliveryProgress {
  /** The host was asked to write this attempt and has not acknowledged it yet. */
  writing?: true
  /** A draft was in the way: nothing is written before the next `ready`. */
  held?: true
  /** When that draft was met, epoch milliseconds. */
  heldAt?: number
  /** A new prompt showed up after the write, so the key should have been taken by now. */
  freshPrompt?: true
  /** Ctrl-C was sent to give up an unfinished prompt. */
  interrupted?: true
  /** How many attempts were lost to something else. Attempts that met a draft are not among them. */
  eaten?: number
  /** End of the log when this attempt was in the terminal: what the agent said before is no answer to it. */
  writtenOffset?: number
  /** Offset of the last signal that counted; an earlier one is a replay. */
  readTo?: number
  clock?: ConfirmationClock
}

/** Time without an answer, as far as termic was there to see it: a dead daemon, a sleep or a clock's jump adds nothing. */
export interface ConfirmationClock {
  /** Where the agent stands: at its prompt, busy with a person's command (the clock stands still), or in between. */
  agent: 'prompt' | 'working' | 'elsewhere'
  /** Epoch milliseconds of the last event that was counted up to. */
  lookedAt?: number
  /** All attempts together. */
  unconfirmedMs: number
  /** Of this attempt, at the prompt. */
  promptMs: number
}
