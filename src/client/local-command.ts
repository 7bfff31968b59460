import {Command} from '@oclif/core/command'
import {type OutputFormat, takeGlobals} from '../core/argv/take-globals.ts'
import {oclifReason, usageSentence} from '../core/argv/usage-sentence.ts'
import {type DataDir, dataDir} from '../core/daemon/data-dir.ts'
import {fail, TermicError} from '../core/errors.ts'
import {connect} from './connect.ts'
import {report} from './report.ts'
import {rpc} from './rpc.ts'
import {tokenOf} from './token-of.ts'
import {writeAll} from './write.ts'

/** A plain command of termic's own: runs in the client and prints text or one JSON object, like a verb. */
export abstract class LocalCommand<Result extends object> extends Command {
  protected readonly paths: DataDir = dataDir(process.env)

  /** `words` are the arguments as they were typed. */
  protected abstract answer(flags: Record<string, unknown>, words: readonly string[]): Promise<Result>
  protected abstract text(result: Result): string | Promise<string>

  protected async json(result: Result): Promise<object> {
    return result
  }

  override async run(): Promise<void> {
    // oclif leaves only what it parsed in this.argv.
    const asked = this.argv
    try {
      const {format, rest} = takeGlobals(asked)
      const {flags, argv} = await this.parse(this.ctor, rest).catch((error: Error) =>
        fail('usage.invalid', {reason: usageSentence(oclifReason(error), this.ctor.id)}),
      )
      const result = await this.answer(flags as Record<string, unknown>, argv as string[])
      show(format, format === 'text' ? await this.text(result) : await this.json(result))
    } catch (thrown) {
      process.exitCode = report(thrown, asked)
    }
  }

  /** One call to the running daemon, or undefined when none listens. */
  protected async ask<T>(method: string, params: object = {}): Promise<T | undefined> {
    const socket = await connect(this.paths.socket)
    if (!socket) return undefined
    try {
      return (await rpc(socket, method, params, tokenOf(this.paths.cliToken))) as T
    } catch (error) {
      if (!(error instanceof TermicError) || error.code !== 'daemon.lost') throw error
      // It was dying when it was reached, if nobody is there now.
      const another = await connect(this.paths.socket)
      another?.destroy()
      if (another) throw error
      return undefined
    }
  }
}

/** Prints what a plain command answers with, in the format that was asked for. */
export function show(format: OutputFormat, answer: string | object): void {
  const shown = format === 'stream-json' ? {type: 'result', result: answer} : answer
  writeAll(1, Buffer.from(`${typeof shown === 'string' ? shown : JSON.stringify(shown)}\n`))
}
