import * as Args from '@oclif/core/args'
import {LocalCommand} from '../client/local-command.ts'
import {type Help, helpFor} from '../core/help/help-for.ts'
import {registryOfThisProgram} from '../local.ts'
import {version} from '../version.ts'

/** `termic help`: of all commands or of one, with or without a daemon. */
export default class HelpCommand extends LocalCommand<Help> {
  static override summary =
    'show help; --json prints every command with its flags, exit codes and JSON Schemas'
  static override args = {
    command: Args.string({description: 'the command to explain', multiple: true, ignoreStdin: true}),
  }

  protected override async answer(_flags: object, words: readonly string[]): Promise<Help> {
    return helpFor(await registryOfThisProgram(), version, words)
  }

  protected override text(help: Help): Promise<string> {
    return help.text()
  }

  protected override json(help: Help): Promise<object> {
    return help.document()
  }
}
