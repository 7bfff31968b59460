import {existsSync} from 'node:fs'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {loadedWith, type SourceImport, sourceFiles, sourceImports} from './source-imports.ts'

/** Who may import whom, by the first directory below src; what is in no directory puts the others together. */
const mayImport: Record<string, readonly string[]> = {
  core: ['core'],
  presentations: ['presentations', 'core'],
  client: ['client', 'core', 'program-dir.ts', 'version.ts'],
  commands: ['core', 'client', 'local.ts', 'version.ts'],
  plugins: ['plugins', 'core'],
}

function layer(path: string): string {
  return path.split('/')[1] ?? ''
}

function told({file, specifier}: SourceImport): string {
  return `${file} imports ${specifier}`
}

test('the scan sees the imports that are there', () => {
  const from = (file: string) =>
    sourceImports.filter(one => one.file === file).map(({specifier}) => specifier)
  assert.ok(from('src/client/main.ts').includes('./without-daemon.ts'), 'a dynamic import')
  assert.ok(from('src/client/main.ts').includes('./connect.ts'), 'a static import')
  assert.ok(from('src/core/child-process.ts').includes('node:child_process'), 'a re-export')
  assert.ok(sourceImports.length > 500, `${sourceImports.length} imports`)
})

test('every relative import names a file that exists, with its ending', () => {
  const broken = sourceImports.filter(({target}) => target !== undefined && !existsSync(target))
  assert.equal(broken.map(told), [])
})

test('imports go one way between the layers', () => {
  const wrong = sourceImports.filter(({file, target}) => {
    const allowed = mayImport[layer(file)]
    return target !== undefined && allowed !== undefined && !allowed.includes(layer(target))
  })
  assert.equal(wrong.map(told), [])
})

test('no layer came up without a rule of its own', () => {
  const layers = new Set(sourceFiles.filter(file => file.split('/').length > 2).map(layer))
  assert.equal([...layers].sort(), Object.keys(mayImport).sort())
})

test('no presentation knows a concrete command', () => {
  const wrong = sourceImports.filter(
    ({file, target = ''}) =>
      file.startsWith('src/presentations/') && /^src\/(commands|plugins)\//.test(target),
  )
  assert.equal(wrong.map(told), [])
})

test('the plugin project uses only the public contract', () => {
  const own = 'src/plugins/project/'
  const wrong = sourceImports.filter(
    ({file, specifier, target}) =>
      file.startsWith(own) && !(target === undefined ? specifier === 'termic/verb' : target.startsWith(own)),
  )
  assert.equal(wrong.map(told), [])
  assert.ok(sourceImports.some(({file}) => file.startsWith(own)))
})

test('no module imports itself through others', () => {
  const loops: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) loops.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file) || path.includes(file)) return
    for (const one of sourceImports)
      if (one.file === file && one.target && !one.isTypeOnly && !one.isDynamic)
        visit(one.target, [...path, file])
    done.add(file)
  }
  for (const file of sourceFiles) visit(file, [])
  assert.equal(loops, [])
})

for (const specifier of [
  '@lydell/node-pty',
  '@xterm/headless',
  'fastify',
  'node:child_process',
  'node:sqlite',
]) {
  test(`${specifier} has one importing module at most`, () => {
    const importing = sourceImports.filter(
      one => !one.isTypeOnly && (one.specifier === specifier || one.specifier.startsWith(`${specifier}/`)),
    )
    assert.ok(new Set(importing.map(({file}) => file)).size <= 1, importing.map(told).join('\n'))
  })
}

test('the client loads nothing but itself and a few modules of Node on its way to the socket', () => {
  const {files, outside} = loadedWith('src/client/main.ts')
  assert.equal(files, [
    'src/client/connect.ts',
    'src/client/main.ts',
    'src/client/run-call.ts',
    'src/client/token-of.ts',
    'src/client/write.ts',
    'src/core/daemon/data-dir.ts',
    'src/core/wire/exec-frames.ts',
    'src/version.ts',
  ])
  assert.equal(outside, ['node:fs', 'node:net', 'node:path'])
})

test('a pane host loads no command, no presentation and no package', () => {
  const {files, outside} = loadedWith('src/host.ts')
  assert.equal(
    files.filter(file => layer(file) !== 'core' && file !== 'src/host.ts'),
    [],
  )
  assert.equal(
    outside.filter(name => !name.startsWith('node:')),
    [],
  )
})

test.run()
