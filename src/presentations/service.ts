import type {Core} from '../core/core.ts'
import type {DaemonLog} from '../core/daemon/daemon-log.ts'
import type {DataDir} from '../core/daemon/data-dir.ts'
import type {Registry} from '../core/registry/registry.ts'
import type {Settings} from '../core/settings/settings.ts'
import type {Calls} from './calls.ts'

/** What every presentation is given. */
export interface Service {
  core: Core
  registry: Registry
  settings: Settings
  log: DaemonLog
  paths: DataDir
  version: string
  token: string
  startedAt: number
  calls: Calls
  /** Ends the daemon after the answer in hand was written; `panes`: all panes too; `restart`: another one follows. */
  stop(reason: string, options?: {panes?: true; restart?: boolean}): void
  isStopping(): boolean
}
