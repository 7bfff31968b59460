import {LocalCommand} from '../../client/local-command.ts'

/** `termic daemon stop`: end the daemon; agents go on in their pane hosts. */
export default class DaemonStop extends LocalCommand<{running: boolean; stopped: boolean}> {
  static override summary = 'stop the daemon; agents go on and the next daemon finds them'

  protected override async answer(): Promise<{running: boolean; stopped: boolean}> {
    const answer = await this.ask('daemon.stop')
    return {running: false, stopped: answer !== undefined}
  }

  protected override text({stopped}: {stopped: boolean}): string {
    return stopped
      ? 'the daemon has stopped; agents go on, and the next command starts it again'
      : 'no daemon was running'
  }
}
