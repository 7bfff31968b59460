import type {AgentState} from '../agent/types.ts'
import type {Delivery} from '../delivery/types.ts'
import type {ErrorCode} from '../errors.ts'

/** A directory with a git repository that termic works in. */
export interface Project {
  id: string
  name: string
  /** Main checkout (or the bare repository), canonical. */
  root: string
  /** The repository's common directory (`git rev-parse --git-common-dir`), canonical: resolved once, never re-read from a worktree. */
  gitDir: string
  /** Base of new tasks; absent: found anew each time (remote HEAD, local default branch, HEAD). */
  base?: string
  tasksPath?: string
  createdAt: number
}

export type TaskLife = 'creating' | 'live' | 'archiving' | 'archived'

/** A piece of work in a worktree of its own. */
export interface Task {
  id: string
  projectId: string
  project: string
  name: string
  life: TaskLife
  branch: string
  /** True when `new` made the branch (and may take it back while the task is not yet live). */
  branchCreated: boolean
  /** What the base was resolved from (a ref's name) and the commit that it named then. */
  base: string
  /** Full name of that ref (`refs/remotes/origin/main`); absent when the base is a plain commit. */
  baseRef?: string
  baseCommit: string
  path: string
  /** The worktree's own git directory (`<gitDir>/worktrees/<id>`), resolved at creation. */
  gitDir: string
  agent: string
  /** `cli`, `mcp:<name>`, `task:<id>`, `web`. */
  startedBy: string
  /** The task whose agent made this one. */
  parentId?: string
  createdAt: number
  archivedAt?: number
}

export interface DiffCounts {
  filesChanged: number
  insertions: number
  deletions: number
  untracked: number
  /** True when the numbers are lower bounds, since counting on would have taken too long. */
  truncated?: boolean
}

/** A fact of git with its age. `error` instead of a value when git failed: unknown is never shown as zero. */
export type GitFacts<T> = {checkedAt: number} & (
  | {value: T; error?: undefined}
  // `code` tells `task.missing` (the worktree was removed by hand) from a failure of git.
  | {value?: undefined; error: string; code: ErrorCode}
)

export interface TaskFacts {
  /** Full ref, or null when detached. */
  headRef: string | null
  /** Empty when HEAD names a branch that has no commit (a deleted one, or `git switch --orphan`). */
  headCommit: string
  dirty: {changed: number; untracked: number}
  diff: DiffCounts
  /** Where the worktree is now, when somebody moved it (`git worktree move`) away from the task's path. */
  movedTo?: string
}

export interface Tab {
  id: string
  taskId: string
  title: string
  isDefault: boolean
}

export type PaneKind = 'agent' | 'shell' | 'command' | 'browser'

export interface Pane {
  /** Shown as `%7`. */
  id: number
  taskId: string
  tabId: string
  kind: PaneKind
  agent?: string
  command: string[]
  cwd: string
  startedBy: string
  createdAt: number
  state: AgentState
  /** Open deliveries, oldest first. */
  queue: Delivery[]
}
