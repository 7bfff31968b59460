import {cliWords} from '../registry/registry.ts'
import {lowerFirst} from '../text/lower-first.ts'

/** What is wrong with an argv, and where its command tells what would be right. */
export function usageSentence(reason: string, commandId: string): string {
  return `${reason}; \`termic ${cliWords(commandId)} --help\` shows its usage`
}

/** oclif's messages run over several lines and end in "See more help with --help". */
export function oclifReason(error: Error): string {
  const lines = error.message
    .split('\n')
    .filter(line => line.trim() !== '' && !line.includes('See more help'))
  return lowerFirst(lines.join(' ').replace(/\s+/g, ' ').trim())
}
