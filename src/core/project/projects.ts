import {existsSync} from 'node:fs'
import {basename} from 'node:path'
import type {Base} from '../base.ts'
import {fail} from '../errors.ts'
import {checkoutAbove} from '../git/checkout-above.ts'
import {openRepository, type Repository} from '../git/repository.ts'
import type {Grant} from '../grant/grant.ts'
import {newId} from '../ids.ts'
import {
  allProjects,
  insertProject,
  projectByGitDir,
  projectById,
  projectByNameKey,
  removeProject,
  updateProject,
} from '../store/projects-table.ts'
import {allLiveTasks, liveTasksOfProject} from '../store/tasks-table.ts'
import {nameKey} from '../task/names.ts'
import type {Project} from '../task/types.ts'
import {isInside} from '../text/is-inside.ts'
import type {Caller, Question} from '../verb/caller.ts'

/** A caller, and how to ask it. */
interface Asking {
  caller: Caller
  confirm(question: Question): Promise<void>
}

/** The registered repositories. */
export class Projects {
  readonly #base: Base
  readonly #grant: Grant

  constructor(base: Base, grant: Grant) {
    this.#base = base
    this.#grant = grant
  }

  list(): Project[] {
    const grant = this.#grant
    const all = allProjects(this.#base.store)
    return grant.scope === 'full' ? all : all.filter(({id}) => grant.projects.includes(id))
  }

  /** By name (any case), else by id; throws `project.not-found`. */
  resolve(name: string): Project {
    const {store} = this.#base
    const project = projectByNameKey(store, nameKey(name)) ?? projectById(store, name)
    if (!project || !this.list().some(({id}) => id === project.id)) fail('project.not-found', {name})
    return project
  }

  /**
   * Registers the repository that `path` is in; one that is known already is given back (with `base` changed when it
   * is named). A typed name that clashes is refused, a derived one is numbered.
   */
  async add({
    path,
    name,
    base,
  }: {
    path: string
    name?: string
    base?: string
  }): Promise<{project: Project; added: boolean}> {
    return this.#register(await openRepository(path), {name, base})
  }

  /**
   * The project of the caller's directory: its task's, or the repository's. An unregistered repository is offered for
   * registration; where nobody can agree to that, `project.unregistered`.
   */
  async ofCaller({caller, confirm}: Asking): Promise<Project> {
    const cwd = this.placeOf(caller)
    const task = allLiveTasks(this.#base.store).find(({path}) => isInside(cwd, path))
    if (task) return projectById(this.#base.store, task.projectId) as Project
    const here = this.#inCheckout(cwd)
    if (here) return here
    const repository = await openRepository(cwd)
    const known = projectByGitDir(this.#base.store, repository.gitDir)
    if (known) return known
    const root = repository.mainRoot
    await confirm({
      text: `${root} is not a termic project yet. Register it?`,
      flag: 'yes',
      consent: 'person',
      otherwise: {code: 'project.unregistered', data: {root}},
    })
    return this.#register(repository, {}).project
  }

  /** The caller's directory; a caller without one must name what it means. */
  placeOf(caller: Caller): string {
    if (!caller.shell?.cwd)
      fail('usage.invalid', {reason: 'this caller is in no directory, so the project must be named'})
    return caller.shell.cwd
  }

  describe({id, name, root, base}: Project): {
    id: string
    name: string
    root: string
    base?: string
    tasks: number
  } {
    return {id, name, root, ...(base && {base}), tasks: liveTasksOfProject(this.#base.store, id).length}
  }

  /** Throws `project.has-tasks`. */
  requireEmpty({id, name}: Project): void {
    const count = liveTasksOfProject(this.#base.store, id).length
    if (count > 0) fail('project.has-tasks', {name, count})
  }

  remove(project: Project): void {
    this.requireEmpty(project)
    removeProject(this.#base.store, project.id, this.#base.clock.now())
  }

  /** The registered project whose main checkout a directory is in, without a process of git. */
  #inCheckout(cwd: string): Project | undefined {
    const gitDir = existsSync(cwd) ? checkoutAbove(cwd) : undefined
    return gitDir === undefined ? undefined : projectByGitDir(this.#base.store, gitDir)
  }

  #register(
    {mainRoot, gitDir}: Repository,
    {name, base}: {name?: string; base?: string},
  ): {project: Project; added: boolean} {
    const {store, clock} = this.#base
    const known = projectByGitDir(store, gitDir)
    if (known) {
      if (base) updateProject(store, known.id, {base})
      return {project: {...known, ...(base && {base})}, added: false}
    }
    const wanted = name ?? nameOf(mainRoot)
    if (wanted === '' || unprintable.test(wanted))
      fail('usage.invalid', {reason: `"${wanted}" cannot name a project; pass --name`})
    const clash = projectByNameKey(store, nameKey(wanted))
    if (clash && name !== undefined) fail('project.name-taken', {name, root: clash.root})
    const free = clash ? this.#numbered(wanted) : wanted
    const project = {
      id: newId(),
      name: free,
      nameKey: nameKey(free),
      root: mainRoot,
      gitDir,
      base,
      createdAt: clock.now(),
    }
    return {project: insertProject(store, project), added: true}
  }

  #numbered(name: string): string {
    for (let n = 2; ; n++)
      if (!projectByNameKey(this.#base.store, nameKey(`${name}-${n}`))) return `${name}-${n}`
  }
}

/** What would tear a line or a path apart. */
const unprintable = /[/\p{Cc}]/u

/** A project's name from its directory's. */
function nameOf(root: string): string {
  const name = basename(root)
    .replace(/\.git$/, '')
    .replaceAll(new RegExp(unprintable, 'gu'), '-')
  return name === '' ? 'repository' : name
}
