import {ControlParser} from '../control-parser.ts'
import type {JournalFact} from '../types.ts'

/** Text of an entry (spec of the protocol: capped at 4 KiB). */
const maxTextBytes = 4 * 1024
/** Title, directory, notifications, and iTerm's own; shown by programs at will. */
const freeCodes = new Set([0, 2, 7, 9, 777, 1337])
/** Command marks, believed only with the pane's nonce. */
const markCodes = new Set([133, 633])
const watchedModes = new Set([2004, 1049])
const bell = 7
/** Leads the C1 controls in UTF-8. */
const c1Lead = 0xc2

/** What the scanner found, and the offset right behind it. */
export type OnFact = (fact: JournalFact, offset: number) => void

/** Finds in a terminal's output the facts that matter to who drives it. */
export class OscScanner {
  readonly #parser = new ControlParser()
  readonly #nonce: string | undefined
  readonly #onFact: OnFact
  readonly #modes = new Map<number, boolean>()

  constructor(nonce: string | undefined, onFact: OnFact) {
    this.#nonce = nonce
    this.#onFact = onFact
  }

  push(bytes: Buffer): void {
    // Plain output has none of the three bytes with which everything of interest begins.
    const isPlain =
      this.#parser.pendingBytes === 0 &&
      !bytes.includes(0x1b) &&
      !bytes.includes(bell) &&
      !bytes.includes(c1Lead)
    if (isPlain) this.#parser.offset += bytes.length
    else this.#parser.push(bytes, this)
  }

  text(): void {}

  control(byte: number): void {
    if (byte === bell) this.#onFact({type: 'bell'}, this.#parser.offset)
  }

  csi(bytes: Uint8Array, start: number, end: number): void {
    const final = bytes[end]
    if ((final !== 0x68 && final !== 0x6c) || bytes[start] !== 0x3f) return
    const modes = Buffer.from(bytes.subarray(start + 1, end))
      .toString('latin1')
      .split(';')
    for (const mode of modes) this.#setMode(Number(mode), final === 0x68)
  }

  escape(final: string): void {
    // RIS, a full reset, ends every mode.
    if (final === 'c') for (const mode of this.#modes.keys()) this.#setMode(mode, false)
  }

  osc(body: Uint8Array): void {
    let digits = 0
    while (digits < body.length && isDigit(body[digits] as number)) digits++
    if (digits === 0 || digits > 4 || (digits < body.length && body[digits] !== 0x3b)) return
    const code = Number(Buffer.from(body.subarray(0, digits)).toString('latin1'))
    if (!freeCodes.has(code) && !markCodes.has(code)) return
    const text = Buffer.from(body.subarray(digits + 1))
    const nonceField = markCodes.has(code) ? this.#nonceField(text.toString('utf8')) : ''
    if (nonceField !== null)
      this.#onFact({type: 'osc', code, text: cap(text, nonceField)}, this.#parser.offset)
  }

  /** The field that proves a mark, or null when none does. */
  #nonceField(text: string): string | null {
    const nonce = this.#nonce
    if (nonce === undefined || nonce === '') return null
    return text.split(';').find(field => field === nonce || field === `n=${nonce}`) ?? null
  }

  #setMode(mode: number, set: boolean): void {
    if (!watchedModes.has(mode) || (this.#modes.get(mode) ?? false) === set) return
    this.#modes.set(mode, set)
    this.#onFact({type: 'mode', mode, set}, this.#parser.offset)
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

/** Cut to 4 KiB between two characters; a mark keeps the field that proves it, wherever that stood. */
function cap(text: Buffer, nonceField: string): string {
  if (text.length <= maxTextBytes) return text.toString('utf8')
  const tail = nonceField === '' ? '' : `;${nonceField}`
  let end = maxTextBytes - Buffer.byteLength(tail)
  while (end > 0 && ((text[end] as number) & 0xc0) === 0x80) end--
  return text.toString('utf8', 0, end) + tail
}
