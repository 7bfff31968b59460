import {test} from 'uvu'
import {pathOf, type ShellName} from './shell-under-test.ts'

type Run = (shell: ShellName) => Promise<void>

/** One test per shell; a shell that isn't installed is skipped by name. */
export function inEachShell(
  sentence: string,
  run: Run,
  shells: readonly ShellName[] = ['bash', 'zsh', 'fish'],
): void {
  for (const shell of shells) {
    const add = pathOf(shell) === null ? test.skip : test
    const note = pathOf(shell) === null ? ' (SKIPPED, since it is not installed)' : ''
    add(`${shell}: ${sentence}${note}`, () => run(shell))
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
