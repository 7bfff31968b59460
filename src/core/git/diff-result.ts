import * as z from 'zod'

const count = z.int().min(0)

/** What `diff` answers with; the counts are those of list and status. */
export const diffResult = z.object({
  taskId: z.string(),
  filesChanged: count,
  insertions: count,
  deletions: count,
  untracked: count,
  truncated: z.boolean().describe('files are missing in the list or numbers are lower bounds'),
  commits: z.array(z.object({hash: z.string(), subject: z.string()})),
  files: z.array(
    z.object({
      path: z.string(),
      status: z.enum([
        'added',
        'modified',
        'deleted',
        'renamed',
        'copied',
        'typechange',
        'unmerged',
        'untracked',
      ]),
      untracked: z.boolean(),
      oldPath: z.string().optional(),
      binary: z.boolean(),
      insertions: count.nullable(),
      deletions: count.nullable(),
      oldMode: z.string().optional(),
      newMode: z.string().optional(),
    }),
  ),
  patch: z.string().optional().describe('with full: a page of the patch'),
  offset: count.optional().describe('byte of the whole patch at which the page begins'),
  nextOffset: count.optional().describe('where to go on until eof'),
  eof: z.boolean().optional(),
})
export type DiffResult = z.infer<typeof diffResult>
