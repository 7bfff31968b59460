import {fail} from '../errors.ts'
import {isSpelled, type Spelling} from './take-globals.ts'

/**
 * Takes free text out of argv before anything else looks at it, so that a prompt may begin with `-` or look like a
 * flag (`-p --help`, `--prompt=--json`): oclif would refuse or obey it. Values of other flags are passed over.
 */
export function takeFreeText(
  argv: readonly string[],
  flags: readonly Spelling[],
): {texts: Map<string, string>; rest: string[]} {
  const texts = new Map<string, string>()
  const rest: string[] = []
  const put = (flag: Spelling, text: string | undefined) => {
    if (text === undefined) fail('usage.invalid', {reason: `--${flag.name} needs a text`})
    if (texts.has(flag.name)) fail('usage.invalid', {reason: `--${flag.name} was given twice`})
    texts.set(flag.name, text)
  }
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string
    if (word === '--') {
      rest.push(...argv.slice(i))
      break
    }
    const flag = flags.find(flag => isSpelled(word, flag))
    const joined = flag
      ? undefined
      : flags.find(flag => flag.freeText && joinedText(word, flag) !== undefined)
    if (flag?.freeText) put(flag, argv[++i])
    else if (joined) put(joined, joinedText(word, joined))
    else {
      rest.push(word)
      if (flag?.takesValue && i + 1 < argv.length) rest.push(argv[++i] as string)
    }
  }
  return {texts, rest}
}

/** `--prompt=TEXT`, `-pTEXT` and `-p=TEXT`. */
function joinedText(word: string, {name, char}: Spelling): string | undefined {
  if (word.startsWith(`--${name}=`)) return word.slice(name.length + 3)
  if (char === undefined || word.startsWith('--') || !word.startsWith(`-${char}`)) return undefined
  return word[2] === '=' ? word.slice(3) : word.slice(2)
}
