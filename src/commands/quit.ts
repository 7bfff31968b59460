import * as Flags from '@oclif/core/flags'
import {confirm} from '../client/confirm.ts'
import {launchDaemon} from '../client/launch-daemon.ts'
import {LocalCommand} from '../client/local-command.ts'
import {isOwnSocket} from '../core/daemon/data-dir.ts'
import {fail} from '../core/errors.ts'
import {hasLiveHost} from '../core/pane/live-hosts.ts'

interface Quit {
  running: boolean
  quitting: boolean
  tasks: string[]
  panes: number
  working: number
}

/** `termic quit`: end the daemon and every terminal. */
export default class QuitCommand extends LocalCommand<Quit> {
  static override summary =
    'end the daemon and all agents (for a person: an agent must never run this); asks first'
  static override flags = {yes: Flags.boolean({summary: 'do not ask', char: 'y'})}

  protected override async answer(flags: Record<string, unknown>): Promise<Quit> {
    const preview = await this.#preview()
    if (!preview) {
      if (!isOwnSocket(this.paths))
        fail('daemon.not-running', {why: ` at TERMIC_SOCKET (${this.paths.socket})`})
      return {running: false, quitting: false, tasks: [], panes: 0, working: 0}
    }
    if (flags.yes !== true && preview.panes > 0) await this.#agree(preview)
    return (
      (await this.ask<Quit>('daemon.quit', {commit: true})) ?? {...preview, running: false, quitting: false}
    )
  }

  /** Terminals outlive a daemon that stopped or died; a new one takes them up, so that they can be ended. */
  async #preview(): Promise<Quit | undefined> {
    const preview = await this.ask<Quit>('daemon.quit', {commit: false})
    if (preview || !isOwnSocket(this.paths) || !hasLiveHost(this.paths.panes)) return preview
    if (process.env.TERMIC_NO_LAUNCH === '1')
      fail('daemon.not-running', {why: ', terminals are, and --no-launch was given'})
    await launchDaemon(this.paths)
    return this.ask<Quit>('daemon.quit', {commit: false})
  }

  async #agree({panes, working, tasks}: Quit): Promise<void> {
    const question = `end ${panes} terminal${panes === 1 ? '' : 's'} (${tasks.join(', ')}; ${working} working) and the daemon?`
    const answer = await confirm(question)
    if (answer === 'no') fail('confirm.declined')
    if (answer === 'none') fail('confirm.no-terminal', {question, flag: 'yes'})
  }

  protected override text({running, panes}: Quit): string {
    return running
      ? `the daemon and ${panes} terminal${panes === 1 ? '' : 's'} ended; tasks and their worktrees are kept`
      : 'no daemon was running'
  }
}
