import * as z from 'zod'
import {textArg} from '../../core/flags.ts'
import {type Context, Verb, type VerbInput} from '../../core/verb/verb.ts'

const result = z.object({key: z.string(), wasSet: z.boolean()})
type Result = z.infer<typeof result>

/** `termic config unset`: back to the default. */
export default class ConfigUnset extends Verb {
  static override summary = 'set a setting back to its default'
  static override args = {key: textArg('name of the setting', {required: true})}
  static override annotations = {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }
  static override mcp = {excluded: 'settings are the person’s own levers'}
  static override whileDisabled = true
  static override get result() {
    return result
  }

  static override async handle({core}: Context, {key}: VerbInput<typeof ConfigUnset>): Promise<Result> {
    return {key, wasSet: core.settings.unset(key)}
  }

  static override render({key, wasSet}: Result): string {
    return wasSet ? `${key} has its default again` : `${key} had its default already`
  }
}
