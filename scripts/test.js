// Runs each test file in a process of its own with a time limit: a throwing `before`, a forgotten `run()` or an open
// handle then fails that file instead of passing or hanging all. A process that a file leaves behind fails it too.
// usage: node scripts/test.js [part of a path …]
import {spawn} from 'node:child_process'
import {globSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

const limitMs = 180_000
const parallel = Number(process.env.TEST_PARALLEL ?? 2)
const wanted = process.argv.slice(2)
const files = globSync('test/**/*.test.ts')
  .filter(file => wanted.length === 0 || wanted.some(part => file.includes(part)))
  .sort()

let passed = 0
let failed = 0
let skipped = 0
const queue = [...files]
await Promise.all(
  Array.from({length: parallel}, async () => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) await runFile(file)
  }),
)
if (files.length === 0) console.log('no test file matches')
if (skipped > 0) console.log(`${skipped} skipped`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || files.length === 0 ? 1 : 0

async function runFile(file) {
  const place = mkdtempSync(join(tmpdir(), 'tt-'))
  const startedAt = Date.now()
  const {output, code, timedOut} = await run(file, place)
  const leaked = processesOf(place)
  for (const {pid} of leaked) kill(pid)
  rmSync(place, {recursive: true, force: true, maxRetries: 5, retryDelay: 50})

  const count = name => Number(new RegExp(`^ {2}${name}:\\s+(\\d+)`, 'm').exec(output)?.[1] ?? Number.NaN)
  const total = count('Total')
  const problems = []
  if (timedOut) problems.push(`did not end within ${limitMs / 1000} s`)
  else if (Number.isNaN(total) || total + count('Skipped') === 0) problems.push(`ran no test (exit ${code})`)
  else if (code !== 0 && count('Passed') === total) problems.push(`exit ${code}`)
  if (leaked.length > 0)
    problems.push(`left processes behind:\n${leaked.map(p => `    ${p.pid} ${p.command}`).join('\n')}`)

  // uvu's total is of those that ran.
  const lost = Number.isNaN(total) ? 0 : total - count('Passed')
  passed += count('Passed') || 0
  skipped += count('Skipped') || 0
  failed += lost + problems.length
  const ok = lost + problems.length === 0
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  const ran = `${Number.isNaN(total) ? 0 : total} tests${count('Skipped') > 0 ? `, ${count('Skipped')} skipped` : ''}`
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${file} (${ran}, ${seconds} s)`)
  if (!ok) console.log([output.trim(), ...problems].join('\n  '))
  else for (const [note] of output.matchAll(/^(SKIPPED|NOTE): .*$/gm)) console.log(`     ${note}`)
}

function run(file, place) {
  return new Promise(resolve => {
    const child = spawn(process.execPath, ['--conditions=source', '--no-warnings', file], {
      env: {...process.env, TMPDIR: place, FORCE_COLOR: '0', NO_COLOR: '1', TEST_PLACE: place},
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    let timedOut = false
    child.stdout.on('data', data => {
      output += data
    })
    child.stderr.on('data', data => {
      output += data
    })
    const timer = setTimeout(() => {
      timedOut = true
      kill(-child.pid)
    }, limitMs)
    // A leaked child may hold the pipes open, so the file's own exit counts, not their close.
    child.on('exit', code => {
      clearTimeout(timer)
      setImmediate(() => resolve({output, code, timedOut}))
    })
  })
}

/** Live processes that mention the file's private directory in argv, environment or cwd. */
function processesOf(place) {
  const found = []
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    try {
      if (/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) continue
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      const rest = readFileSync(`/proc/${pid}/environ`, 'utf8') + readlinkSync(`/proc/${pid}/cwd`)
      if (command.includes(place) || rest.includes(place))
        found.push({pid: Number(pid), command: command.slice(0, 150)})
    } catch {
      // It ended while we looked.
    }
  }
  return found
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}
