import type * as z from 'zod'
import {lowerFirst} from '../text/lower-first.ts'

/** What a schema has against a value, for a person. */
export function whyNotValid({issues: [issue]}: z.ZodError): string {
  switch (issue?.code) {
    case 'too_small':
      return issue.origin === 'string'
        ? 'it is empty'
        : `it must be at least ${amount(issue.origin, issue.minimum)}`
    case 'too_big':
      return `it must be at most ${amount(issue.origin, issue.maximum)}`
    case 'invalid_type':
      return `it must be ${nouns[issue.expected] ?? issue.expected}`
    default:
      return lowerFirst(issue?.message ?? 'it does not fit')
  }
}

const nouns: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

function amount(origin: string, limit: number | bigint): string {
  return origin === 'array' ? `${limit} of them` : String(limit)
}
