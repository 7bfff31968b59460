import type {WaitResult} from '../results.ts'

/** What a person reads at the end of a wait. */
export function outcomeSentence({outcome, detail, exitCode, task}: WaitResult): string {
  const because = detail ? ` (${detail})` : ''
  switch (outcome) {
    case 'done':
      return `the agent has finished${exitCode === undefined ? '' : `, exit code ${exitCode}`}${because}`
    case 'needs_input':
      return `the agent stopped and needs an answer${because}; \`termic status ${task}\` shows it`
    case 'timeout':
      return `the time is over; task ${task} goes on${because}`
    case 'not_delivered':
      return `the prompt was not delivered${because}`
    case 'lost':
      return `the agent's terminal is lost${because}`
  }
}
