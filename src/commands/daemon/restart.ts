import {type DaemonStatus, daemonText} from '../../client/daemon-status.ts'
import {launchDaemon} from '../../client/launch-daemon.ts'
import {LocalCommand} from '../../client/local-command.ts'

/** `termic daemon restart`: replace the daemon; agents and waits don't notice. */
export default class DaemonRestart extends LocalCommand<DaemonStatus> {
  static override summary = 'replace the daemon by a new one; agents go on, waits are taken up again'

  protected override async answer(): Promise<DaemonStatus> {
    await this.ask('daemon.stop', {restart: true})
    await launchDaemon(this.paths)
    return (await this.ask<DaemonStatus>('daemon.status')) ?? {running: false}
  }

  protected override text(status: DaemonStatus): string {
    return daemonText(status)
  }
}
