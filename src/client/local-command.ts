import {Command} from '@oclif/core/command'
import * as Flags from '@oclif/core/flags'
import {type DataDir, dataDir} from '../core/daemon/data-dir.ts'
import {asTermicError, fail} from '../core/errors.ts'
import {connect} from './connect.ts'
import {rpc} from './rpc.ts'
import {tokenOf} from './token-of.ts'

/** A plain command of termic's own: runs in the client and prints text or one JSON object, like a verb. */
export abstract class LocalCommand<Result extends object> extends Command {
  static override baseFlags = {
    json: Flags.boolean({summary: 'print one JSON object'}),
    'output-format': Flags.string({
      summary: 'how to print the answer',
      options: ['text', 'json', 'stream-json'],
      helpValue: 'text|json|stream-json',
    }),
  }

  protected readonly paths: DataDir = dataDir(process.env)

  protected abstract answer(flags: Record<string, unknown>): Promise<Result>
  protected abstract text(result: Result): string

  override async run(): Promise<void> {
    const {json, format} = this.#format()
    try {
      const {flags} = await this.parse(this.ctor).catch((error: Error) =>
        fail('usage.invalid', {reason: error.message.split('\n')[0]}),
      )
      const result = await this.answer(flags as Record<string, unknown>)
      if (format === 'stream-json') this.log(JSON.stringify({type: 'result', result}))
      else this.log(json ? JSON.stringify(result) : this.text(result))
    } catch (thrown) {
      const error = asTermicError(thrown, this.paths.log)
      const shown = {code: error.code, message: error.message, data: error.data}
      if (json)
        this.log(JSON.stringify(format === 'stream-json' ? {type: 'error', error: shown} : {error: shown}))
      else process.stderr.write(`termic: ${error.message}\n`)
      process.exitCode = error.exit
    }
  }

  /** One call to the running daemon, or undefined when none listens. */
  protected async ask<T>(method: string, params: object = {}): Promise<T | undefined> {
    const socket = await connect(this.paths.socket)
    if (!socket) return undefined
    return (await rpc(socket, method, params, tokenOf(this.paths.cliToken))) as T
  }

  #format(): {json: boolean; format: string} {
    const {argv} = this
    const at = argv.indexOf('--output-format')
    const named =
      at === -1
        ? argv.find(word => word.startsWith('--output-format='))?.slice('--output-format='.length)
        : argv[at + 1]
    const format = argv.includes('--json') ? 'json' : (named ?? 'text')
    return {json: format !== 'text', format}
  }
}
