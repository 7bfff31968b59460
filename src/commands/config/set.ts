import * as z from 'zod'
import {textArg} from '../../core/flags.ts'
import {settingEntry} from '../../core/settings/setting-entry.ts'
import {type Context, Verb, type VerbInput} from '../../core/verb/verb.ts'

const result = z.object({setting: settingEntry})
type Result = z.infer<typeof result>

/** `termic config set`: change one setting. */
export default class ConfigSet extends Verb {
  static override summary = 'change a setting; a list is given as JSON'
  static override args = {
    key: textArg('name of the setting', {required: true}),
    value: textArg('new value', {required: true}),
  }
  static override examples = [
    'termic config set tasksPath ~/work/tasks',
    `termic config set agents.repl.command '["python3","-i"]'`,
  ]
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

  static override async handle({core}: Context, {key, value}: VerbInput<typeof ConfigSet>): Promise<Result> {
    return {setting: core.settings.set(key, value)}
  }

  static override render({setting: {key, value}}: Result): string {
    return `${key} is now ${JSON.stringify(value)}`
  }
}
