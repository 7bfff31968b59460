import {fail} from '../errors.ts'

/** What two names have in common when they are the same task's: no difference of case or of Unicode composition counts. */
export function nameKey(name: string): string {
  // Up and then down is the case folding that JavaScript has (ß and SS, ς and σ).
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

/**
 * The branch of a task of that name: the name itself wherever git allows it, with spaces made hyphens. A name of emoji
 * alone is fine for git and file systems, and so here.
 *
 * Throws `task.bad-name` with the reason for any other name.
 */
export function branchOf(name: string): string {
  const branch = name
    .normalize('NFC')
    .trim()
    .replace(/\p{Zs}+/gu, '-')
  const reason = whyBad(branch)
  if (reason !== undefined) fail('task.bad-name', {name: printable(name), reason})
  return branch
}

/** Whether `branchOf` takes the name. */
export function isName(name: string): boolean {
  return (
    whyBad(
      name
        .normalize('NFC')
        .trim()
        .replace(/\p{Zs}+/gu, '-'),
    ) === undefined
  )
}

/**
 * A file name has 255 bytes on every file system in use. git adds `.lock` to a branch's, and a number to that of the
 * worktree's entry.
 */
const maxBytes = 240

/** The rules of git-check-ref-format(1) for branches, and a few of ours; the first that the branch breaks. */
const rules: ReadonlyArray<readonly [RegExp, string]> = [
  [/^$/, 'it is empty'],
  [/^-/, 'it begins with "-", which programs take for an option'],
  [/[\p{Cc}\u2028\u2029]/u, 'it has a control character'],
  // Shown, such a name reads as another one.
  [
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u,
    'it has a character that turns the direction of text',
  ],
  [/\p{Cs}/u, 'it is no valid Unicode'],
  [/\\/, 'git does not allow a backslash in a branch name'],
  [/[~^:?*[]/, 'git does not allow any of ~ ^ : ? * [ in a branch name'],
  [/\.\./, 'git does not allow ".." in a branch name'],
  [/@\{|^@$/, 'git gives "@" another meaning there'],
  [/^\/|\/$|\/\//, 'a "/" needs a name on both its sides'],
  [/(^|\/)\./, 'no part of it may begin with "."'],
  [/\.$/, 'it ends with "."'],
  [/\.lock(\/|$)/i, 'no part of it may end with ".lock"'],
  [/^HEAD$/i, 'git keeps the name HEAD for itself'],
  [/^refs\//, 'a branch name does not begin with "refs/"'],
  [/^[0-9a-f]{40}([0-9a-f]{24})?$/i, 'it looks like a commit'],
  [/^[^\p{L}\p{N}\p{S}]*$/u, 'it has no letter, digit or symbol'],
]

function whyBad(branch: string): string | undefined {
  const broken = rules.find(([pattern]) => pattern.test(branch))
  if (broken !== undefined) return broken[1]
  return Buffer.byteLength(directoryOf(branch)) > maxBytes ? `it is longer than ${maxBytes} bytes` : undefined
}

/** Control characters as escapes, for a message. */
function printable(name: string): string {
  return JSON.stringify(name)
    .slice(1, -1)
    .replace(/[\x7f-\x9f\u2028\u2029]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * The directory of a branch's worktree, different for every branch: `fix/login` → `fix+login`, with `+` and `=` escaped as
 * `=p` and `=e`. All three are safe unquoted in a shell and in a URL's path; `%` and `~` are not (zsh's extended globbing).
 */
export function directoryOf(branch: string): string {
  return branch.replace(/[+=/]/g, char => encoded[char] ?? char).normalize('NFC')
}

/** The branch that `directoryOf` made a directory's name from; undefined for a name that it never gives. */
export function decodeDirectory(directory: string): string | undefined {
  // Decomposed, as a combining mark after an escape has become one letter with it ("=p" + acute).
  const branch = directory
    .normalize('NFD')
    .replace(/=[pe]|\+/g, code => decoded[code] ?? code)
    .normalize('NFC')
  return directoryOf(branch) === directory.normalize('NFC') ? branch : undefined
}

const encoded: Readonly<Record<string, string>> = {'/': '+', '+': '=p', '=': '=e'}
const decoded: Readonly<Record<string, string>> = {'+': '/', '=p': '+', '=e': '='}

const derivedWords = 6
const derivedLength = 40

/**
 * A free name for a task that got none: a branch's own name, or the first words of a prompt; with -2, -3 … when it is taken.
 * `taken` tells of a name's key (`nameKey`).
 */
export function derivedName(source: string, taken: (key: string) => boolean): string {
  const base = !/\s/.test(source.trim()) && isName(source) ? branchOf(source) : fromWords(source)
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : withNumber(base, number)
    if (!taken(nameKey(name))) return name
  }
}

function fromWords(text: string): string {
  // A long prompt's first words are all that is looked at.
  const words =
    text
      .slice(0, 1_000)
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  let name = ''
  for (const word of words.slice(0, derivedWords)) {
    if (name !== '' && name.length + 1 + word.length > derivedLength) break
    name = name === '' ? [...word].slice(0, derivedLength).join('') : `${name}-${word}`
  }
  return isName(name) ? branchOf(name) : 'task'
}

function withNumber(base: string, number: number): string {
  const ending = `-${number}`
  let start = base
  while (!isName(start + ending)) start = [...start].slice(0, -1).join('')
  return branchOf(start + ending)
}
