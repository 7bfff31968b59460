import {adopt} from '../../../src/core/pane/adopt.ts'

// Stands for a daemon: watches and follows the pane of the directory given, and says what it hears.
const adoption = await adopt(process.argv[2] ?? '')
if ('alive' in adoption) {
  const {alive} = adoption
  alive.onEntry(entry => console.log(entry.type === 'exit' ? `exit ${entry.code}` : entry.type))
  alive.onClose(() => process.exit(0))
  await alive.request('follow', {})
  await alive.request('watch', {afterSeq: 0})
}
