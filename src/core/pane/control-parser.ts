/** Bytes kept of an OSC, and the length at which any unterminated sequence is given up (spec 30 §1). */
export const maxSequenceBytes = 64 * 1024

/** What a stream of terminal output consists of. Ranges and bodies are valid during the call only. */
export interface ControlSink {
  /** Printable bytes, and the four that move text about: BS, TAB, LF, CR. */
  text(bytes: Uint8Array, start: number, end: number): void
  /** Any other C0 or C1 control, and DEL. */
  control(byte: number): void
  /** `bytes[start]` up to `bytes[end]`, which is the final byte, are what followed the introducer. */
  csi(bytes: Uint8Array, start: number, end: number): void
  osc(body: Uint8Array): void
  escape(final: string): void
}

const ground = 0
const c1Lead = 1
const escaped = 2
const escapeIntermediate = 3
const csi = 4
const osc = 5
/** DCS, SOS, PM and APC: passed over up to their terminator. */
const string = 6
const stringEscape = 7
const stringC1Lead = 8

/** Ends a run of text. 0xC2 leads the C1 controls in UTF-8 and is never a continuation byte, so no other UTF-8 state is needed. */
const special = new Uint8Array(256)
for (let byte = 0; byte < 0x20; byte++)
  special[byte] = byte === 8 || byte === 9 || byte === 10 || byte === 13 ? 0 : 1
special[0x7f] = 1
special[0xc2] = 1
const c2 = Uint8Array.of(0xc2)
const stringIntroducers = 'PX^_'

/**
 * A terminal's own division of output into text and control sequences, after the DEC state machine that xterm follows,
 * for UTF-8. It goes on at any byte, so sequences may be cut anywhere between two pushes.
 */
export class ControlParser {
  /** Bytes taken so far; inside a sink's call: the position right after what is reported. */
  offset = 0
  /** Length of the sequence that is still open; 0 between sequences. */
  pendingBytes = 0

  #state: number = ground
  /** The string that an ESC or 0xC2 interrupts. */
  #outer: number = osc
  readonly #body = new Uint8Array(maxSequenceBytes)
  #bodyBytes = 0

  push(bytes: Uint8Array, sink: ControlSink): void {
    const base = this.offset
    const end = bytes.length
    let at = 0
    while (at < end) {
      if (this.#state === ground) {
        const start = at
        while (at < end && special[bytes[at] as number] === 0) at++
        this.offset = base + at
        if (at > start) sink.text(bytes, start, at)
        if (at === end) return
      }
      if (this.#state === ground && bytes[at] === 0x1b && bytes[at + 1] === 0x5b) {
        const final = finalOfCsi(bytes, at + 2)
        if (final > 0) {
          this.offset = base + final + 1
          sink.csi(bytes, at + 2, final)
          at = final + 1
          continue
        }
      }
      const byte = bytes[at++] as number
      this.offset = base + at
      this.pendingBytes++
      this.#step(byte, sink)
      if (this.pendingBytes >= maxSequenceBytes) this.#to(ground)
      if (this.#state === ground) this.pendingBytes = 0
    }
  }

  #step(byte: number, sink: ControlSink): void {
    switch (this.#state) {
      case ground:
        this.#fromGround(byte, sink)
        break
      case c1Lead:
        this.#fromC1Lead(byte, sink)
        break
      case escaped:
        this.#fromEscape(byte, sink)
        break
      case escapeIntermediate:
        if (byte >= 0x20 && byte <= 0x2f) break
        if (byte >= 0x30 && byte <= 0x7e) this.#to(ground)
        else this.#cut(byte, sink)
        break
      case csi:
        this.#fromCsi(byte, sink)
        break
      default:
        this.#fromString(byte, sink)
    }
  }

  #fromGround(byte: number, sink: ControlSink): void {
    if (byte === 0x1b) this.#to(escaped)
    else if (byte === 0xc2) this.#to(c1Lead)
    else sink.control(byte)
  }

  #fromC1Lead(byte: number, sink: ControlSink): void {
    if (byte < 0x80 || byte > 0x9f) {
      // Not a control: an ordinary character that begins with 0xC2 (or a broken one).
      this.#to(ground)
      const offset = this.offset
      this.offset = offset - 1
      sink.text(c2, 0, 1)
      this.offset = offset
      this.#again(byte, sink)
    } else if (!this.#introduce(String.fromCharCode(byte - 0x40))) {
      this.#to(ground)
      sink.control(byte)
    }
  }

  #fromEscape(byte: number, sink: ControlSink): void {
    const character = String.fromCharCode(byte)
    if (this.#introduce(character)) return
    if (byte >= 0x20 && byte <= 0x2f) this.#to(escapeIntermediate)
    else if (byte >= 0x30 && byte <= 0x7e) {
      this.#to(ground)
      sink.escape(character)
    } else this.#cut(byte, sink)
  }

  #introduce(character: string): boolean {
    if (character === '[') this.#to(csi)
    else if (character === ']') this.#to(osc)
    else if (stringIntroducers.includes(character)) this.#to(string)
    else return false
    this.#bodyBytes = 0
    return true
  }

  #fromCsi(byte: number, sink: ControlSink): void {
    if (byte >= 0x20 && byte <= 0x3f) this.#keep(byte)
    else if (byte >= 0x40 && byte <= 0x7e) {
      this.#to(ground)
      this.#keep(byte)
      sink.csi(this.#body, 0, this.#bodyBytes - 1)
    } else if (byte !== 0x7f) this.#cut(byte, sink)
  }

  #fromString(byte: number, sink: ControlSink): void {
    if (this.#state === stringEscape) {
      this.#finish(sink)
      // ESC ends a string whatever follows; only the backslash belongs to it.
      if (byte !== 0x5c) {
        this.#to(escaped)
        this.#fromEscape(byte, sink)
      }
    } else if (this.#state === stringC1Lead) {
      if (byte === 0x9c) this.#finish(sink)
      else {
        this.#state = this.#outer
        this.#keep(0xc2)
        this.#fromString(byte, sink)
      }
    } else if (byte === 0x1b || byte === 0xc2) {
      this.#outer = this.#state
      this.#state = byte === 0x1b ? stringEscape : stringC1Lead
    } else if (byte === 0x18 || byte === 0x1a) this.#to(ground)
    else if (byte === 0x07 && this.#state === osc) {
      this.#outer = osc
      this.#finish(sink)
    } else if (byte >= 0x20) this.#keep(byte)
  }

  #finish(sink: ControlSink): void {
    const wasOsc = this.#outer === osc
    this.#to(ground)
    if (wasOsc) sink.osc(this.#body.subarray(0, this.#bodyBytes))
  }

  /**
   * A sequence was broken off. A terminal would carry out a line end and go on with the sequence; here it ends there,
   * since a program that died within a sequence must not cost the reader the next line.
   */
  #cut(byte: number, sink: ControlSink): void {
    this.#to(ground)
    if (byte !== 0x18 && byte !== 0x1a) this.#again(byte, sink)
  }

  #again(byte: number, sink: ControlSink): void {
    this.pendingBytes = 1
    if (special[byte] === 0) sink.text(Uint8Array.of(byte), 0, 1)
    else this.#fromGround(byte, sink)
  }

  #keep(byte: number): void {
    if (this.#bodyBytes < maxSequenceBytes) this.#body[this.#bodyBytes++] = byte
  }

  #to(state: number): void {
    this.#state = state
  }
}

/** Index of the byte that ends the CSI whose parameters begin at `start`, or 0 when it isn't whole in `bytes`. Most sequences are, and this spares them the byte-by-byte way. */
function finalOfCsi(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && (bytes[at] as number) >= 0x20 && (bytes[at] as number) <= 0x3f) at++
  const byte = bytes[at]
  return byte !== undefined && byte >= 0x40 && byte <= 0x7e ? at : 0
}
