import type {ErrorCode} from '../../../src/core/errors.ts'
import type {Repository} from '../../fixtures/repository.ts'
import type {RunOptions} from '../../fixtures/running.ts'
import type {PrivateTermic} from '../../fixtures/termic.ts'

/** What provocations find: a termic with the project `shop` and in it the live task `one`. */
export interface Scene {
  termic: PrivateTermic
  shop: Repository
  /** A task of its own for a provocation that damages it; answers its worktree. */
  newTask(name: string): Promise<Repository>
}

/** A call that ends in an expected failure, twice: once for people and once for programs. */
export interface Provocation extends RunOptions {
  argv: readonly string[]
  /** Takes back what would trouble the next one. */
  restore?(): unknown
}

export type Provocations = Partial<Record<ErrorCode, (scene: Scene) => Provocation | Promise<Provocation>>>
