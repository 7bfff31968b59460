import * as z from 'zod'
import {fail} from '../errors.ts'
import {type SettingPattern, settingsSchema} from './settings-schema.ts'

/**
 * A value for a setting: as JSON gives it, or as the text that a person typed, which is read by what the setting takes.
 * Throws `settings.bad-value`.
 */
export function readSetting(key: string, pattern: SettingPattern, value: unknown): unknown {
  const refuse = (reason: string): never =>
    fail('settings.bad-value', {
      key,
      value: typeof value === 'string' ? value : JSON.stringify(value),
      reason,
    })
  const schema = settingsSchema[pattern]
  if (value === undefined || value === null) return refuse('a value is needed')
  const reading = typeof value === 'string' ? readings[typeOf(schema)]?.(value) : {value}
  if (reading === undefined) return refuse(expectations[typeOf(schema)] ?? 'it does not fit')
  const result = schema.safeParse(reading.value)
  return result.success ? result.data : refuse(firstIssue(result.error))
}

/** What zod has against a value, in its words. */
export function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues
  return issue ? issue.message.replace(/^Invalid input: /, '') : 'it does not fit'
}

type TypeName = 'boolean' | 'integer' | 'string' | 'array'

function typeOf(schema: z.ZodType): TypeName {
  return z.toJSONSchema(schema, {io: 'input'}).type as TypeName
}

const readings: Record<TypeName, (text: string) => {value: unknown} | undefined> = {
  string: text => ({value: text}),
  boolean: text =>
    /^(true|on|yes)$/i.test(text)
      ? {value: true}
      : /^(false|off|no)$/i.test(text)
        ? {value: false}
        : undefined,
  integer: text => (/^-?\d{1,15}$/.test(text) ? {value: Number(text)} : undefined),
  array: wordsOf,
}

const expectations: Record<TypeName, string> = {
  string: 'a text is needed',
  boolean: 'it takes true or false',
  integer: 'it takes a whole number',
  array: 'it takes words, or a JSON array where a word has spaces or quotes',
}

/** No shell reads it later, so quotes that look like a shell's are refused instead of becoming parts of a word. */
function wordsOf(text: string): {value: unknown} | undefined {
  if (text.trimStart().startsWith('[')) {
    try {
      return {value: JSON.parse(text)}
    } catch {
      return undefined
    }
  }
  return /["'\\`$]/.test(text) ? undefined : {value: text.split(/\s+/).filter(word => word !== '')}
}
