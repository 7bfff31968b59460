import {readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Provocations} from './provocation.ts'

/** What is wrong with the words, the text, the settings or the caller itself. */
export const inputProvocations: Provocations = {
  'usage.invalid': () => ({argv: ['list', '--nope']}),
  'usage.unknown-verb': () => ({argv: ['lsit']}),
  'confirm.no-terminal': () => ({argv: ['archive', 'one']}),
  'input.empty-prompt': () => ({argv: ['send', 'one', '-p', ' ']}),
  'input.nul': () => ({argv: ['send', 'one', '-p', '-'], stdin: 'a\0b'}),
  'input.not-text': () => ({argv: ['send', 'one', '-p', '-'], stdin: Buffer.from([0xff])}),
  'input.too-large': () => ({argv: ['send', 'one', '-p', '-'], stdin: Buffer.alloc(8_000_000, 'x')}),
  unsupported: () => ({argv: ['new', 'caged', '--project', 'shop', '--sandbox', 'enforce']}),
  'settings.unknown-key': () => ({argv: ['config', 'get', 'tasks-path']}),
  'settings.bad-value': () => ({argv: ['config', 'set', 'log.limitBytes', '1']}),

  async 'settings.invalid'({termic}) {
    const settings = join(termic.dataDir, 'settings.json')
    writeFileSync(settings, '{\n"agent": \n')
    return {argv: ['list'], restore: () => rmSync(settings)}
  },
  async 'cli.disabled'({termic}) {
    await termic.json(['config', 'set', 'cli.enabled', 'false'])
    return {argv: ['list'], restore: () => termic.json(['config', 'unset', 'cli.enabled'])}
  },
  async 'auth.refused'({termic}) {
    const file = join(termic.dataDir, 'cli-token')
    const token = readFileSync(file)
    writeFileSync(file, '0'.repeat(64))
    return {argv: ['list'], restore: () => writeFileSync(file, token)}
  },
}
