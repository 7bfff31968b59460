import {homedir} from 'node:os'
import {join} from 'node:path'
import {Agents} from './core/agent/agents.ts'
import type {Base} from './core/base.ts'
import {realClock} from './core/clock.ts'
import {Core} from './core/core.ts'
import {openDaemonLog} from './core/daemon/daemon-log.ts'
import type {DataDir} from './core/daemon/data-dir.ts'
import type {HeldLock} from './core/daemon/lock.ts'
import {mintToken} from './core/daemon/token.ts'
import {loginEnvironment, stripOwn} from './core/environment.ts'
import {EventBus} from './core/events/event-bus.ts'
import {FactsCache} from './core/git/facts-cache.ts'
import {Registry} from './core/registry/registry.ts'
import {Settings} from './core/settings/settings.ts'
import {openStore} from './core/store/open-store.ts'
import {recoverTasks} from './core/task/recover-tasks.ts'
import {Calls} from './presentations/calls.ts'
import type {Service} from './presentations/service.ts'
import {SocketServer} from './presentations/socket/server.ts'
import {version} from './version.ts'

/** How long calls under way may take to finish when the daemon is asked to stop, in milliseconds. */
const drainMs = 5_000
/** How often the daemon looks whether its lock and its socket are still there and its own. */
const fileCheckMs = 5_000

/**
 * Puts the daemon together and listens. Panes are adopted before the first answer, so that none shows a state that is
 * not so; half-made tasks may need to wait for a git that still runs, so they are taken back beside it.
 */
export async function runDaemon({
  paths,
  lock,
  root,
}: {
  paths: DataDir
  lock: HeldLock
  root: string
}): Promise<void> {
  stripOwn(process.env)
  const log = openDaemonLog(paths.log)
  process.on('uncaughtException', error => log.error('uncaught', error))
  process.on('unhandledRejection', reason => log.error('unhandled', reason))

  const store = openStore(paths.stateDb)
  const settings = new Settings(paths.settings)
  const base: Base = {
    ...{store, settings, paths, log, clock: realClock, home: homedir(), recovered: Promise.resolve()},
    events: new EventBus(store),
    facts: new FactsCache(() => Date.now()),
    login: loginEnvironment(),
    program: {node: process.execPath, hostEntry: join(root, 'host.js'), cli: join(root, '../bin/termic')},
  }
  const [agents, registry] = await Promise.all([Agents.load(root, settings), Registry.open(root)])
  const core = new Core(base, agents)
  base.events.listen(({taskId}) => base.facts.markChanged(taskId), {types: ['state']})
  await core.panes.adoptAll()
  base.recovered = recoverTasks(base, core.panes)

  let stopping = false
  const service: Service = {
    ...{core, registry, settings, log, paths, version},
    token: mintToken(paths.cliToken),
    startedAt: Date.now(),
    calls: new Calls(),
    stop: (reason, options) => void stop(reason, options),
    isStopping: () => stopping,
  }
  const server = await SocketServer.listen(service)
  log.info(`termic ${version} listens (pid ${process.pid}, ${core.panes.liveCount()} live panes)`)

  const fileCheck = setInterval(() => {
    if (!lock.isIntact()) void stop('its lock file was removed')
    else server.keep().catch(error => log.error('the socket could not be bound again', error))
  }, fileCheckMs)

  async function stop(reason: string, {panes, restart = false}: StopOptions = {}): Promise<void> {
    if (stopping) return
    stopping = true
    clearInterval(fileCheck)
    log.info(`stopping: ${reason}`)
    server.stopListening()
    // Before the panes are ended, since a call that makes one may be under way.
    await service.calls.end({isReplaced: restart, limitMs: drainMs})
    if (panes) await core.panes.endAll('termic quit')
    core.panes.close()
    base.events.close()
    store.close()
    lock.release()
    log.close()
    // Last: the end of its connection tells a client that the next daemon can have the lock.
    server.close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      void stop(signal)
    })
  }
  // A terminal that closes must not end the daemon that was started from it.
  process.on('SIGHUP', () => log.info('SIGHUP, which is ignored'))
}

type StopOptions = NonNullable<Parameters<Service['stop']>[1]>
