// Bundles the program into dist/: one entry per verb (so that a call loads only its own), shared chunks beside them,
// and the client as one CommonJS file, which Node starts fastest.
import {cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {rolldown} from 'rolldown'
import {licensesOf} from './licenses.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
process.chdir(root)
const out = 'dist.next'
rmSync(out, {recursive: true, force: true})

const packageJson = JSON.parse(readFileSync('package.json', 'utf8'))
const version = process.env.TERMIC_BUILD_VERSION ?? packageJson.version
const shared = {
  platform: 'node',
  external: [/^@lydell\/node-pty/],
  resolve: {conditionNames: ['source', 'node', 'import', 'default']},
  transform: {target: 'node22.15', define: {TERMIC_VERSION: JSON.stringify(version)}},
  onwarn: warning => {
    // Dependencies' own affairs; everything about our files stays visible.
    if (warning.code === 'EVAL' || String(warning.id ?? '').includes('node_modules')) return
    console.error(String(warning.message ?? warning))
  },
}

const commands = globSync(['src/commands/**/*.ts', 'src/plugins/*/commands/**/*.ts', 'src/plugins/*/*.ts'])
const entries = ['src/daemon.ts', 'src/host.ts', 'src/local.ts', 'src/verb.ts', ...commands]
const modules = await rolldown({
  ...shared,
  input: Object.fromEntries(entries.map(file => [file.replace(/^src\//, '').replace(/\.ts$/, ''), file])),
})
const written = await modules.write({
  dir: out,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
})

const client = await rolldown({...shared, input: {client: 'src/client/main.ts'}})
await client.write({
  dir: out,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'client-[name].cjs',
})

for (const asset of globSync('src/plugins/**/*.{bash,zsh,fish,sh}')) {
  const target = join(out, asset.replace(/^src\//, ''))
  mkdirSync(dirname(target), {recursive: true})
  cpSync(asset, target)
}
writeFileSync(
  join(out, 'package.json'),
  `${JSON.stringify({name: 'termic', type: 'module', version, oclif: {bin: 'termic'}})}\n`,
)

writeFileSync(join(out, 'licenses.txt'), licensesOf(written.output.flatMap(({moduleIds = []}) => moduleIds)))

rmSync('dist', {recursive: true, force: true})
renameSync(out, 'dist')
const {writeManifest} = await import(new URL('../dist/local.js', import.meta.url).href)
await writeManifest()
