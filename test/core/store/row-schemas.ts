import * as z from 'zod'
import {type AgentState, evidenceSources} from '../../../src/core/agent/types.ts'
import type {Delivery} from '../../../src/core/delivery/types.ts'
import type {PaneExit} from '../../../src/core/pane/types.ts'
import type {CommandRow} from '../../../src/core/store/commands-table.ts'
import type {PaneRow} from '../../../src/core/store/panes-table.ts'
import type {Project, Tab, Task} from '../../../src/core/task/types.ts'

// What the tables hand out, to the letter: the mapping in production is by name and unchecked.
const at = z.int()
const text = z.string()

export const project = z.strictObject({
  ...{
    id: text,
    name: text,
    root: text,
    gitDir: text,
    base: text.optional(),
    tasksPath: text.optional(),
    createdAt: at,
  },
}) satisfies z.ZodType<Project>

export const task = z.strictObject({
  ...{
    id: text,
    projectId: text,
    project: text,
    name: text,
    branch: text,
    branchCreated: z.boolean(),
    base: text,
    baseRef: text.optional(),
  },
  ...{baseCommit: text, path: text, gitDir: text, agent: text, startedBy: text, parentId: text.optional()},
  ...{life: z.enum(['creating', 'live', 'archiving', 'archived']), createdAt: at, archivedAt: at.optional()},
}) satisfies z.ZodType<Task>

export const tab = z.strictObject({
  id: text,
  taskId: text,
  title: text,
  isDefault: z.boolean(),
}) satisfies z.ZodType<Tab>

const agentState = z.strictObject({
  name: z.enum(['starting', 'working', 'waiting', 'done', 'idle', 'exited', 'lost', 'unknown']),
  since: at,
  evidence: z.strictObject({source: z.enum(evidenceSources), at, detail: text}),
  confidence: z.enum(['exact', 'heuristic']),
  waitingFor: z.enum(['question', 'approval', 'trust', 'login', 'limit']).optional(),
  exitCode: z.int().optional(),
}) satisfies z.ZodType<AgentState>

const paneExit = z.strictObject({
  ...{code: z.int(), signal: text.optional(), at, offset: z.int()},
}) satisfies z.ZodType<PaneExit>

export const pane = z.strictObject({
  ...{id: z.int(), taskId: text, tabId: text, kind: z.enum(['agent', 'shell', 'command', 'browser'])},
  ...{
    agent: text.optional(),
    argv: z.array(text),
    cwd: text,
    nonce: text.optional(),
    startedBy: text,
    createdAt: at,
  },
  ...{
    state: agentState,
    journalSeq: z.int(),
    readerState: z.unknown().optional(),
    exited: paneExit.optional(),
  },
  ...{lostAt: at.optional(), closedAt: at.optional()},
}) satisfies z.ZodType<PaneRow>

export const delivery = z.strictObject({
  ...{
    id: text,
    taskId: text,
    pane: z.int(),
    attempt: z.int(),
    detail: text.optional(),
    exitCode: z.int().optional(),
  },
  state: z.enum(['queued', 'written', 'submitted', 'started', 'settled', 'failed']),
  reason: z
    .enum(['agent-exited', 'archived', 'not-confirmed', 'rejected', 'pane-lost', 'cancelled'])
    .optional(),
  confirmed: z.enum(['exact', 'echo', 'no']),
  ...{createdAt: at, writtenAt: at.optional(), submittedAt: at.optional(), startedAt: at.optional()},
  settledAt: at.optional(),
  route: z.enum(['inbox', 'typed']),
  progress: z.looseObject({}).optional(),
}) satisfies z.ZodType<Delivery>

export const command = z.strictObject({
  ...{id: z.int(), pane: z.int(), deliveryId: text.optional(), command: text, cwd: text.optional()},
  ...{exitCode: z.int().optional(), startedAt: at, endedAt: at.optional(), startOffset: z.int()},
  endOffset: z.int().optional(),
}) satisfies z.ZodType<CommandRow>
