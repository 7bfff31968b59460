import type {Core} from '../core/core.ts'
import type {DaemonLog} from '../core/daemon/daemon-log.ts'
import type {DataDir} from '../core/daemon/data-dir.ts'
import type {Registry} from '../core/registry/registry.ts'
import type {Settings} from '../core/settings/settings.ts'

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
  /** Calls under way: what a graceful stop waits for. */
  calls: Set<object>
  /** Ends the daemon after the answer in hand was written; `panes`: end all panes too. */
  stop(reason: string, options?: {panes: true}): void
  isStopping(): boolean
}
