import {basename, dirname} from 'node:path'

const here = import.meta.dirname

/** Where the entries, `commands/` and `plugins/` lie: the sources, or the bundle (which may put this module into its chunks). */
export const programDir = basename(here) === 'chunks' ? dirname(here) : here
