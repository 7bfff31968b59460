import * as z from 'zod'
import {textArg} from '../../core/flags.ts'
import {settingEntry} from '../../core/settings/setting-entry.ts'
import {type Context, Verb, type VerbInput} from '../../core/verb/verb.ts'

const result = z.object({setting: settingEntry})
type Result = z.infer<typeof result>

/** `termic config get`: one setting. */
export default class ConfigGet extends Verb {
  static override summary = 'print the value of a setting'
  static override args = {key: textArg('name of the setting', {required: true})}
  static override annotations = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }
  static override mcp = {excluded: 'settings are the person’s own levers'}
  static override whileDisabled = true
  static override get result() {
    return result
  }

  static override async handle({core}: Context, {key}: VerbInput<typeof ConfigGet>): Promise<Result> {
    return {setting: core.settings.entry(key)}
  }

  static override render({setting: {value}}: Result): string {
    return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  }
}
