import {globSync, readFileSync} from 'node:fs'
import {dirname, join, normalize} from 'node:path'

/** One import or re-export as a source file states it. */
export interface SourceImport {
  /** Relative to the checkout. */
  file: string
  specifier: string
  /** Relative to the checkout, for a file of ours; undefined for packages and Node's own modules. */
  target?: string
  /** `import type`, `export type`: nothing of it is left when the program runs. */
  isTypeOnly: boolean
  /** `import('…')`: loaded when the line is reached, if ever. */
  isDynamic: boolean
}

const staticForm = /^\s*(import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm
const dynamicForm = /\bimport\(\s*['"]([^'"]+)['"]/g
const builtinForm = /\bgetBuiltinModule\(\s*['"]([^'"]+)['"]/g
const requireForm = /\brequire(?:\.resolve)?\(\s*['"]([^'"]+)['"]/g

export const sourceFiles: readonly string[] = globSync('src/**/*.ts').sort()

/** Every import of every source file, in order. */
export const sourceImports: readonly SourceImport[] = sourceFiles.flatMap(file =>
  importsOf(file, readFileSync(file, 'utf8')),
)

function importsOf(file: string, text: string): SourceImport[] {
  const found = [...text.matchAll(staticForm)].map(([, , type, specifier = '']) =>
    imported(file, specifier, {isTypeOnly: type !== undefined, isDynamic: false}),
  )
  const late = [dynamicForm, builtinForm, requireForm].flatMap(form => [...text.matchAll(form)])
  return [
    ...found,
    ...late.map(([, specifier = '']) => imported(file, specifier, {isTypeOnly: false, isDynamic: true})),
  ]
}

function imported(
  file: string,
  specifier: string,
  kind: {isTypeOnly: boolean; isDynamic: boolean},
): SourceImport {
  const target = specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : undefined
  return {file, specifier, ...kind, ...(target !== undefined && {target})}
}

/** What is loaded with `entry` before any of it runs: its files, and the packages and modules of Node that they name. */
export function loadedWith(entry: string): {files: string[]; outside: string[]} {
  const files = new Set([entry])
  const outside = new Set<string>()
  for (const file of files) {
    for (const {target, specifier} of runtimeImports(file)) {
      if (target === undefined) outside.add(specifier)
      else files.add(target)
    }
  }
  return {files: [...files].sort(), outside: [...outside].sort()}
}

function runtimeImports(file: string): SourceImport[] {
  return sourceImports.filter(one => one.file === file && !one.isTypeOnly && !one.isDynamic)
}
