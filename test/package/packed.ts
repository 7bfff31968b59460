import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {execFile} from '../../src/core/child-process.ts'
import {privateDir} from '../fixtures/private-dir.ts'
import {checkout} from '../fixtures/termic.ts'

const run = promisify(execFile)

export interface Packed {
  tarball: string
  sizeBytes: number
  unpackedBytes: number
  /** Relative to the package. */
  files: string[]
}

/** Packs this checkout as it is built, below a private directory. */
export async function pack(): Promise<Packed> {
  const place = privateDir()
  // Without scripts, since `prepack` would replace the build that other tests run.
  const argv = ['pack', '--ignore-scripts', '--json', '--pack-destination', place]
  const {stdout} = await run('npm', argv, {cwd: checkout})
  const [{filename, size, unpackedSize, files}] = JSON.parse(stdout)
  return {
    tarball: join(place, filename),
    sizeBytes: size,
    unpackedBytes: unpackedSize,
    files: files.map(({path}: {path: string}) => path).sort(),
  }
}

/** Installs as a user does, into an empty prefix; returns the prefix. */
export async function installGlobally(tarball: string): Promise<string> {
  const prefix = join(privateDir(), 'prefix')
  // No install script runs, and so no compiler.
  await run('npm', ['install', '--global', '--prefix', prefix, '--ignore-scripts', ...quietly, tarball])
  return prefix
}

/** A Node of this very version, from the package that holds its binary; the directory that it lies in. */
export async function nodeOfVersion(version: string): Promise<string> {
  const place = privateDir()
  mkdirSync(join(place, 'node_modules'))
  const name = `node-${process.platform}-${process.arch}`
  await run('npm', ['install', '--prefix', place, '--no-save', ...quietly, `${name}@${version}`])
  return join(place, 'node_modules', name, 'bin')
}

const quietly = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
