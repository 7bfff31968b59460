import {LocalCommand} from '../client/local-command.ts'
import {version} from '../version.ts'

/** `termic version` and `termic --version`. */
export default class Version extends LocalCommand<{version: string; node: string; protocol: number}> {
  static override summary = 'print the version of this program'
  static override aliases = ['--version']

  protected override async answer() {
    return {version, node: process.versions.node, protocol: 1}
  }

  protected override text(result: {version: string; node: string}): string {
    return `termic ${result.version} (node ${result.node})`
  }
}
