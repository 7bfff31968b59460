import * as z from 'zod'
import {settingEntry} from '../../core/settings/setting-entry.ts'
import {table} from '../../core/text/table.ts'
import {type Context, Verb} from '../../core/verb/verb.ts'

const result = z.object({settings: z.array(settingEntry)})
type Result = z.infer<typeof result>

/** `termic config list`: every setting. */
export default class ConfigList extends Verb {
  static override summary = 'list the settings with their values'
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

  static override async handle({core}: Context): Promise<Result> {
    return {settings: core.settings.list()}
  }

  static override render({settings}: Result): string {
    return table(
      ['SETTING', 'VALUE', 'FROM', 'WHAT IT IS FOR'],
      settings.map(({key, value, source, about}) => [key, JSON.stringify(value), source, about]),
    )
  }
}
