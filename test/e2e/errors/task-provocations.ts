import {mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Provocations} from './provocation.ts'

/** Projects, tasks and git. */
export const taskProvocations: Provocations = {
  'project.not-found': () => ({argv: ['list', '--project', 'nope']}),
  'project.not-git': ({termic}) => ({argv: ['project', 'add', termic.place]}),
  'project.has-tasks': () => ({argv: ['project', 'remove', 'shop', '--yes']}),
  async 'project.name-taken'({termic}) {
    const {path} = await termic.repository({path: 'other'})
    return {argv: ['project', 'add', path, '--name', 'Shop']}
  },
  async 'project.unregistered'({termic}) {
    const {path} = await termic.repository({path: 'unknown'})
    return {argv: ['new', 'x'], cwd: path}
  },

  'task.not-found': () => ({argv: ['status', 'nope']}),
  'task.required': () => ({argv: ['status']}),
  'task.name-taken': () => ({argv: ['new', 'ONE', '--project', 'shop']}),
  'task.bad-name': () => ({argv: ['new', 'a..b', '--project', 'shop']}),
  'task.bad-base': () => ({argv: ['new', 'x', '--project', 'shop', '--base', 'nope']}),
  async 'task.ambiguous'({termic, newTask}) {
    await newTask('twin')
    await termic.project({path: 'second'})
    await termic.json(['new', 'twin', '--project', 'second'])
    return {argv: ['status', 'twin']}
  },
  async 'task.branch-conflict'({shop}) {
    await shop.git('branch', 'feat')
    return {argv: ['new', 'feat/x', '--project', 'shop']}
  },
  'task.branch-in-use': () => ({argv: ['new', 'main', '--project', 'shop']}),
  async 'task.place-taken'({termic}) {
    mkdirSync(join(termic.home, 'termic/tasks/shop/taken'), {recursive: true})
    return {argv: ['new', 'taken', '--project', 'shop']}
  },
  async 'task.no-commits'({termic}) {
    await termic.project({path: 'empty', commits: 0})
    return {argv: ['new', 'x', '--project', 'empty']}
  },
  async 'task.missing'({newTask}) {
    rmSync((await newTask('gone')).path, {recursive: true})
    return {argv: ['path', 'gone']}
  },
  async 'task.unsaved-work'({newTask}) {
    const worktree = await newTask('dirty')
    worktree.write('note', 'x')
    return {argv: ['archive', 'dirty', '--yes']}
  },
  async 'task.create-failed'({termic}) {
    await termic.project({path: 'blocked'})
    writeFileSync(join(termic.home, 'termic/tasks/blocked'), 'in the way')
    return {argv: ['new', 'x', '--project', 'blocked']}
  },

  async 'git.locked'({newTask}) {
    const worktree = await newTask('locked')
    await worktree.git('worktree', 'lock', '--reason', 'on a stick', worktree.path)
    return {argv: ['archive', 'locked', '--yes']}
  },
  async 'git.failed'({newTask}) {
    const worktree = await newTask('broken')
    rmSync(join(await worktree.git('rev-parse', '--git-dir'), 'HEAD'))
    return {argv: ['diff', 'broken']}
  },
  'git.missing': ({termic}) => ({
    argv: ['new', 'x', '--project', 'shop'],
    env: {PATH: join(termic.home, 'bin'), TERMIC_NODE: process.execPath},
  }),
}
