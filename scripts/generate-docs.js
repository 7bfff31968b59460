// Writes docs/verbs.md and docs/errors.md from the built program; with --check compares instead, and exits 1 naming
// what is stale.
import {globSync, readFileSync, writeFileSync} from 'node:fs'
import {dirname} from 'node:path'
import {fileURLToPath} from 'node:url'
import {isDeepStrictEqual} from 'node:util'
import * as program from '../dist/local.js'

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))))
const {version} = JSON.parse(readFileSync('package.json', 'utf8'))
const check = process.argv.includes('--check')
const registry = await program.registryOfThisProgram()
const help = await program.helpDocument(registry, version)

const stale = [
  ...(await staleManifest()),
  ...update('docs/verbs.md', await verbsPage()),
  ...update('docs/errors.md', errorsPage()),
]
for (const sentence of stale) console.error(sentence)
process.exitCode = stale.length > 0 ? 1 : 0

function update(file, text) {
  if (!check) writeFileSync(file, text)
  const found = check ? read(file) : text
  return found === text ? [] : [`${file} is stale; run \`npm run docs\``]
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** The manifest is what a running program believes; the sources are what was written. */
async function staleManifest() {
  const manifest = JSON.parse(readFileSync('dist/manifest.json', 'utf8'))
  const sentence = 'dist/manifest.json is not what a scan of the commands gives; run `npm run build`'
  const scanned = await program.describeCommands(registry.root)
  const bySource = globSync(['src/commands/**/*.ts', 'src/plugins/*/commands/**/*.ts'])
    .map(file => file.replace(/^src\//, '').replace(/\.ts$/, '.js'))
    .sort()
  const matches =
    isDeepStrictEqual(manifest, scanned) && isDeepStrictEqual(manifest.map(({file}) => file).sort(), bySource)
  return matches ? [] : [sentence]
}

async function verbsPage() {
  const sections = await Promise.all(help.commands.map(section))
  return `${[
    '# Commands',
    generated("the verbs' own metadata"),
    'How ids, names and spellings hang together is in [architecture.md](architecture.md); how to call verbs without a process per call in [protocol.md](protocol.md); every error in [errors.md](errors.md).',
    '## All of them',
    overview(),
    '## Flags of every command',
    table(
      ['flag', 'what it does'],
      help.global_flags.map(flag => [code(spelling(flag)), flag.help]),
    ),
    '## Exit codes',
    table(['code', 'meaning'], Object.entries(help.exit_codes)),
    ...sections,
  ].join('\n\n')}\n`
}

function overview() {
  const rows = help.commands.map(({name, about, mcp, scope, annotations}) => [
    `[${name}](#${anchor(name)})`,
    about,
    scope ? code(idOf(name)) : 'runs in the client',
    mcp ? code(mcp) : '–',
    scope ?? '–',
    annotations ? hints(annotations) : '–',
  ])
  return table(
    [
      'command',
      'what it does',
      'socket method',
      'MCP tool',
      'scope',
      'read-only / destructive / idempotent / open world',
    ],
    rows,
  )
}

async function section(command) {
  const {name, about, aliases, exit_codes, scope} = command
  const verb = await registry.verb(idOf(name))
  const usage = verb ? program.verbUsage(verb) : localUsage(command)
  return [
    `## termic ${name}`,
    `${about}.`,
    block('sh', [usage, ...aliases.map(alias => `termic ${alias}`)].join('\n')),
    ...parameters(command, verb),
    `Exits with ${Object.entries(exit_codes)
      .map(([exit, meaning]) => `${exit} (${meaning})`)
      .join(', ')}.`,
    scope
      ? verbFacts(command, verb)
      : 'Runs in the client, starts no daemon unasked, and is no socket method and no MCP tool.',
    ...examples(verb),
    ...(scope ? [schemas(command)] : []),
  ].join('\n\n')
}

function parameters({args, flags}, verb) {
  const json = name => {
    const parameter = verb?.parameters.find(one => one.name === name)
    return parameter && parameter.role !== 'cliOnly' ? code(parameter.key) : '–'
  }
  const rows = [
    ...args.map(arg => [
      code(arg.name.toUpperCase()),
      json(arg.name),
      arg.help + (arg.required ? ' (required)' : ''),
    ]),
    ...flags.map(flag => [code(spelling(flag)), json(flag.flag.slice(2)), flag.help]),
  ]
  return rows.length > 0 ? [table(['argument or flag', 'in JSON', 'what it is'], rows)] : []
}

function verbFacts({name, mcp, mcpExcluded, scope, annotations}, verb) {
  return [
    `- socket method ${code(idOf(name))}`,
    mcp ? `- MCP tool ${code(mcp)}` : `- no MCP tool: ${mcpExcluded}`,
    scope === 'full' ? '- needs a full grant' : '- open to a scoped token, within its reach',
    `- ${Object.entries(annotations)
      .map(([hint, value]) => `${hint} ${value}`)
      .join(', ')}`,
    ...(verb.command.whileDisabled ? ['- answers while `cli.enabled` is false as well'] : []),
  ].join('\n')
}

function examples(verb) {
  const lines = verb?.command.examples ?? []
  return lines.length > 0 ? [block('sh', lines.join('\n'))] : []
}

function schemas({input, result}) {
  const json = schema => block('json', JSON.stringify(schema, null, 2))
  return `<details><summary>JSON Schemas</summary>\n\nInput:\n\n${json(input)}\n\nResult:\n\n${json(result)}\n\n</details>`
}

function errorsPage() {
  const rows = Object.entries(program.errorTable).map(([error, {exit, sentence}]) => [
    code(error),
    String(exit),
    String(program.rpcCodeOf(error)),
    sentence,
  ])
  return `${[
    '# Errors',
    generated('`src/core/error-table.ts`'),
    'Every expected failure has a code, which never changes its meaning. With `--json` it comes as `{"error":{"code","message","data"}}` on stdout, in text as the sentence on stderr, over the socket as a JSON-RPC error with the code in `data.code`. A word in braces stands for what the error is about; it is in `data` under that name.',
    'Outcomes of a watched run (3, 7, 9) are results and no errors: they print their result and exit with the code.',
    table(['code', 'exit', 'JSON-RPC', 'sentence'], rows),
  ].join('\n\n')}\n`
}

function generated(source) {
  return `Generated from ${source} by \`npm run docs\`; \`npm run check\` fails when it is stale. Do not edit.`
}

/** The documents' names are CLI words, of which `task` is left out. */
function idOf(name) {
  const id = name.replaceAll(' ', '.')
  return registry.entries.has(id) ? id : `task.${id}`
}

function localUsage({name, args, flags}) {
  const words = args.map(arg => (arg.required ? arg.name.toUpperCase() : `[${arg.name.toUpperCase()}]`))
  return ['termic', name, ...words, ...(flags.length > 0 ? ['[flags]'] : [])].join(' ')
}

function spelling({flag, short, value}) {
  return `${short ? `${short}, ` : ''}${flag}${value ? ` ${value}` : ''}`
}

function hints({readOnlyHint, destructiveHint, idempotentHint, openWorldHint}) {
  return [readOnlyHint, destructiveHint, idempotentHint, openWorldHint]
    .map(hint => (hint ? 'yes' : 'no'))
    .join(' / ')
}

function table(head, rows) {
  const line = cells =>
    `| ${cells.map(cell => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function anchor(name) {
  return `termic-${name.replaceAll(' ', '-')}`
}

function block(language, text) {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

function code(text) {
  return `\`${text}\``
}
