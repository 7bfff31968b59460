import {readFileSync} from 'node:fs'

declare const TERMIC_VERSION: string | undefined

/** This program's version: written in by the build, read from package.json when the sources run as they are. */
export const version: string =
  typeof TERMIC_VERSION === 'string'
    ? TERMIC_VERSION
    : (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {version: string})
        .version
