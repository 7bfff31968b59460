import * as Args from '@oclif/core/args'
import {LocalCommand} from '../client/local-command.ts'
import {fail} from '../core/errors.ts'
import {type HelpDocument, helpDocument} from '../core/help/help-document.ts'
import {localHelp} from '../core/help/local-help.ts'
import {overview} from '../core/help/overview.ts'
import {verbHelp} from '../core/help/verb-help.ts'
import {registryOfThisProgram} from '../local.ts'
import {version} from '../version.ts'

type Shown = HelpDocument & {text?: string}

/** `termic help`: of all commands or of one, with or without a daemon. */
export default class Help extends LocalCommand<Shown> {
  static override summary =
    'show help; --json prints every command with its flags, exit codes and JSON Schemas'
  static override args = {
    command: Args.string({description: 'the command to explain', multiple: true, ignoreStdin: true}),
  }

  protected override async answer(): Promise<Shown> {
    const registry = await registryOfThisProgram()
    const words = this.argv.filter(word => !word.startsWith('-'))
    const document = await helpDocument(registry, version)
    const shown = (text: string, commands = document.commands): Shown =>
      Object.defineProperty({...document, commands}, 'text', {value: text, enumerable: false})
    if (words.length === 0) return shown(overview(registry, version))
    const match = registry.match(words)
    if (!match) {
      const below = document.commands.filter(({name}) => name.startsWith(`${words.join(' ')} `))
      if (below.length === 0) fail('usage.unknown-verb', {verb: words.join(' ')})
      return shown(below.map(({name, about}) => `termic ${name}: ${about}`).join('\n'), below)
    }
    const {id} = match.entry
    const verb = await registry.verb(id)
    const text = verb ? verbHelp(verb) : localHelp(id, (await registry.command(id)) as {summary?: string})
    return shown(
      text,
      document.commands.filter(({name}) => name === id.replace(/^task\./, '').replaceAll('.', ' ')),
    )
  }

  protected override text({text = ''}: Shown): string {
    return text
  }
}
