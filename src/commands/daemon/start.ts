import {type DaemonStatus, daemonText} from '../../client/daemon-status.ts'
import {launchDaemon} from '../../client/launch-daemon.ts'
import {LocalCommand} from '../../client/local-command.ts'

/** `termic daemon start`: start the daemon when none runs. */
export default class DaemonStart extends LocalCommand<DaemonStatus> {
  static override summary = 'start the daemon when none runs (verbs do it by themselves)'

  protected override async answer(): Promise<DaemonStatus> {
    const running = await this.ask<DaemonStatus>('daemon.status')
    if (running) return running
    await launchDaemon(this.paths)
    return (await this.ask<DaemonStatus>('daemon.status')) ?? {running: false}
  }

  protected override text(status: DaemonStatus): string {
    return daemonText(status)
  }
}
