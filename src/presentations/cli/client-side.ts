/** The client as the daemon sees it through the exec framing. */
export interface ClientSide {
  argv: string[]
  shell: {cwd: string; env: Record<string, string>}
  columns: number
  isTerminal: {stdin: boolean; stdout: boolean; stderr: boolean}
  /** Aborted when the client went away. */
  signal: AbortSignal
  version: string
  authorised: boolean
  stdout(text: Uint8Array | string): Promise<void>
  /** A piece of the answer, which the client prints once it is told the exit code. */
  result(text: Uint8Array | string): Promise<void>
  stderr(text: Uint8Array | string): Promise<void>
  /** What the client runs, once, should it lose the daemon; an empty list: nothing any more. */
  resume(argv: string[]): Promise<void>
  lastWords(stream: 'stdout' | 'stderr', text: string): Promise<void>
  /** The daemon is older than this client, which will replace it. */
  tellOlder(): Promise<void>
  question(kind: string, text?: string): Promise<void>
  readStdin(): Promise<Buffer | null>
  confirm(text: string): Promise<string>
}
