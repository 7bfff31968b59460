import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

/** The licences of every package that is part of a bundle, as one text: they ask to go with each copy. */
export function licensesOf(moduleIds) {
  const packages = new Map(
    moduleIds.flatMap(id => {
      const [, dir, name] = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id.replace('\0', '')) ?? []
      return dir === undefined ? [] : [[dir, name]]
    }),
  )
  const texts = [...packages].map(([dir, name]) => {
    const {version, license} = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
    const file = existsSync(dir) && readdirSync(dir).find(entry => /^licen[cs]e/i.test(entry))
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(dir, file), 'utf8').trim() : ''}\n`
  })
  return texts.sort().join(`\n${'-'.repeat(80)}\n\n`)
}
