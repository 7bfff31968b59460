import * as z from 'zod'
import {evidenceSources} from './agent/types.ts'

/**
 * Schemas of what verbs answer with, the same in the socket, MCP and `--json`. Additive only. Times are epoch
 * milliseconds; null or an absent field means unknown, never zero.
 */

const count = z.int().min(0)

export const agentState = z.object({
  name: z.enum(['starting', 'working', 'waiting', 'done', 'idle', 'exited', 'lost', 'unknown', 'inactive']),
  since: z.int(),
  evidence: z.object({source: z.enum(evidenceSources), at: z.int(), detail: z.string()}),
  confidence: z.enum(['exact', 'heuristic']),
  waitingFor: z.enum(['question', 'approval', 'trust', 'login', 'limit']).optional(),
  exitCode: z.int().optional(),
})

export const delivery = z.object({
  id: z.string(),
  taskId: z.string(),
  pane: z.string().describe('%7'),
  state: z.enum(['queued', 'written', 'submitted', 'started', 'settled', 'failed']),
  attempt: count,
  reason: z.string().optional(),
  detail: z.string().optional(),
  exitCode: z.int().optional(),
  confirmed: z.enum(['exact', 'echo', 'no']),
  createdAt: z.int(),
  writtenAt: z.int().optional(),
  submittedAt: z.int().optional(),
  startedAt: z.int().optional(),
  settledAt: z.int().optional(),
})

export const diffCounts = z.object({
  filesChanged: count,
  insertions: count,
  deletions: count,
  untracked: count,
})

/** Counts with their age; `error` in their place when git failed. */
export const diffFacts = z.object({
  value: diffCounts.nullable(),
  checkedAt: z.int(),
  error: z.string().optional(),
})

export const taskSummary = z.object({
  id: z.string(),
  name: z.string(),
  project: z.string(),
  agent: z.string(),
  branch: z.string(),
  base: z.string(),
  path: z.string(),
  missing: z.boolean().describe('the worktree was deleted by hand'),
  state: agentState,
  queued: count.describe('prompts that no agent has taken yet'),
  diff: diffFacts,
  startedBy: z.string(),
  parentId: z.string().optional(),
  createdAt: z.int(),
})

export const pane = z.object({
  pane: z.string().describe('%7'),
  kind: z.enum(['agent', 'shell', 'command', 'browser']),
  agent: z.string().optional(),
  command: z.array(z.string()),
  cwd: z.string(),
  state: agentState,
  startedBy: z.string(),
  createdAt: z.int(),
})

export const taskStatus = taskSummary.extend({
  baseCommit: z.string(),
  head: z.object({branch: z.string().nullable().describe('null: detached'), commit: z.string()}).nullable(),
  dirty: z.object({changed: count, untracked: count}).nullable(),
  tabs: z.array(
    z.object({
      id: z.string(),
      number: count,
      title: z.string(),
      isDefault: z.boolean(),
      panes: z.array(pane),
    }),
  ),
  queue: z.array(delivery),
  lastDelivery: delivery.optional(),
})

export const waitResult = z.object({
  taskId: z.string(),
  task: z.string(),
  outcome: z.enum(['done', 'needs_input', 'timeout', 'not_delivered', 'lost']),
  state: z.string().optional(),
  detail: z.string().optional(),
  exitCode: z.int().optional().describe('of the command, where the agent has one'),
})

export type AgentStateResult = z.infer<typeof agentState>
export type DeliveryResult = z.infer<typeof delivery>
export type TaskSummary = z.infer<typeof taskSummary>
export type TaskStatus = z.infer<typeof taskStatus>
export type WaitResult = z.infer<typeof waitResult>
export type DiffFacts = z.infer<typeof diffFacts>
