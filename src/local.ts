import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {Config} from '@oclif/core/config'
import {asTermicError} from './core/errors.ts'
import {localHelp} from './core/help/local-help.ts'
import {overview} from './core/help/overview.ts'
import {verbHelp} from './core/help/verb-help.ts'
import {describeCommands, Registry} from './core/registry/registry.ts'
import {takeGlobals} from './presentations/cli/output-format.ts'
import {parseArgv} from './presentations/cli/parse-argv.ts'
import {programDir as root} from './program-dir.ts'
import {version} from './version.ts'

/** For the documents that are generated from the built program (scripts/generate-docs.js). */
export {errorTable} from './core/errors.ts'
export {exitMeaning} from './core/help/exit-meanings.ts'
export {helpDocument} from './core/help/help-document.ts'
export {verbUsage} from './core/help/verb-help.ts'
export {describeCommands} from './core/registry/registry.ts'
export {rpcCodeOf} from './presentations/socket/rpc-code.ts'

/**
 * Runs in the client's process what no daemon is needed for: help, and plain oclif commands. Returns the exit code, or
 * `daemon` when argv is a verb's call after all (`-p --help` asks for no help).
 */
export async function runLocal(argv: string[]): Promise<number | 'daemon'> {
  const registry = await Registry.open(root)
  try {
    const {rest, help} = takeGlobals(argv)
    const match = registry.match(rest)
    if (!match) {
      if (rest.length > 0) return 'daemon'
      print(overview(registry, version))
      return 0
    }
    const {entry, taken} = match
    if (entry.local) {
      const command = (await registry.command(entry.id)) as LocalCommand
      if (help) print(localHelp(entry.id, command))
      else await runCommand(command, argv, rest.slice(0, taken))
      return Number(process.exitCode ?? 0)
    }
    const verb = await registry.verb(entry.id)
    if (!verb) return 'daemon'
    const words = rest.slice(0, taken)
    const parsed = await parseArgv(
      verb,
      argv.filter((word, at) => !(words.includes(word) && argv.indexOf(word) === at)),
    )
    if (!parsed.help) return 'daemon'
    print(verbHelp(verb))
    return 0
  } catch (thrown) {
    const error = asTermicError(thrown)
    // A usage error of a verb is the daemon's to tell, in the format that was asked for.
    const match = registry.match(argv.filter(word => !word.startsWith('-')))
    if (error.code === 'usage.invalid' && match && !match.entry.local) return 'daemon'
    if (argv.includes('--json'))
      print(JSON.stringify({error: {code: error.code, message: error.message, data: error.data}}))
    else process.stderr.write(`termic: ${error.message}\n`)
    return error.exit
  }
}

interface LocalCommand {
  summary?: string
  run(argv: string[], config: Config): Promise<unknown>
}

async function runCommand(command: LocalCommand, argv: string[], words: string[]): Promise<void> {
  const config = new Config({root})
  await config.load()
  const rest = [...argv].filter(word => word !== '--no-launch')
  for (const word of words) rest.splice(rest.indexOf(word), 1)
  await command.run(rest, config)
}

/** Written by the build, so that neither client nor daemon imports a command to know that it exists. */
export async function writeManifest(): Promise<void> {
  const entries = await describeCommands(root)
  new Registry(root, entries)
  writeFileSync(join(root, 'manifest.json'), `${JSON.stringify(entries, null, 1)}\n`)
}

export async function registryOfThisProgram(): Promise<Registry> {
  return Registry.open(root)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
