import {test} from 'uvu'
import {pathOf, type ShellName} from './shell-under-test.ts'

type Run = (shell: ShellName) => Promise<void>

const missing = new Set<ShellName>()

/** One test per shell; a shell that isn't installed is skipped by name. */
export function inEachShell(
  sentence: string,
  run: Run,
  shells: readonly ShellName[] = ['bash', 'zsh', 'fish'],
): void {
  for (const shell of shells) {
    const has = pathOf(shell) !== null
    if (!has && !missing.has(shell)) console.log(`SKIPPED: ${shell} is not installed`)
    if (!has) missing.add(shell)
    const add = has ? test : test.skip
    add(`${shell}: ${sentence}`, () => run(shell))
  }
}

/** `text` as one word of the shell, byte for byte. */
export function quoted(shell: ShellName, text: string): string {
  return shell === 'fish' ? `'${text.replace(/[\\']/g, '\\$&')}'` : `'${text.replaceAll("'", `'\\''`)}'`
}

/** A command line of each shell. */
export function posixOrFish(shell: ShellName, posix: string, fish: string): string {
  return shell === 'fish' ? fish : posix
}
