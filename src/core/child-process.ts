/**
 * The one door to other programs. Everything that starts a process comes through here, so that a reader (and a test of
 * the import direction) can tell at one place who does. Nothing here goes through a shell.
 */
export {type ChildProcess, execFile, type SpawnOptions, spawn} from 'node:child_process'
