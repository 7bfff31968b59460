import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {checkout, PrivateTermic} from '../fixtures/termic.ts'

const {version} = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))

test('version is told with and without a daemon, as a word and as a flag', async () => {
  await using termic = new PrivateTermic()
  for (const start of [false, true]) {
    if (start) await termic.json(['daemon', 'start'])
    for (const argv of [['version'], ['--version'], ['--no-launch', '--version']]) {
      const {exit, stdout, stderr} = await termic.run(argv)
      assert.is(exit, 0, stderr)
      assert.match(stdout, new RegExp(`^termic ${version} \\(node \\d+\\.\\d+\\.\\d+\\)\n$`))
    }
    assert.equal(Object.keys(await termic.json(['--version'])), ['version', 'node', 'protocol'])
    assert.is((await termic.daemonPid()) !== undefined, start, 'no daemon is started for it')
  }
})

test.run()
