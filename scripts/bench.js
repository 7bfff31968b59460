// Measures what README promises, each figure beside its floor in the same run, and writes the table there. A bound that
// is missed is measured once more; missed again, it fails.
// usage: npm run bench [-- name of a file in bench/ …]   (with names README stays as it is)
import {execFileSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {availableParallelism, cpus, release, tmpdir, type} from 'node:os'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {holds} from '../bench/figure.ts'

const all = ['start', 'new-task', 'status-rate', 'restart', 'pane', 'git']
const wanted = process.argv.slice(2)
process.chdir(dirname(dirname(fileURLToPath(import.meta.url))))
// Unix sockets lie in it, whose paths may be 103 bytes long.
const place = mkdtempSync(join(tmpdir(), 'tb-'))
process.env.TEST_PLACE = place

const machine = machineText()
console.log(machine)
const figures = []
try {
  for (const name of wanted.length > 0 ? wanted : all) figures.push(...(await measured(name)))
} finally {
  rmSync(place, {recursive: true, force: true, maxRetries: 5, retryDelay: 100})
}
const missed = figures.filter(figure => !holds(figure))
if (wanted.length === 0) writeTable()
console.log(missed.length === 0 ? 'every bound holds' : `${missed.length} missed`)
process.exitCode = missed.length === 0 ? 0 : 1

async function measured(name) {
  const {run} = await import(`../bench/${name}.ts`)
  const first = await run()
  const again = first.every(holds) ? [] : await run()
  return first.map((figure, at) => {
    const better = !holds(figure) && again[at] && holds(again[at]) ? again[at] : figure
    console.log(line(better))
    return better
  })
}

function line(figure) {
  const {name, measured, floor} = figure
  return `${holds(figure) ? 'ok  ' : 'MISS'} ${name}: ${measured}${floor && ` (${floor})`} ${valueText(figure)}${boundText(figure)}`
}

function valueText({value, unit}) {
  return unit === '×' ? `${value.toFixed(2)} ×` : ''
}

function boundText({bound, unit}) {
  if (bound === undefined) return ''
  return 'atMost' in bound ? ` ≤ ${bound.atMost} ${unit}` : ` ≥ ${bound.atLeast} ${unit}`
}

function machineText() {
  const git = execFileSync('git', ['--version'], {encoding: 'utf8'}).trim().replace('version ', '')
  const [cpu] = cpus()
  const date = new Date().toISOString().slice(0, 10)
  return `${cpu?.model.trim()}, ${availableParallelism()} cores, ${type()} ${release()}, Node ${process.version}, ${git}, ${date}`
}

function writeTable() {
  const rows = figures.map(figure => {
    const bound = boundText(figure).trim()
    return `| ${figure.name} | ${figure.measured} | ${figure.floor} | ${valueText(figure)} | ${bound} |`
  })
  const table = ['| what | measured | floor | ratio | promised |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  )
  const text = `Medians of \`npm run bench\` on ${machine}. Measured in turn with their floor, so that only the ratio counts.\n\n${table}`
  const readme = readFileSync('README.md', 'utf8')
  const marks = /(<!-- figures -->\n)[\s\S]*?(\n<!-- \/figures -->)/
  writeFileSync(
    'README.md',
    readme.replace(marks, (_, from, to) => `${from}${text}${to}`),
  )
}
