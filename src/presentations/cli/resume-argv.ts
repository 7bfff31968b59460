import {isSpelled, type Spelling} from '../../core/argv/take-globals.ts'
import type {LoadedVerb} from '../../core/registry/loaded-verb.ts'
import {spellingsOf} from './parse-argv.ts'

/**
 * The call once more with `flags` set: in place of what `argv` says of them and of the flags that they exclude, and
 * before everything else, where no `--` makes an argument of them.
 */
export function resumeArgv(
  verb: LoadedVerb,
  argv: readonly string[],
  flags: Record<string, string>,
): string[] {
  const names = Object.keys(flags)
  const excluded = verb.parameters.filter(
    ({name, exclusive}) => names.includes(name) || exclusive.some(other => names.includes(other)),
  )
  const excludedByThem = verb.parameters
    .filter(({name}) => names.includes(name))
    .flatMap(({exclusive}) => exclusive)
  const gone = new Set([...excluded.map(({name}) => name), ...excludedByThem])
  const set = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
  return [...verb.id.split('.'), ...set, ...without(argv, spellingsOf(verb), gone)]
}

function without(
  argv: readonly string[],
  spellings: readonly Spelling[],
  gone: ReadonlySet<string>,
): string[] {
  const rest: string[] = []
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string
    if (word === '--') return [...rest, ...argv.slice(i)]
    const flag = spellings.find(flag => isSpelled(word, flag))
    const joined = flag ? undefined : spellings.find(({name}) => word.startsWith(`--${name}=`))
    const words = flag?.takesValue ? argv.slice(i, i + 2) : [word]
    i += words.length - 1
    if (!gone.has((flag ?? joined)?.name ?? '')) rest.push(...words)
  }
  return rest
}
