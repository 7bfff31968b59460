import type {Socket} from 'node:net'
import type {DataDir} from '../core/daemon/data-dir.ts'

/** One call of the thin client. */
export interface CallOptions {
  argv: string[]
  socket: Socket
  paths: DataDir
  noLaunch: boolean
  version: string
  /** The first daemon that was called died before it said a word. */
  isAgain?: true
  /** Read after connecting: the token is minted anew before each bind. */
  token: () => string
}
