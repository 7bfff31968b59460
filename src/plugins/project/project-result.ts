import {z} from 'termic/verb'

/** A project as its verbs answer with it. */
export const projectResult = z.object({
  id: z.string(),
  name: z.string(),
  root: z.string(),
  base: z.string().optional(),
  tasks: z.int().min(0).describe('live ones'),
})
