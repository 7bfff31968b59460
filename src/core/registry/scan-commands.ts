import {existsSync, readdirSync} from 'node:fs'
import {join, relative, sep} from 'node:path'

/** A command file and what its place says of it, found without importing it. */
export interface CommandFile {
  /** `task.new`: socket method; the words of the CLI joined by dots. */
  id: string
  /** `core` or the plugin's name. */
  plugin: string
  /** Absolute path of the module. */
  file: string
}

/**
 * Every command below `root` (the sources or the bundle): `commands/**` and `plugins/<name>/commands/**`.
 * The id is the path below `commands/` (10-verbs.md §1).
 */
export function scanCommands(root: string): CommandFile[] {
  const places = [{plugin: 'core', dir: join(root, 'commands')}]
  for (const plugin of list(join(root, 'plugins')))
    places.push({plugin, dir: join(root, 'plugins', plugin, 'commands')})
  return places.flatMap(({plugin, dir}) =>
    list(dir, true)
      .filter(file => /\.(ts|js)$/.test(file) && !file.endsWith('.d.ts'))
      .map(file => ({id: idOf(relative(dir, join(dir, file))), plugin, file: join(dir, file)})),
  )
}

function idOf(path: string): string {
  return path
    .replace(/\.(ts|js)$/, '')
    .split(sep)
    .join('.')
}

function list(dir: string, recursive = false): string[] {
  return existsSync(dir) ? readdirSync(dir, {recursive, encoding: 'utf8'}).sort() : []
}
