import type {OutputFormat} from '../../core/argv/take-globals.ts'
import type {TermicError} from '../../core/errors.ts'
import type {VerbEvent} from '../../core/verb/caller.ts'
import type {VerbClass, View} from '../../core/verb/verb.ts'
import type {ClientSide} from './client-side.ts'
import {Spinner} from './spinner.ts'

/** One call's output in the asked format: text for people, one JSON object, or NDJSON events and one final line. */
export class Output {
  format: OutputFormat
  readonly #client: ClientSide
  readonly #spinner: Spinner | undefined

  constructor(client: ClientSide, format: OutputFormat) {
    this.#client = client
    this.format = format
    const {columns, isTerminal, shell} = client
    if (isTerminal.stderr && shell.env.TERM !== 'dumb')
      this.#spinner = new Spinner(text => client.stderr(text), columns)
  }

  async event(event: Exclude<VerbEvent, {type: 'committed'}>): Promise<void> {
    if (this.format === 'stream-json')
      return this.#line(event.type === 'output' && event.event ? event.event : event)
    if (this.format === 'json') return
    if (event.type === 'step') return this.#spinner?.step(event.text)
    if (event.type === 'output') {
      await this.#spinner?.end()
      return this.#client.stdout(event.text)
    }
    if (event.type === 'note') {
      await this.#spinner?.end()
      await this.#client.stderr(`${event.text}\n`)
    }
  }

  async result(verb: VerbClass, result: object, input: object): Promise<void> {
    await this.#spinner?.end()
    if (this.format === 'stream-json') return this.#client.result(jsonLine({type: 'result', result}))
    if (this.format === 'json') return this.#client.result(jsonLine(result))
    const text = verb.render(result, this.#view(), input)
    const exact = typeof text === 'string' ? lines(text) : text.exact
    if (exact !== '') await this.#client.result(exact)
  }

  async error(error: TermicError): Promise<void> {
    await this.#spinner?.end()
    const [stream, text] = this.#errorText(error)
    await (stream === 'stdout' ? this.#client.result(text) : this.#client.stderr(text))
  }

  /** Leaves with the client what it has to say should the daemon vanish. */
  async prepareForLoss(error: TermicError): Promise<void> {
    await this.#client.lastWords(...this.#errorText(error))
  }

  #errorText({code, message, data}: TermicError): ['stdout' | 'stderr', string] {
    if (this.format === 'text') return ['stderr', `termic: ${message}\n`]
    const error = {code, message, ...(Object.keys(data).length > 0 && {data})}
    return ['stdout', jsonLine(this.format === 'json' ? {error} : {type: 'error', error})]
  }

  #view(): View {
    const {columns, isTerminal, shell} = this.#client
    const color = isTerminal.stdout && !shell.env.NO_COLOR && shell.env.TERM !== 'dumb'
    return {columns, color, now: Date.now()}
  }

  #line(value: object): Promise<void> {
    return this.#client.stdout(jsonLine(value))
  }
}

function jsonLine(value: object): string {
  return `${JSON.stringify(value)}\n`
}

function lines(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
