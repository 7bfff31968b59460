import type {JournalEntry} from '../pane/types.ts'

/**
 * How sure a state is, and why. `source` in falling rank: a lower one never overrides a fresher higher one.
 * `process` is the kernel's own word (the program ended), which nothing outranks.
 */
export const evidenceSources = [
  'process',
  'protocol',
  'hook',
  'transcript',
  'osc',
  'screen',
  'quiet',
  'none',
] as const
export type EvidenceSource = (typeof evidenceSources)[number]

export interface Evidence {
  source: EvidenceSource
  at: number
  detail: string
}

export type AgentStateName =
  | 'starting'
  | 'working'
  | 'waiting'
  | 'done'
  | 'idle'
  | 'exited'
  | 'lost'
  | 'unknown'

/** State of the program in one pane. `since` is when it was entered, `evidence` what showed it. */
export interface AgentState {
  name: AgentStateName
  since: number
  evidence: Evidence
  confidence: 'exact' | 'heuristic'
  waitingFor?: 'question' | 'approval' | 'trust' | 'login' | 'limit'
  /** Of the program once it exited, before that of the last turn where that is known. */
  exitCode?: number
  /** The turn under way was begun by a prompt of termic's, so it ends in `done` and not in `idle`. */
  delivered?: true
}

/** What a kind says of a pane, read from its journal: the only words that the state and delivery tables understand. */
export type AgentSignal = {
  at: number
  offset: number
  evidence: Evidence
  confidence: 'exact' | 'heuristic'
} /** The composer is open and empty: the agent takes a prompt. */ & (
  | {type: 'ready'; exitCode?: number}
  /** It has the prompt of `deliveryId` in its composer or its queue. */
  | {type: 'submitted'; deliveryId: string}
  /** It began to work (on `command`, where known). */
  | {type: 'started'; command?: string}
  /** A turn ended. A `ready` follows when the agent takes the next prompt. */
  | {type: 'ended'; exitCode?: number}
  /** It stands still until a person answers. */
  | {type: 'asking'; for: NonNullable<AgentState['waitingFor']>; text?: string}
  /** Somebody's half-typed draft was found: nothing was delivered, try again at the next `ready`. */
  | {type: 'draft'; deliveryId: string}
  /** The prompt can't be run (it does not parse); the turn is over. */
  | {type: 'rejected'; deliveryId?: string; reason: string; exitCode?: number}
  /** It waits for the rest of an unfinished prompt (a shell's PS2). */
  | {type: 'unfinished'}
  | {type: 'exited'; code: number; signal?: string}
)

/** How a prompt reaches the program. */
export type DeliveryRoute =
  /** A file in the pane's inbox and one key: the shell loads it into its editor itself. */
  | 'inbox'
  /** Typed as it is, with Enter: nothing confirms it. */
  | 'typed'

export interface KindLaunch {
  argv: string[]
  env: Record<string, string>
  nonce?: string
}

export interface KindContext {
  /** The pane's private directory; a kind may put files there before the program starts. */
  paneDir: string
  /** The environment that the program will get. */
  env: Record<string, string>
  cwd: string
  nonce: string
}

export interface DeliveryContext {
  paneDir: string
  /** The program switched bracketed paste (2004) on: a typed prompt is wrapped. Default false. */
  bracketedPaste?: boolean
}

/** A kind of agent: how to start it, how to give it a prompt and how to read it. One file each in plugins/agents/. */
export interface AgentKind {
  id: string
  summary: string
  /** Where its settle signal comes from; `none`: no wait is possible. */
  signal: 'osc' | 'hook' | 'protocol' | 'title' | 'quiet' | 'none'
  route: DeliveryRoute
  /** Absolute path of its program in this PATH, or null. */
  find(env: Record<string, string>): Promise<string | null>
  /**
   * The kind that stands for this one in an environment: `shell` without bash, zsh or fish is `sh`, which gives no
   * signal. To be asked once, when a task is made. Absent: it is the same everywhere.
   */
  inEnvironment?(env: Record<string, string>): AgentKind
  launch(context: KindContext): Promise<KindLaunch>
  /** The bytes that deliver a prompt, once whatever they need was put in place (a file in the inbox). */
  deliver(prompt: {deliveryId: string; text: string}, context: DeliveryContext): Promise<Uint8Array>
  /** Takes back what `deliver` put in place, once the prompt was given up: a late key then finds nothing. */
  withdraw?(context: {paneDir: string}): void
  /** The bytes that give up an unfinished prompt (Ctrl-C). */
  interrupt: Uint8Array
  /** Reads one pane's journal, entry by entry, in order. Its state must be plain JSON: it is stored with the journal's position. */
  reader: SignalReader
}

/** A fold over the journal: pure, so that a daemon that died goes on exactly where it was. */
export interface SignalReader<S = unknown> {
  initial: S
  read(state: S, entry: JournalEntry, context: {nonce?: string}): {state: S; signals: AgentSignal[]}
}
