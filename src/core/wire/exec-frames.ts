/**
 * The exec framing between the thin client and the daemon (docs/protocol.md): frames of one type byte, a 32-bit
 * big-endian length and that many bytes. No type is `{`, so that the first byte tells it from NDJSON.
 *
 * `hello` and `older` are frozen for ever: they are how two versions find out about each other.
 */
export const toDaemon = {
  /** NUL-terminated list: framing version, client version, token. */
  hello: 'H',
  /** NUL-terminated list. */
  argv: 'A',
  cwd: 'D',
  /** NUL-terminated list of NAME=value. */
  env: 'E',
  /** Decimal. */
  columns: 'C',
  /** Three characters, `1` where stdin, stdout, stderr is a terminal. */
  terminals: 'T',
  /** Everything was said: go. */
  run: 'R',
  stdin: 'I',
  stdinEnd: 'Z',
  /** Of a `confirm` question: `yes`, `no` or `none` (no terminal). */
  answer: 'Y',
} as const

export const toClient = {
  /** Written at once: output that is followed as it comes. */
  stdout: 'o',
  stderr: 'e',
  /**
   * A piece of the answer: kept, and written to stdout with the exit frame. A daemon that dies in between leaves nothing
   * half said, so that the call can be taken up and its answer be printed once.
   */
  result: 'r',
  /** `stdin` · `confirm` NUL text · `local` (run this argv in the client) · `handover` NUL JSON. */
  question: 'q',
  heartbeat: 'h',
  /** NUL-terminated argv: what to run when the connection is lost from here on, once; empty: nothing any more. */
  resume: 's',
  /** What to say when the connection is lost: `stdout` or `stderr`, NUL, text. */
  lastWords: 'l',
  /** Another daemon takes this one's place: it is to be waited for, and none to be started. */
  replaced: 'n',
  /** The daemon is older than this client; the payload is its version. */
  older: 'v',
  /** Decimal exit code; nothing follows. */
  exit: 'x',
} as const

export const framingVersion = '1'

/** A client that hears nothing for so long takes the daemon for lost. The daemon sends a heartbeat every third of it. */
export const silenceMs = 30_000

const headBytes = 5
/** Bounds what a peer can make us hold: an argv, an environment or a chunk of stdin. */
const maxPayloadBytes = 8 * 1024 * 1024

export function frame(type: string, payload: Uint8Array | string = ''): Buffer {
  const body = typeof payload === 'string' ? Buffer.from(payload) : payload
  const out = Buffer.allocUnsafe(headBytes + body.length)
  out[0] = type.charCodeAt(0)
  out.writeUInt32BE(body.length, 1)
  out.set(body, headBytes)
  return out
}

/** Each item is terminated, not separated, so that an empty list and a list of one empty item differ. */
export function packList(items: readonly string[]): string {
  return items.map(item => `${item}\0`).join('')
}

export function unpackList(payload: Buffer): string[] {
  return payload.length === 0 ? [] : payload.toString('utf8').replace(/\0$/, '').split('\0')
}

/** Cuts a byte stream into frames, in order. Throws on a frame that is too large. */
export class FrameReader {
  #pending: Buffer = Buffer.alloc(0);

  *read(chunk: Buffer): Generator<{type: string; payload: Buffer}> {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    while (this.#pending.length >= headBytes) {
      const length = this.#pending.readUInt32BE(1)
      if (length > maxPayloadBytes)
        throw new RangeError(`a frame of ${length} bytes is over the limit of ${maxPayloadBytes}`)
      if (this.#pending.length < headBytes + length) return
      const type = String.fromCharCode(this.#pending[0] ?? 0)
      const payload = this.#pending.subarray(headBytes, headBytes + length)
      this.#pending = this.#pending.subarray(headBytes + length)
      yield {type, payload}
    }
  }
}
