const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const frameMs = 100
/** Work that ends sooner shows nothing. */
const delayMs = 250

/** One line on a terminal's stderr with what is being done and for how long, erased at the end. */
export class Spinner {
  readonly #write: (text: string) => Promise<void>
  #timer: NodeJS.Timeout | undefined
  #text = ''
  #startedAt = 0
  #shown = false

  constructor(write: (text: string) => Promise<void>) {
    this.#write = write
  }

  step(text: string): void {
    this.#text = text
    this.#startedAt = performance.now()
    this.#timer ??= setInterval(() => this.#draw(), frameMs)
  }

  async end(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    if (this.#shown) await this.#write('\r\x1b[K')
    this.#shown = false
  }

  #draw(): void {
    const ms = performance.now() - this.#startedAt
    if (!this.#shown && ms < delayMs) return
    this.#shown = true
    const frame = frames[Math.floor(ms / frameMs) % frames.length]
    void this.#write(`\r\x1b[K${frame} ${this.#text} (${(ms / 1000).toFixed(1)} s)`)
  }
}
