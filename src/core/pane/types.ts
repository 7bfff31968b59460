/**
 * What the daemon and a pane host say to each other. A host may be older than the daemon that adopts it, so this page
 * only ever grows, and a host journals plain facts: what they mean is decided by the daemon (core/agent).
 */

/** Raised only when a host of the former number could not be adopted any more. */
export const paneProtocol = 1

/** Handed to a new pane host on its stdin, as one JSON object, so that nothing of it shows in a process list or on disk. */
export interface PaneLaunch {
  /** The pane's directory (`panes/<n>`), made by the daemon, 0700. */
  dir: string
  pane: number
  /** argv[0] is looked up in PATH of `env`; a missing program is `{failed}` on stdout, never text in the terminal. */
  argv: string[]
  cwd: string
  /** The whole environment of the program, nothing is added but TERM and COLORTERM. */
  env: Record<string, string>
  columns: number
  rows: number
  /** Marks (OSC 133 and 633) without it are ignored; absent: none is taken. */
  nonce?: string
  /** A first prompt given by argv: recorded in pane.json as written. */
  firstPrompt?: {inputId: string}
  /** Keep at most so much of the log; the oldest segments go first. Default 256 MiB. */
  logLimitBytes?: number
}

/** The one line a host prints on stdout once the program runs, or once it is certain that it will not. */
export type PaneReady =
  | {ready: true; pid: number; hostPid: number}
  | {ready: false; code: 'no-program' | 'no-cwd' | 'failed'; reason: string}

/** `pane.json`, written atomically at start and at exit: enough for a later daemon to adopt or to bury the pane. */
export interface PaneRecord {
  protocol: number
  pane: number
  hostPid: number
  /** Field 22 of /proc/<pid>/stat (clock ticks since boot): tells a reused pid from ours. */
  hostStartTicks: number
  pid: number
  socket: string
  argv: string[]
  cwd: string
  startedAt: number
  firstPrompt?: {inputId: string}
  exited: PaneExit | null
}

export interface PaneExit {
  /** 0..255, or 128 + signal as a shell would say. */
  code: number
  signal?: string
  at: number
  /** End of the log once every byte was drained. */
  offset: number
}

/** One fact of a pane's life, one line of `journal.ndjson`; `seq` counts from 1 without gaps, `offset` is the log's end when it happened. */
export type JournalEntry = {seq: number; at: number; offset: number} & JournalFact

export type JournalFact =
  | {type: 'start'; pid: number}
  /** An operating system command of the program: title (0, 2), directory (7), notification (9, 777), marks (133, 633, 1337). Text is capped at 4 KiB. */
  | {type: 'osc'; code: number; text: string}
  | {type: 'bell'}
  /** Private modes that matter for delivery: bracketed paste (2004), alternate screen (1049). */
  | {type: 'mode'; mode: number; set: boolean}
  | {type: 'input'; inputId: string; state: 'begun' | 'written'; bytes: number}
  | {type: 'resize'; columns: number; rows: number}
  | {type: 'kill'; reason: string}
  /** The disk refuses the log (ENOSPC…), or takes it again; output that found no place in between is `lostBytes`. */
  | {type: 'log'; state: 'refused'; reason: string}
  | {type: 'log'; state: 'accepted'; lostBytes: number}
  | {type: 'exit'; code: number; signal?: string}

/** Requests of the daemon; each is one frame and gets one answer with the same id. */
export type HostRequest = {
  id: number
} /** Every entry after `afterSeq`, then each new one as it is written, as `entry` frames. */ & (
  | {method: 'watch'; afterSeq: number}
  /** `grown` frames, at most one outstanding per 8 ms, until the connection closes. */
  | {method: 'follow'}
  /** Writes `data` (base64) once: an id that was begun before is never written again. Answered when the last byte is in the terminal. */
  | {method: 'input'; inputId: string; data: string}
  | {method: 'wasWritten'; inputId: string}
  | {method: 'resize'; columns: number; rows: number}
  | {method: 'status'}
  /** Ends the whole process tree; answered when that is proven or the time is over. */
  | {method: 'kill'; reason: string; graceMs: number}
)

/**
 * `input`, `wasWritten`: `offset` is the log's end right before the first byte, so what the program answered comes after it.
 * `status`: `background` counts the processes that still hold the terminal's host after the program's exit; `logTrouble` is there while the disk refuses the log.
 */
export interface HostAnswers {
  watch: Record<string, never>
  follow: {endOffset: number}
  input: {state: 'written' | 'already' | 'exited'; offset: number}
  wasWritten: {state: 'written' | 'begun' | 'unknown'; offset?: number}
  resize: Record<string, never>
  status: {
    pid: number
    endOffset: number
    droppedBefore: number
    lastSeq: number
    foreground?: {pid: number; command: string}
    atPrompt?: boolean
    cwd?: string
    exited: PaneExit | null
    background?: number
    logTrouble?: {reason: string; since: number; lostBytes: number}
  }
  kill: KillReport
}

/** `remaining`: processes of the tree that still live, or null where no one can tell (no subreaper, no cgroup). */
export interface KillReport {
  ended: number
  remaining: number | null
  /** Ended only by SIGKILL. */
  forced: number
}

/** Frames of a host: answers, and what was asked for with watch and follow. */
export type HostFrame =
  | {id: number; ok: HostAnswers[keyof HostAnswers]}
  | {id: number; error: string}
  | {entry: JournalEntry}
  | {grown: {endOffset: number}}
