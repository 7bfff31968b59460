import {sep} from 'node:path'

/** True for the directory itself and everything below it; by components, so `/a/bc` is not inside `/a/b`. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
}
