import type {Socket} from 'node:net'
import {fail, TermicError} from '../core/errors.ts'
import type {CallOptions} from './call-options.ts'
import {connect} from './connect.ts'
import {rpc} from './rpc.ts'
import {withoutDaemon} from './without-daemon.ts'
import {complain} from './write.ts'

/** A client newer than the daemon: stops it through the frozen `daemon.stop` and starts its own. Panes don't notice. */
export async function replaceDaemon(
  options: CallOptions,
  older: string,
): Promise<{exit: number} | {socket: Socket}> {
  const {paths, noLaunch, argv, version} = options
  if (noLaunch) {
    complain(
      `the running daemon is ${older} and this termic is ${version}; run it again without --no-launch to replace the daemon`,
    )
    return {exit: 1}
  }
  try {
    const socket = await connect(paths.socket)
    if (socket) await rpc(socket, 'daemon.stop', {}, options.token())
  } catch (error) {
    if (!(error instanceof TermicError)) fail('daemon.lost', {what: ' while it was replaced'}, error)
    complain(error.message)
    return {exit: error.exit}
  }
  return withoutDaemon({argv, noLaunch: false, paths, reconnect: true})
}
