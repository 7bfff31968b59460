import {globSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {checkout} from '../fixtures/termic.ts'
import {pack} from './packed.ts'

const expected = [
  /^(LICENSE|README\.md|package\.json)$/,
  /^bin\/(termic|start\.cjs)$/,
  /^dist\/(daemon|host|local|verb)\.js$/,
  /^dist\/client(-[a-z-]+)?\.cjs$/,
  /^dist\/(manifest|package)\.json$/,
  /^dist\/licenses\.txt$/,
  /^dist\/chunks\/[a-z-]+-[\w-]{8}\.js$/,
  /^dist\/commands\/([a-z]+\/)?[a-z]+\.js$/,
  /^dist\/plugins\/[a-z]+\/(commands\/[a-z]+\/)?[a-z-]+\.js$/,
  /^dist\/plugins\/agents\/shell\/[a-z]+\.(bash|fish|zsh)$/,
  /^docs\/(adr\/\d{4}-)?[a-z0-9-]+\.md$/,
]

test('the tarball holds the program and its pages, and nothing else', async () => {
  const {files, sizeBytes, unpackedBytes} = await pack()
  assert.equal(
    files.filter(file => !expected.some(pattern => pattern.test(file))),
    [],
  )
  for (const pattern of expected)
    assert.ok(
      files.some(file => pattern.test(file)),
      String(pattern),
    )
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1)
  console.log(
    `NOTE: the tarball has ${megabytes(sizeBytes)} MB, ${files.length} files and ${megabytes(unpackedBytes)} MB unpacked`,
  )
  assert.ok(sizeBytes < 1024 * 1024)
})

test('every package that was bundled has its licence in dist/licenses.txt', () => {
  const licenses = readFileSync(join(checkout, 'dist/licenses.txt'), 'utf8')
  const bundles = globSync('dist/**/*.{js,cjs}', {cwd: checkout})
    .map(file => readFileSync(join(checkout, file), 'utf8'))
    .join('\n')
  // What the bundler writes above each module.
  const origins = bundles.matchAll(/^\s*\/\/ (?:\S*\/)?node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//gm)
  const bundled = [...new Set([...origins].map(([, name]) => name as string))]
  assert.ok(bundled.includes('zod') && bundled.includes('@oclif/core'), bundled.join())
  const lacking = bundled.filter(name => !licenses.includes(`\n${name} `) && !licenses.startsWith(`${name} `))
  assert.equal(lacking, [])
})

test.run()
