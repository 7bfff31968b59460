import type {ErrorCode, ErrorData} from '../errors.ts'
import type {ShownEvent} from '../events/show-event.ts'
import type {Grant} from '../grant/grant.ts'

export interface Caller {
  /** `cli`, `mcp:<name>`, `task:<id>`, `web`. */
  readonly by: string
  /** From the token alone. */
  readonly grant: Grant
  /** Absent: no directory to fall back to and no environment to capture. */
  readonly shell?: {readonly cwd: string; readonly env: Readonly<Record<string, string>>}
}

export type VerbEvent =
  /** What is being done now: spinner | $/event | MCP progress. */
  | {type: 'step'; text: string}
  /** A remark for a person: stderr | $/event | nothing. Facts belong in the result. */
  | {type: 'note'; text: string}
  /** A piece of the answer itself: stdout | $/event | never in MCP. `event` is what it says, for those who read JSON; `next`: flags with which the same call goes on behind it. */
  | {type: 'output'; text: string; offset?: number; event?: ShownEvent; next?: Record<string, string>}
  /** From here on the effect stands: a caller that loses the daemon takes it up by the same call with these flags added. */
  | {type: 'committed'; flags: Record<string, string>}
  | ShownEvent

export interface Question {
  text: string
  /** The flag that answers it with yes. */
  flag: 'yes' | 'trust'
  /** grant: a full grant may answer · person: only a terminal or the flag in the CLI. */
  consent: 'grant' | 'person'
  /** What is thrown where nobody can be asked, when that says more than "this needs a yes". */
  otherwise?: {code: ErrorCode; data: ErrorData}
}
