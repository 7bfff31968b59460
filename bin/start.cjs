// Kept to what the oldest Node can parse, so that a Node that is too old says so in a sentence.
'use strict'
var version = process.versions.node.split('.')
if (version[0] < 22 || (version[0] == 22 && version[1] < 15)) {
  process.stderr.write('termic: this is Node.js ' + process.versions.node + ' and termic needs 22.15 or newer; install it and run this again\n')
  process.exit(1)
}
try {
  require('../dist/client.cjs')
} catch (error) {
  if (error.code !== 'MODULE_NOT_FOUND' || require('node:fs').existsSync(__dirname + '/../dist')) throw error
  process.stderr.write('termic: this checkout is not built yet; run `npm run build` in it and then this again\n')
  process.exit(1)
}
