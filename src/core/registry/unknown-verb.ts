import type {ErrorData} from '../errors.ts'
import {nearest} from '../text/nearest.ts'
import type {Registry} from './registry.ts'

/** The data of `usage.unknown-verb` for words that begin no command, with a guess at what was meant. */
export function unknownVerb(registry: Registry, words: readonly string[]): ErrorData {
  const verb = words[0] ?? ''
  const below = registry.below(verb)
  if (below.length > 0) return {verb: words.slice(0, 2).join(' '), hint: ` (${verb} has ${below.join(', ')})`}
  const near = nearest(verb, registry.topics())
  return {verb, hint: near ? ` (did you mean ${near}?)` : ''}
}
