import {until} from '../../fixtures/until.ts'
import type {Provocations} from './provocation.ts'

/** Agents, terminals and prompts. */
export const agentProvocations: Provocations = {
  'agent.not-found': () => ({argv: ['new', 'x', '--project', 'shop', '--agent', 'nope']}),
  'agent.unsupported': () => ({argv: ['new', 'x', '--project', 'shop', '--agent', 'claude']}),
  async 'agent.not-installed'({termic}) {
    await termic.json(['config', 'set', 'agents.away.command', 'no-such-program'])
    return {argv: ['new', 'x', '--project', 'shop', '--agent', 'away']}
  },
  async 'agent.none'({termic, newTask}) {
    await newTask('ended')
    await termic.json(['send', 'ended', '-p', 'exit'])
    await until('the agent has ended', async () => {
      const {task} = await termic.json(['status', 'ended'])
      return task.state.name === 'exited'
    })
    return {argv: ['send', 'ended', '-p', 'echo']}
  },
  'agent.no-session': () => ({argv: ['send', 'one', '--resume', '-p', 'echo']}),
  'agent.running': () => ({argv: ['send', 'one', '--fresh', '-p', 'echo']}),
  async 'agent.no-signal'({termic}) {
    await termic.json(['new', 'cat', '--project', 'shop', '--agent', 'cat -u'])
    return {argv: ['send', 'cat', '-p', 'x', '--wait']}
  },
  async 'pane.limit'({termic}) {
    await termic.json(['config', 'set', 'limits.livePanes', '1'])
    return {
      argv: ['new', 'x', '--project', 'shop'],
      restore: () => termic.json(['config', 'unset', 'limits.livePanes']),
    }
  },
  'tab.not-found': () => ({argv: ['send', 'one', '--tab', '7', '-p', 'echo']}),
  'delivery.not-found': () => ({argv: ['send', 'one', '--delivery-id', 'nope']}),
  async 'delivery.id-taken'({termic}) {
    await termic.json(['send', 'one', '--delivery-id', 'mine', '-p', 'echo 1'])
    return {argv: ['send', 'one', '--delivery-id', 'mine', '-p', 'echo 2']}
  },
  'delivery.none-failed': () => ({argv: ['send', 'one', '--again']}),
}
