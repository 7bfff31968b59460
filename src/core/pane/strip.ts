import {ControlParser} from './control-parser.ts'

/**
 * Stand-ins for the erasing and homing that a progress bar relies on; the stripper drops these three bytes from the
 * program's own output, so they are free to carry a meaning up to `foldLines`.
 */
const eraseToEnd = '\x0e'
const eraseToStart = '\x0f'
const eraseLine = '\x10'

export interface Stripped {
  text: string
  /** Raw bytes behind all text returned so far, from the first push on: a reader goes on there and loses nothing. */
  consumed: number
}

/**
 * Turns terminal output into text, piece by piece. Neither an escape sequence nor a character is ever split: what is
 * incomplete is kept until its rest comes.
 */
export class Stripper {
  readonly #parser = new ControlParser()
  readonly #forFolding: boolean
  #out: Uint8Array = new Uint8Array(0)
  #length = 0
  /** False once something came between the kept text and what follows: a cut character then stays broken. */
  #textIsLast = true

  /** @param options.forFolding keep what `foldLines` needs to draw progress bars; the text is then meant for it alone. */
  constructor(options: {forFolding?: boolean} = {}) {
    this.#forFolding = options.forFolding ?? false
  }

  push(bytes: Uint8Array): Stripped {
    this.#reserve(bytes.length + 1)
    this.#parser.push(bytes, this)
    const tail = this.#textIsLast ? incompleteTailBytes(this.#out, this.#length) : 0
    const complete = this.#length - tail
    const text = Buffer.from(this.#out.buffer, this.#out.byteOffset, complete).toString('utf8')
    this.#out.copyWithin(0, complete, this.#length)
    this.#length = tail
    return {text, consumed: this.#parser.offset - this.#parser.pendingBytes - tail}
  }

  text(bytes: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start)
    // Copying a word by its bytes is cheaper than making a view of it.
    if (end - start > 64) {
      this.#out.set(bytes.subarray(start, end), this.#length)
      this.#length += end - start
    } else for (let at = start; at < end; at++) this.#out[this.#length++] = bytes[at] as number
    this.#textIsLast = true
  }

  control(byte: number): void {
    // IND and NEL: the two C1 controls that begin a new line.
    if (byte === 0x84 || byte === 0x85) this.#add('\n')
    else this.#textIsLast = false
  }

  csi(bytes: Uint8Array, start: number, end: number): void {
    this.#textIsLast = false
    if (!this.#forFolding) return
    const final = bytes[end]
    const parameter = end === start ? 0 : end === start + 1 ? (bytes[start] as number) - 0x30 : -1
    if (final === 0x4b) this.#add(parameter === 1 ? eraseToStart : parameter === 2 ? eraseLine : eraseToEnd)
    else if (final === 0x47 && (parameter === 0 || parameter === 1)) this.#add('\r')
  }

  osc(): void {
    this.#textIsLast = false
  }

  escape(final: string): void {
    this.#textIsLast = false
    if (final === 'D' || final === 'E') this.#add('\n')
  }

  #add(text: string): void {
    this.#reserve(1)
    this.#out[this.#length++] = text.charCodeAt(0)
    this.#textIsLast = false
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#out.length) return
    const larger = new Uint8Array(Math.max(this.#length + bytes, this.#out.length * 2))
    larger.set(this.#out.subarray(0, this.#length))
    this.#out = larger
  }
}

/** Strips one piece of output; `consumed` tells where the next piece must begin. */
export function strip(bytes: Uint8Array, options: {forFolding?: boolean} = {}): Stripped {
  return new Stripper(options).push(bytes)
}

/** Bytes at the end of `bytes` that begin a UTF-8 character without ending it. */
export function incompleteTailBytes(bytes: Uint8Array, length: number): number {
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
  }
  return 0
}

/**
 * Lines as a terminal would show them: what CR and BS wrote over is gone, so a progress bar is its last state.
 * Takes text stripped with `forFolding`.
 */
export function foldLines(text: string): string {
  return text.split('\n').map(foldLine).join('\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that move the cursor
const moves = /[\b\r\x0e\x0f\x10]/

function foldLine(line: string): string {
  const plain = line.endsWith('\r') ? line.slice(0, -1) : line
  if (!moves.test(plain)) return plain
  const cells: string[] = []
  let column = 0
  for (const character of plain) {
    if (character === '\r') column = 0
    else if (character === '\b') column = Math.max(0, column - 1)
    else if (character === eraseToEnd) cells.length = Math.min(cells.length, column)
    else if (character === eraseLine) cells.length = 0
    else if (character === eraseToStart) cells.fill(' ', 0, column + 1)
    else {
      while (cells.length < column) cells.push(' ')
      cells[column++] = character
    }
  }
  return cells.join('')
}
