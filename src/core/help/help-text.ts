import {table} from '../text/table.ts'
import {exitMeaning} from './exit-meanings.ts'
import {globalFlags} from './global-flags.ts'

export type Section = readonly [title: string, lines: readonly string[]]

/** The summary, then every section that has lines. */
export function helpText(summary: string, sections: readonly Section[]): string {
  const shown = sections.filter(([, lines]) => lines.length > 0)
  return [
    summary,
    ...shown.map(([title, lines]) => `\n${title}:\n${lines.map(line => `  ${line}`).join('\n')}`),
  ].join('\n')
}

export function globalSection(): Section {
  const cells = globalFlags.map(({flag, short, value, help}) => [
    flagSpelling(flag, short ?? undefined, value ?? undefined),
    help,
  ])
  return ['flags of every verb', rows(cells)]
}

export function exitSection(codes: readonly number[]): Section {
  const sorted = [...codes].sort((a, b) => a - b)
  return ['exit codes', rows(sorted.map(code => [String(code), exitMeaning(code)]))]
}

/** `-n, --lines N`, with the long names below each other. */
export function flagSpelling(flag: string, short?: string, value?: string): string {
  return `${short ? `${short}, ` : '    '}${flag}${value ? ` ${value}` : ''}`
}

export function rows(cells: readonly string[][]): string[] {
  const [first, ...rest] = cells
  return first ? table(first, rest).split('\n') : []
}
