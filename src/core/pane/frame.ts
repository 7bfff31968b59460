/** Beyond this a peer is broken or hostile; 16 MiB of input in base64 fit well. */
export const maxFrameBytes = 32 * 1024 * 1024

/** One message as it goes over a host's socket: u32 length, big-endian, then JSON. */
export function encodeFrame(message: unknown): Buffer {
  const text = JSON.stringify(message)
  const bytes = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(4 + bytes)
  frame.writeUInt32BE(bytes)
  frame.write(text, 4)
  return frame
}

/** Puts frames together from whatever pieces the socket gives. */
export class FrameReader {
  #pieces: Buffer[] = []
  #bytes = 0

  /** The messages that `piece` completes. Throws on a frame that is too long or no JSON; the connection is then of no more use. */
  push(piece: Buffer): unknown[] {
    this.#pieces.push(piece)
    this.#bytes += piece.length
    const messages: unknown[] = []
    for (
      let length = this.#nextLength();
      length !== null && this.#bytes >= 4 + length;
      length = this.#nextLength()
    ) {
      const all = this.#joined()
      messages.push(JSON.parse(all.toString('utf8', 4, 4 + length)))
      this.#pieces = [all.subarray(4 + length)]
      this.#bytes -= 4 + length
    }
    return messages
  }

  #nextLength(): number | null {
    if (this.#bytes < 4) return null
    const first = this.#pieces[0] as Buffer
    const length = (first.length >= 4 ? first : this.#joined()).readUInt32BE(0)
    if (length > maxFrameBytes) throw new RangeError(`a frame of ${length} bytes`)
    return length
  }

  /** Joined once a frame is complete, not at every piece, so that a large frame isn't copied again and again. */
  #joined(): Buffer {
    const all = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces)
    this.#pieces = [all]
    return all
  }
}
