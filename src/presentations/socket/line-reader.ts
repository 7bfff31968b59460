/** One line both ways, since a prompt of 1 MB grows when it is escaped (25-socket.md). */
export const maxLineBytes = 8 * 1024 * 1024

/** Cuts a byte stream into lines. Throws on one that is too long: what follows it can't be told apart. */
export class LineReader {
  #pending: Buffer[] = []
  #size = 0;

  *read(chunk: Buffer): Generator<string> {
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, end))
      const line = Buffer.concat(this.#pending).toString('utf8')
      this.#pending = []
      this.#size = 0
      from = end + 1
      if (line.trim() !== '') yield line
    }
    this.#add(chunk.subarray(from))
  }

  #add(piece: Buffer): void {
    if (piece.length === 0) return
    this.#pending.push(piece)
    this.#size += piece.length
    if (this.#size > maxLineBytes)
      throw new RangeError(`a line is over the limit of ${maxLineBytes} bytes; the connection is closed`)
  }
}
