// A swap with ethers: ask, verify, approve if needed, send, follow it to the end.
//
//   SERVER=http://127.0.0.1:8080 RPC=http://127.0.0.1:8080/devnet/rpc/369 KEY=0x… node swap.mjs
import { readFile } from 'node:fs/promises'
import { isOver, parsePins, quote, waitFor } from '@hubquote/client'
import { Contract, formatUnits, JsonRpcProvider, Wallet } from 'ethers'

const { SERVER, RPC, KEY } = process.env
const request = {
  srcChain: '369', srcToken: 'USDC', dstChain: '8453', dstToken: 'USDC', amount: '25500000',
  recipient: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
}

// It throws unless every byte of the answer is what the pins, which you reviewed, make of the request.
const pins = parsePins(await readFile('pins.json'))
const { to, approval, methodParameters, srcToken, destToken, destAmount } = await quote(SERVER, request, pins)
console.log(`verified: ${formatUnits(destAmount, destToken.decimals)} ${destToken.symbol} will arrive`)

// ethers sends nothing if the node is on another chain than the quote's.
const provider = new JsonRpcProvider(RPC, srcToken.chainId, { cacheTimeout: -1 }) // so that no nonce is an old one
const wallet = new Wallet(KEY, provider)

async function send(to, data, value = 0n) {
  const gasLimit = (await wallet.estimateGas({ to, data, value })) * 3n / 2n // other deposits change what this one costs; what is left comes back
  const sent = await wallet.sendTransaction({ to, data, value, gasLimit })
  await sent.wait() // throws if it fails
  console.log(`mined: ${sent.hash}`)
  return sent.hash
}

if (approval) { // not for the native coin
  const { token, spender, amount, calldata, resetCalldata } = approval
  const allowance = await new Contract(token, ['function allowance(address, address) view returns (uint256)'], provider).allowance(wallet.address, spender)
  if (allowance < BigInt(amount)) {
    if (resetCalldata && allowance > 0n) await send(token, resetCalldata) // some tokens only change it from zero
    await send(token, calldata)
  }
}
const hash = await send(to, methodParameters.calldata, BigInt(methodParameters.value))
provider.destroy()

const told = (news) => console.log(news.orders.map((o) => o.status).join() || news.reason)
const { orders } = await waitFor(SERVER, hash, { until: (news) => (told(news), isOver(news)), signal: AbortSignal.timeout(3_600_000) })
if (!orders.length || orders.some((o) => o.status !== 'done')) throw new Error(`not paid: see hubquote track ${hash}`)
