import {rmSync} from 'node:fs'
import {chmod, copyFile, mkdir, rename, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {shellMarks} from '../../core/agent/shell-marks.ts'
import type {AgentKind} from '../../core/agent/types.ts'
import {fail} from '../../core/errors.ts'
import {customKind} from './custom.ts'
import {findShell, type IntegratedShell, plainShell} from './shell/find-shell.ts'

/** Beside this file in the sources as in the bundle, where it is an entry of its own. */
const assets = fileURLToPath(new URL('./shell/', import.meta.url))

/** Asset and the name that it gets in `<pane>/shell/`: zsh looks for dot files in its ZDOTDIR. */
const files: Readonly<Record<IntegratedShell, Readonly<Record<string, string>>>> = {
  bash: {'integration.bash': 'integration.bash'},
  zsh: {'zshenv.zsh': '.zshenv', 'zshrc.zsh': '.zshrc', 'integration.zsh': 'integration.zsh'},
  fish: {'integration.fish': 'integration.fish'},
}

/**
 * Take the prompt; enter it. bash needs a key for each, and so the others do it in two as well: a second key that they left
 * alone would be read by the command. No terminal sends them; a program that knows no such keys ignores them as it ignores
 * others of the form ESC [ n ~.
 */
const deliveryKeys = Buffer.from('\x1b[9137~\x1b[9138~')

/**
 * Ctrl-C and Enter. A Ctrl-C that comes right after the continuation prompt is only noted by bash (4 of 100) and zsh
 * (1 of 100), which go on reading; Enter makes them look. At a new prompt it is an empty line.
 */
const giveUp = Buffer.from('\x03\r')

/** The shell of last resort: `/bin/sh` and its like give no signal, and a prompt is typed. */
export const plainKind: AgentKind = {
  ...customKind({id: 'sh', command: plainShell}),
  summary: 'a shell without integration (sh, dash): prompts are typed, nothing tells when one is done',
}

/**
 * An interactive bash, zsh or fish, the user's own where it is one of these. A prompt is a command line. The shell is
 * told of it by a key, takes it from the pane's inbox into its own line editor and says so, exactly once.
 */
export const kind: AgentKind = {
  id: 'shell',
  summary: 'an interactive bash, zsh or fish: a prompt is a command line, state and exit code are exact',
  signal: 'osc',
  route: 'inbox',

  async find(env) {
    return findShell(env)?.path ?? null
  },

  inEnvironment(env) {
    return findShell(env) === null ? plainKind : kind
  },

  async launch(context) {
    const shell = findShell(context.env)
    if (shell === null) return plainKind.launch(context)
    const dir = join(context.paneDir, 'shell')
    await mkdir(dir, {recursive: true, mode: 0o700})
    for (const [asset, name] of Object.entries(files[shell.name]))
      await copyFile(join(assets, asset), join(dir, name))
    // The shell reads it before anything of the user's runs and empties it, so that no child finds it in an environment.
    await writePrivate(join(dir, 'nonce'), `${context.nonce}\n`)
    return {...start[shell.name](shell.path, dir, context.env), nonce: context.nonce}
  },

  async deliver({deliveryId, text}, {paneDir}) {
    if (text.includes('\0')) fail('input.nul', {what: 'prompt'})
    await writePrivate(join(paneDir, 'inbox'), `${idInMarks(deliveryId)}\n${text}`)
    return deliveryKeys
  },

  withdraw({paneDir}) {
    rmSync(join(paneDir, 'inbox'), {force: true})
  },

  interrupt: giveUp,
  reader: shellMarks,
}

export const kinds: readonly AgentKind[] = [kind, plainKind]
export default kind

const start: Readonly<
  Record<
    IntegratedShell,
    (path: string, dir: string, env: Record<string, string>) => {argv: string[]; env: Record<string, string>}
  >
> = {
  bash: (path, dir, env) => ({argv: [path, '--rcfile', join(dir, 'integration.bash'), '-i'], env}),
  zsh: (path, dir, {ZDOTDIR, ...env}) => ({
    argv: [path, '-i'],
    env: {...env, ZDOTDIR: dir, ...(ZDOTDIR === undefined ? {} : {TERMIC_USER_ZDOTDIR: ZDOTDIR})},
  }),
  fish: (path, dir, env) => ({
    argv: [path, '--init-command', `source ${quotedForFish(join(dir, 'integration.fish'))}`, '-i'],
    env,
  }),
}

/** An id is anybody's text, and marks are fields between semicolons; `:` and glob characters mean something to the shells. */
function idInMarks(deliveryId: string): string {
  return encodeURIComponent(deliveryId).replace(
    /[!'()*~]/g,
    character => `%${character.charCodeAt(0).toString(16)}`,
  )
}

function quotedForFish(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

/** Whole or not at all, for its owner only. */
async function writePrivate(path: string, text: string): Promise<void> {
  const next = `${path}.next`
  await writeFile(next, text, {mode: 0o600})
  await chmod(next, 0o600)
  await rename(next, path)
}
