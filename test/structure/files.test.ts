import {existsSync, globSync, readFileSync} from 'node:fs'
import {basename} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {sourceFiles, sourceImports} from './source-imports.ts'

const maxLines = 300
const written = [
  ...sourceFiles,
  ...globSync(['test/**/*.ts', 'bench/**/*.ts', 'scripts/*.js', 'scripts/*.sh']),
].sort()

test('no file is longer than 300 lines', () => {
  const long = written.map(file => ({file, lines: linesOf(file)})).filter(({lines}) => lines > maxLines)
  assert.equal(long, [])
})

test('no file is named after nothing in particular', () => {
  const vague = written.filter(file =>
    /(^|[-.])(utils?|helpers?|managers?|misc|common)([-.]|$)/.test(basename(file)),
  )
  assert.equal(vague, [])
})

test('file names are kebab-case', () => {
  const odd = written.filter(file => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.(ts|js|sh)$/.test(basename(file)))
  assert.equal(odd, [])
})

test('every command has a test that names it', () => {
  const tests = globSync('test/**/*.test.ts')
    .filter(file => !/^test\/(pins|structure)\//.test(file))
    .map(file => ({file, text: readFileSync(file, 'utf8')}))
  const unnamed = sourceFiles
    .filter(file => /^src\/(plugins\/[^/]+\/)?commands\//.test(file))
    .filter(command => !tests.some(({file, text}) => file === mirrorOf(command) || names(command).test(text)))
  assert.equal(unnamed, [])
})

test('every package that is imported has its line in docs/dependencies.md', () => {
  const page = readFileSync('docs/dependencies.md', 'utf8')
  const {dependencies, devDependencies} = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
    string,
    object
  >
  const declared = Object.keys({...dependencies, ...devDependencies})
  const imported = sourceImports
    .filter(({specifier, target}) => target === undefined && !/^(node:|termic\/)/.test(specifier))
    .map(({specifier}) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    )
  const missing = [...new Set(imported)].filter(name => !declared.includes(name))
  assert.equal(missing, [], 'imported, but not in package.json')
  assert.equal(
    declared.filter(name => !page.includes(`| \`${name}\``)),
    [],
  )
})

test('the documents link to files that exist', () => {
  const broken = globSync(['README.md', 'docs/**/*.md']).flatMap(page =>
    [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map(([, target = '']) => ({page, target}))
      .filter(({target}) => !existsSync(new URL(target, new URL(page, `file://${process.cwd()}/`)))),
  )
  assert.equal(broken, [])
})

function linesOf(file: string): number {
  return readFileSync(file, 'utf8').split('\n').length - 1
}

/** `src/commands/task/new.ts` → `test/commands/task/new.test.ts`. */
function mirrorOf(command: string): string {
  return command.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts')
}

/** Its id, or its words as a test writes a command line: `'project', 'add'`, `termic project add`. */
function names(command: string): RegExp {
  const words = command
    .replace(/^.*commands\//, '')
    .replace(/\.ts$/, '')
    .split('/')
  const typed = words[0] === 'task' ? words.slice(1) : words
  const quoted = typed.map(word => `['"\`]${word}['"\`]`).join(',\\s*')
  return new RegExp(`\\b${words.join('\\.')}\\b|[(\\[]\\s*${quoted}|termic ${typed.join(' ')}\\b`)
}

test.run()
