// A swap with viem: ask, verify, approve if needed, send, follow it to the end.
//
//   SERVER=http://127.0.0.1:8080 RPC=http://127.0.0.1:8080/devnet/rpc/369 KEY=0x… node swap.mjs
import { readFile } from 'node:fs/promises'
import { isOver, parsePins, quote, waitFor } from '@hubquote/client'
import { createWalletClient, defineChain, erc20Abi, formatUnits, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const { SERVER, RPC, KEY } = process.env
const request = {
  srcChain: '369', srcToken: 'USDC', dstChain: '8453', dstToken: 'USDC', amount: '25500000',
  recipient: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
}

// It throws unless every byte of the answer is what the pins, which you reviewed, make of the request.
const pins = parsePins(await readFile('pins.json'))
const { to, approval, methodParameters, srcToken, destToken, destAmount } = await quote(SERVER, request, pins)
console.log(`verified: ${formatUnits(BigInt(destAmount), destToken.decimals)} ${destToken.symbol} will arrive`)

// viem sends nothing if the node is on another chain than the quote's.
const chain = defineChain({ id: srcToken.chainId, name: 'source', nativeCurrency: { name: 'Coin', symbol: 'COIN', decimals: 18 }, rpcUrls: { default: { http: [RPC] } } })
const wallet = createWalletClient({ account: privateKeyToAccount(KEY), chain, transport: http(RPC) }).extend(publicActions)

async function send(to, data, value = 0n) {
  const gas = (await wallet.estimateGas({ to, data, value })) * 3n / 2n // other deposits change what this one costs; what is left comes back
  const hash = await wallet.sendTransaction({ to, data, value, gas })
  const { status } = await wallet.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`${hash} failed`)
  console.log(`mined: ${hash}`)
  return hash
}

if (approval) { // not for the native coin
  const { token, spender, amount, calldata, resetCalldata } = approval
  const allowance = await wallet.readContract({ address: token, abi: erc20Abi, functionName: 'allowance', args: [wallet.account.address, spender] })
  if (allowance < BigInt(amount)) {
    if (resetCalldata && allowance > 0n) await send(token, resetCalldata) // some tokens only change it from zero
    await send(token, calldata)
  }
}
const hash = await send(to, methodParameters.calldata, BigInt(methodParameters.value))

const told = (news) => console.log(news.orders.map((o) => o.status).join() || news.reason)
const { orders } = await waitFor(SERVER, hash, { until: (news) => (told(news), isOver(news)), signal: AbortSignal.timeout(3_600_000) })
if (!orders.length || orders.some((o) => o.status !== 'done')) throw new Error(`not paid: see hubquote track ${hash}`)
