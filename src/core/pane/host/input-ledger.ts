import type {HostAnswers, JournalFact} from '../types.ts'
import type {TerminalWriter} from './terminal-writer.ts'

interface Input {
  state: 'queued' | 'begun' | 'written'
  /** The log's end right before the first byte: whatever the program answers comes after it. */
  offset: number
  done: Promise<'written' | 'exited'>
}

export interface InputLedgerContext {
  writer: TerminalWriter
  /** Flushes the reader, then tells the log's end. */
  endOffset(): number
  add(fact: JournalFact): void
}

/**
 * Every input by its id, so that each is written once, however often it is asked for: the daemon that asks may die at
 * any moment, and the next one asks again.
 */
export class InputLedger {
  readonly #context: InputLedgerContext
  readonly #inputs = new Map<string, Input>()

  constructor(context: InputLedgerContext) {
    this.#context = context
  }

  /** A prompt that the program got with its arguments counts as written. */
  noteFirst(inputId: string): void {
    this.#inputs.set(inputId, {state: 'written', offset: 0, done: Promise.resolve('written')})
  }

  /** Resolves when the last byte is in the terminal, whoever asked first. Throws when too much waits already. */
  async write(inputId: string, bytes: Uint8Array): Promise<HostAnswers['input']> {
    const known = this.#inputs.get(inputId)
    if (known !== undefined) {
      const state = await known.done
      return {state: state === 'written' ? 'already' : 'exited', offset: known.offset}
    }
    if (!this.#context.writer.hasRoom(bytes.length)) {
      throw new Error('too much input waits for the program to read; try again when it has read some')
    }
    const input = this.#start(inputId, bytes)
    return {state: await input.done, offset: input.offset} as HostAnswers['input']
  }

  wasWritten(inputId: string): HostAnswers['wasWritten'] {
    const input = this.#inputs.get(inputId)
    if (input === undefined) return {state: 'unknown'}
    return {state: input.state === 'written' ? 'written' : 'begun', offset: input.offset}
  }

  #start(inputId: string, bytes: Uint8Array): Input {
    const {writer, endOffset, add} = this.#context
    const input: Input = {state: 'queued', offset: endOffset(), done: Promise.resolve('exited')}
    this.#inputs.set(inputId, input)
    const begin = () => {
      if (input.state !== 'queued') return
      input.offset = endOffset()
      input.state = 'begun'
      add({type: 'input', inputId, state: 'begun', bytes: bytes.length})
    }
    input.done = writer.write(bytes, begin).then(state => {
      if (state === 'written') {
        input.state = 'written'
        // The end now, not before: what the program said meanwhile belongs before this entry.
        endOffset()
        add({type: 'input', inputId, state: 'written', bytes: bytes.length})
      } else if (input.state === 'queued') this.#inputs.delete(inputId)
      return state
    })
    return input
  }
}
