// Passes all published vectors: every answer is accepted, and every answer with
// one digit of its calldata changed is refused. Run it with the vectors of any
// server:
//
//   node examples/vectors.mjs http://127.0.0.1:8080
//
// or without an argument, with those of this repository.
import { readFile } from 'node:fs/promises'
import { judge } from '@hubquote/client'

const [server] = process.argv.slice(2)
const text = server
  ? await (await fetch(`${server}/v3/app/vectors`)).text()
  : await readFile(new URL('../../../docs/vectors.json', import.meta.url), 'utf8')

const { pins, vectors } = JSON.parse(text)
for (const { name, request, quote } of vectors) {
  const honest = judge(request, JSON.stringify(quote), pins)
  if (honest.verdict === 'refused') throw new Error(`${name}: ${honest.message}`)

  const calldata = quote.methodParameters.calldata.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
  const forged = { ...quote, methodParameters: { ...quote.methodParameters, calldata } }
  if (judge(request, JSON.stringify(forged), pins).verdict !== 'refused') throw new Error(`${name}: a forgery is accepted`)
}
console.log(`${vectors.length} vectors: none refused, all forgeries refused`)
