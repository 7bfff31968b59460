import {fail} from '../errors.ts'
import {cliWords, type Registry} from '../registry/registry.ts'
import {unknownVerb} from '../registry/unknown-verb.ts'
import {type HelpDocument, helpDocument} from './help-document.ts'
import {type LocalHelp, localHelp} from './local-help.ts'
import {overview} from './overview.ts'
import {verbHelp} from './verb-help.ts'

/** The same help for people and for programs. */
export interface Help {
  text(): Promise<string>
  document(): Promise<HelpDocument>
}

/** Help of what `words` name: every command, those of a topic, or one. Throws `usage.unknown-verb`. */
export function helpFor(registry: Registry, version: string, words: readonly string[]): Help {
  const ofCommands = (ids: readonly string[], text: () => Promise<string>): Help => {
    return {text, document: () => helpDocument(registry, version, ids)}
  }
  if (words.length === 0)
    return ofCommands([...registry.entries.keys()], async () => overview(registry, version))
  const match = registry.match(words)
  if (match?.taken === words.length) {
    const {id} = match.entry
    return ofCommands([id], () => helpOfOne(registry, id))
  }
  const below = [...registry.entries.keys()].filter(id => id.startsWith(`${words.join('.')}.`))
  if (match) return fail('usage.unknown-verb', {verb: words.join(' ')})
  if (below.length === 0) return fail('usage.unknown-verb', unknownVerb(registry, words))
  return ofCommands(below, async () =>
    below.map(id => `termic ${cliWords(id)}: ${about(registry, id)}`).join('\n'),
  )
}

async function helpOfOne(registry: Registry, id: string): Promise<string> {
  const verb = await registry.verb(id)
  return verb ? verbHelp(verb) : localHelp(id, (await registry.command(id)) as LocalHelp)
}

function about(registry: Registry, id: string): string {
  return registry.entries.get(id)?.summary ?? ''
}
