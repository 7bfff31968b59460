import {cliWords, type Registry} from '../registry/registry.ts'
import {table} from '../text/table.ts'

/** What `termic` and `termic help` print. */
export function overview(registry: Registry, version: string): string {
  const rows = [...registry.entries.values()]
    .map(({id, summary, aliases}) => [
      cliWords(id) + (aliases.length > 0 ? ` (${aliases.join(', ')})` : ''),
      summary,
    ])
    .sort((a, b) => (a[0] ?? '').localeCompare(b[0] ?? ''))
  const [first = ['', ''], ...rest] = rows
  return [
    `termic ${version}: coding agents side by side, each in its own git worktree`,
    '',
    'to begin, in any git repository:',
    '  termic new fix-login -p "npm test"',
    '  termic list',
    '',
    'commands:',
    table(first, rest).replace(/^/gm, '  '),
    '',
    '`termic COMMAND --help` tells all of one; `termic help --json` all of all.',
  ].join('\n')
}
