import type {Socket} from 'node:net'
import {TermicError} from '../core/errors.ts'
import type {CallOptions} from './call-options.ts'
import {connect} from './connect.ts'
import {report} from './report.ts'
import {rpc} from './rpc.ts'
import {withoutDaemon} from './without-daemon.ts'

/** A client newer than the daemon: stops it through the frozen `daemon.stop` and starts its own. Panes don't notice. */
export async function replaceDaemon(
  {paths, noLaunch, argv, version, token}: CallOptions,
  older: string,
): Promise<{exit: number} | {socket: Socket}> {
  try {
    if (noLaunch) throw new TermicError('version.daemon-older', {client: version, daemon: older})
    const socket = await connect(paths.socket)
    if (socket) await rpc(socket, 'daemon.stop', {restart: true}, token())
  } catch (error) {
    return {exit: report(error, argv)}
  }
  return withoutDaemon({argv, noLaunch: false, paths, reconnect: true})
}
