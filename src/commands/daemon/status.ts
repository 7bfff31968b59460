import {type DaemonStatus, daemonText} from '../../client/daemon-status.ts'
import {LocalCommand} from '../../client/local-command.ts'

/** `termic daemon status`: whether one runs, and what it holds. */
export default class DaemonStatusCommand extends LocalCommand<DaemonStatus> {
  static override summary =
    'show whether the daemon runs, its version, socket, log and live panes; never starts it'

  protected override async answer(): Promise<DaemonStatus> {
    return (
      (await this.ask<DaemonStatus>('daemon.status')) ?? {
        running: false,
        dataDir: this.paths.root,
        socket: this.paths.socket,
        log: this.paths.log,
      }
    )
  }

  protected override text(status: DaemonStatus): string {
    return daemonText(status)
  }
}
