import {cliWords} from '../registry/registry.ts'
import {localExits} from './exit-meanings.ts'
import {exitSection, flagSpelling, globalSection, helpText, rows} from './help-text.ts'

/** What help reads of a plain command's class. */
export interface LocalHelp {
  summary?: string
  aliases?: readonly string[]
  args?: Record<string, {description?: string; required?: boolean; multiple?: boolean}>
  flags?: Record<string, {char?: string; summary?: string; type?: string; helpValue?: string}>
}

/** Help of a plain command, which runs in the client. */
export function localHelp(
  id: string,
  {summary = '', aliases = [], args = {}, flags = {}}: LocalHelp,
): string {
  const shown = Object.entries(args).map(([name, {required, multiple}]) => {
    const word = name.toUpperCase() + (multiple ? '…' : '')
    return required ? word : `[${word}]`
  })
  const usage = ['termic', cliWords(id), ...shown, ...(Object.keys(flags).length > 0 ? ['[flags]'] : [])]
  return helpText(summary, [
    ['usage', [usage.join(' '), ...aliases.map(alias => `termic ${alias}`)]],
    [
      'arguments',
      rows(Object.entries(args).map(([name, arg]) => [name.toUpperCase(), arg.description ?? ''])),
    ],
    [
      'flags',
      rows(
        Object.entries(flags).map(([name, {char, summary = '', type, helpValue}]) => [
          flagSpelling(
            `--${name}`,
            char && `-${char}`,
            type === 'boolean' ? undefined : (helpValue ?? 'VALUE'),
          ),
          summary,
        ]),
      ),
    ],
    globalSection(),
    exitSection(localExits),
  ])
}
