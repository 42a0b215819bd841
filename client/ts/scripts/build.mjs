// Compiles to build/ for the tests, and from there makes what is published, in
// dist/: the same module for import and for require, each beside its types.
// What is bundled into them is pinned by the lock file; viem stays outside, so
// that a program has it once. With an argument it only writes one file with
// viem inside there, for pages.
import { build } from 'esbuild'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const bundle = (format, outfile, options) =>
  build({ entryPoints: ['src/index.ts'], bundle: true, format, outfile, target: 'es2022', legalComments: 'eof', logLevel: 'warning', ...options })

function publish(format, type) {
  const types = (path) => !/\.js$/.test(path)
  cpSync('build/src', `dist/${format}`, { recursive: true, filter: types })
  writeFileSync(`dist/${format}/package.json`, `{ "type": "${type}" }\n`)
  return bundle(format, `dist/${format}/index.js`, { external: ['viem'], platform: 'node' })
}

const [page] = process.argv.slice(2)
if (page) {
  await bundle('esm', page, { minify: true })
} else {
  for (const dir of ['build', 'dist']) rmSync(dir, { recursive: true, force: true })
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc'], { stdio: 'inherit' })
  mkdirSync('dist')
  await Promise.all([publish('esm', 'module'), publish('cjs', 'commonjs')])
}
