import {readFileSync} from 'node:fs'
import {connect, type createServer, type Socket} from 'node:net'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {execFile} from '../src/core/child-process.ts'
import {PrivateTermic} from '../test/fixtures/termic.ts'
import {elapsedMs, type Figure, inTurn, share} from './figure.ts'
import {largeRepository} from './large-repository.ts'

const rounds = {warm: 4, cached: 9, fresh: 15}
const callsPerRound = 1000

/** How fast one connection answers what a script asks most. */
export async function run(): Promise<Figure[]> {
  const termic = new PrivateTermic()
  try {
    const cwd = await largeRepository(termic)
    await termic.json(['project', 'add'], {cwd})
    const {task} = await termic.json(['new', 'one'], {cwd})
    const daemon = await LineClient.connect(join(termic.dataDir, 'daemon.sock'))
    const token = readFileSync(join(termic.dataDir, 'cli-token'), 'utf8').trim()
    const call = (maxAgeMs: number) => {
      const params = {task: task.id, maxAgeMs}
      return `${JSON.stringify({jsonrpc: '2.0', id: 1, method: 'task.status', params, token})}\n`
    }
    try {
      return [await cached(daemon, call(3_600_000), termic.place), await fresh(daemon, call(0), task.path)]
    } finally {
      daemon.close()
    }
  } finally {
    await termic.close()
  }
}

/** One call after the other on one connection, beside a server that only sends lines of the same lengths back. */
async function cached(daemon: LineClient, request: string, place: string): Promise<Figure> {
  const answer = await daemon.ask(request)
  if (!answer.includes('"result"')) throw new Error(answer)
  const echo = await startEcho(join(place, 'echo.sock'), answer)
  const many = (client: LineClient) => async () => {
    const ms = await elapsedMs(async () => {
      for (let call = 0; call < callsPerRound; call++) await client.ask(request)
    })
    return ms / callsPerRound
  }
  try {
    const both = [many(daemon), many(echo.client)]
    // V8 compiles on both sides what runs often.
    await inTurn(rounds.warm, both)
    const [ours = [], floor = []] = await inTurn(rounds.cached, both)
    const name = '`task.status` on one connection, facts cached'
    return share({name, than: 'a server that echoes such lines', ours, floor}, {atLeast: 0.2})
  } finally {
    echo.close()
  }
}

async function fresh(daemon: LineClient, request: string, worktree: string): Promise<Figure> {
  const git = promisify(execFile)
  const [ours = [], floor = []] = await inTurn(rounds.fresh, [
    () => elapsedMs(() => daemon.ask(request)),
    () => elapsedMs(() => git('git', ['status'], {cwd: worktree})),
  ])
  return share(
    {name: '`task.status` that asks git anew', than: '`git status` alone', ours, floor},
    {atLeast: 0.8},
  )
}

/** Sends a line and waits for one: JSON is read by nobody, on either side alike. */
class LineClient {
  readonly #socket: Socket
  #text = ''
  #take: (line: string) => void = () => {}

  constructor(socket: Socket) {
    this.#socket = socket
    socket.setEncoding('latin1')
    socket.on('data', piece => {
      this.#text += piece
      if (!this.#text.endsWith('\n')) return
      const line = this.#text
      this.#text = ''
      this.#take(line)
    })
  }

  static async connect(path: string): Promise<LineClient> {
    const socket = connect(path)
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return new LineClient(socket)
  }

  ask(line: string): Promise<string> {
    return new Promise(resolve => {
      this.#take = resolve
      this.#socket.write(line)
    })
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** In a process of its own, as the daemon is. */
async function startEcho(path: string, answer: string): Promise<{client: LineClient; close: () => void}> {
  const server = `(${echoServer})(process.getBuiltinModule('node:net'), ...process.argv.slice(1))`
  const child = execFile(process.execPath, ['-e', server, path, answer])
  await new Promise(resolve => child.stdout?.once('data', resolve))
  const client = await LineClient.connect(path)
  return {
    client,
    close() {
      client.close()
      child.kill()
    },
  }
}

function echoServer(net: {createServer: typeof createServer}, path: string, answer: string): void {
  const serve = (socket: Socket): void => {
    let pending = ''
    socket.setEncoding('utf8')
    socket.on('data', piece => {
      const lines = (pending + piece).split('\n')
      pending = lines.pop() ?? ''
      for (const _ of lines) socket.write(answer)
    })
  }
  net.createServer(serve).listen(path, () => console.log('listens'))
}
