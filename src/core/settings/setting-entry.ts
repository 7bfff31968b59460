import * as z from 'zod'

/** A setting as verbs answer with it. */
export const settingEntry = z.object({
  key: z.string(),
  value: z.unknown(),
  source: z.enum(['default', 'set']),
  about: z.string().describe('what it is for'),
})
