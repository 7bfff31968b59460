import type {Clock} from './clock.ts'
import type {DaemonLog} from './daemon/daemon-log.ts'
import type {DataDir} from './daemon/data-dir.ts'
import type {EventBus} from './events/event-bus.ts'
import type {FactsCache} from './git/facts-cache.ts'
import type {LoginEnvironment} from './login-environment.ts'
import type {Settings} from './settings/settings.ts'
import type {Store} from './store/store.ts'

/** What every service of the core stands on; tests bring their own clock and data directory. */
export interface Base {
  readonly store: Store
  readonly events: EventBus
  readonly clock: Clock
  readonly settings: Settings
  readonly paths: DataDir
  readonly log: DaemonLog
  readonly facts: FactsCache
  /** For callers that bring no environment. */
  readonly login: LoginEnvironment
  readonly program: Program
  /** Resolves when what the last daemon left half done is finished or undone; makers of tasks wait for it. */
  recovered: Promise<void>
  /** The user's home directory. */
  readonly home: string
}

/** Where this installation is, for the processes it starts. */
export interface Program {
  /** The Node that runs the daemon. */
  readonly node: string
  readonly hostEntry: string
  /** `bin/termic`, absolute. */
  readonly cli: string
}
