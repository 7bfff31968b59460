import stringWidth from 'fast-string-width'

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const frameMs = 100
/** Work that ends sooner shows nothing. */
const delayMs = 250
const erase = '\r\x1b[K'

/** One line on a terminal's stderr with what is being done and for how long, erased at the end. */
export class Spinner {
  readonly #write: (text: string) => Promise<void>
  readonly #columns: number
  #timer: NodeJS.Timeout | undefined
  #text = ''
  #startedAt = 0
  #shown = false

  constructor(write: (text: string) => Promise<void>, columns: number) {
    this.#write = write
    this.#columns = columns
  }

  step(text: string): void {
    this.#text = text
    this.#startedAt = performance.now()
    this.#timer ??= setInterval(() => this.#draw(), frameMs)
  }

  async end(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    if (this.#shown) await this.#write(erase)
    this.#shown = false
  }

  #draw(): void {
    const ms = performance.now() - this.#startedAt
    if (!this.#shown && ms < delayMs) return
    this.#shown = true
    const frame = frames[Math.floor(ms / frameMs) % frames.length]
    const time = ` (${(ms / 1000).toFixed(1)} s)`
    // A line that wraps could not be erased, and the last column may wrap already.
    const text = shortened(this.#text, this.#columns - stringWidth(`${frame} ${time}`) - 1)
    void this.#write(`${erase}${frame} ${text}${time}`)
  }
}

/** The beginning that fits, with an ellipsis where something is missing. */
function shortened(text: string, cells: number): string {
  if (stringWidth(text) <= cells) return text
  let kept = ''
  for (const character of text) {
    if (stringWidth(kept + character) >= cells) break
    kept += character
  }
  return `${kept}…`
}
