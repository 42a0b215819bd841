// Runs files of tests for Node in one process, one after the other: what they import is
// loaded and compiled once. (Node's own --test starts a process for each.)
//
//	node together.mjs FILE ...

import { after } from 'node:test'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const files = process.argv.slice(2)
if (files.length === 0) throw new Error('say which files')

// A file that ends the process would end the tests of all others without a failure.
let ended = false
after(() => (ended = true))
process.on('exit', () => {
  if (ended) return
  console.error('the process ended before its tests')
  process.exitCode = 1
})

// As imports of one module the files are all read before the first test starts: hooks
// that end with the last test would end with the last one of the first file.
const program = files.map((file) => `import ${JSON.stringify(pathToFileURL(resolve(file)).href)}`)
await import(`data:text/javascript,${encodeURIComponent(program.join('\n'))}`)
