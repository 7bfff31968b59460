import {dataDir} from '../core/daemon/data-dir.ts'
import {version} from '../version.ts'
import {connect} from './connect.ts'
import {runCall} from './run-call.ts'
import {tokenOf} from './token-of.ts'

/**
 * The thin client: finds the daemon, starts it when there is none, sends argv and does what it is told. It looks at
 * nothing in argv but a leading --no-launch, and loads nothing that a running daemon makes unnecessary.
 */
async function main(): Promise<number> {
  const noLaunch = process.argv[2] === '--no-launch' || process.env.TERMIC_NO_LAUNCH === '1'
  const argv = process.argv.slice(process.argv[2] === '--no-launch' ? 3 : 2)
  // For a command that runs in this process and would start a daemon by itself.
  if (noLaunch) process.env.TERMIC_NO_LAUNCH = '1'
  const paths = dataDir(process.env)

  let socket = await connect(paths.socket)
  if (!socket) {
    const {withoutDaemon} = await import('./without-daemon.ts')
    const outcome = await withoutDaemon({argv, noLaunch, paths})
    if ('exit' in outcome) return outcome.exit
    socket = outcome.socket
  }
  return runCall({
    argv,
    socket,
    paths,
    noLaunch,
    version,
    token: () => tokenOf(paths.cliToken),
  })
}

main()
  .catch(async (error: unknown) => {
    const {report} = await import('./report.ts')
    return report(error, process.argv.slice(2))
  })
  .then(exit => process.exit(exit))
