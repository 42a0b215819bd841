// Compiles to build/ for the tests, and makes what is published in dist/: one
// file without dependencies for import, the same for require, each beside its
// types. With an argument it writes one file for a page there, and nothing else.
import { buildSync } from 'esbuild'
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [page] = process.argv.slice(2)
const here = fileURLToPath(new URL('..', import.meta.url))
process.chdir(here)

function bundle(format, outfile, minify) {
  buildSync({ absWorkingDir: here, entryPoints: ['src/index.ts'], bundle: true, format, outfile, minify, target: 'es2022', legalComments: 'eof', logLevel: 'warning' })
}

function publish(format) {
  cpSync('build/src', `dist/${format}`, { recursive: true, filter: (path) => !path.endsWith('.js') })
  bundle(format, `dist/${format}/index.js`, false)
}

if (page) {
  bundle('esm', page, true)
} else {
  for (const dir of ['build', 'dist']) rmSync(dir, { recursive: true, force: true })
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc'], { stdio: 'inherit' })
  publish('esm')
  publish('cjs')
  writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n')
}
