import {cliWords} from '../registry/registry.ts'
import {table} from '../text/table.ts'

/** Help of a plain command, which runs in the client. */
export function localHelp(
  id: string,
  command: {summary?: string; flags?: object; examples?: unknown[]},
): string {
  const flags = Object.entries((command.flags ?? {}) as Record<string, {char?: string; summary?: string}>)
  const [first, ...rest] = flags.map(([name, {char, summary}]) => [
    `${char ? `-${char}, ` : '    '}--${name}`,
    summary ?? '',
  ])
  const lines = first ? ['', 'flags:', table(first, rest).replace(/^/gm, '  ')] : []
  return [command.summary ?? '', '', 'usage:', `  termic ${cliWords(id)}`, ...lines].join('\n')
}
