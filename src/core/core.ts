import type {Agents} from './agent/agents.ts'
import type {Base} from './base.ts'
import {Deliveries} from './delivery/deliveries.ts'
import {EventLog} from './events/event-log.ts'
import {fullGrant, type Grant} from './grant/grant.ts'
import {Panes} from './pane/panes.ts'
import {Projects} from './project/projects.ts'
import type {Settings} from './settings/settings.ts'
import {Tasks} from './task/tasks.ts'
import {Waits} from './wait/waits.ts'

/** The services that verbs use, as far as one grant reaches: what is foreign to it does not exist. */
export class Core {
  readonly projects: Projects
  readonly tasks: Tasks
  readonly panes: Panes
  readonly deliveries: Deliveries
  readonly waits: Waits
  readonly agents: Agents
  readonly events: EventLog
  readonly settings: Settings
  readonly #base: Base
  readonly #grant: Grant

  constructor(base: Base, agents: Agents, panes = new Panes(base, agents), grant: Grant = fullGrant) {
    this.#base = base
    this.#grant = grant
    this.agents = agents
    this.panes = panes
    this.projects = new Projects(base, grant)
    this.deliveries = new Deliveries(base, panes)
    this.tasks = new Tasks(base, {panes, agents, deliveries: this.deliveries, grant})
    this.waits = new Waits(base, panes)
    this.events = new EventLog(base.events)
    this.settings = base.settings
  }

  narrowedTo(grant: Grant): Core {
    return grant === this.#grant ? this : new Core(this.#base, this.agents, this.panes, grant)
  }
}
