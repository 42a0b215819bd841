// A swap in one batch, for a wallet that takes several calls at once (EIP-5792), such as a Safe.
//
//   SERVER=http://127.0.0.1:8080 WALLET=http://127.0.0.1:8080/devnet/wallet/369 node swap.mjs
//
// The devnet's wallet stands in for a Safe and its app: it asks no owner.
import { readFile } from 'node:fs/promises'
import { isOver, parsePins, quote, waitFor } from '@hubquote/client'
import { createWalletClient, formatUnits, http } from 'viem'

const { SERVER, WALLET } = process.env
const wallet = createWalletClient({ transport: http(WALLET) }) // in a page: custom(window.ethereum)
const [account] = await wallet.getAddresses()
const request = {
  srcChain: '369', srcToken: 'USDC', dstChain: '8453', dstToken: 'USDC', amount: '25500000',
  recipient: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', // a contract wallet may not exist on the other chain: name one that does
}

// It throws unless every byte of the answer is what the pins, which you reviewed, make of the request.
const pins = parsePins(await readFile('pins.json'))
const { calls, destToken, destAmount } = await quote(SERVER, { ...request, include: 'calls' }, pins)
console.log(`verified: ${formatUnits(BigInt(destAmount), destToken.decimals)} ${destToken.symbol} will arrive`)

// Approval and deposit are one batch: both happen, or neither.
const { id } = await wallet.sendCalls({
  account, chain: { id: Number(calls.chainId) }, forceAtomic: true,
  calls: calls.calls.map(({ to, data, value }) => ({ to, data, value: BigInt(value) })),
})
const { status, receipts } = await wallet.waitForCallsStatus({ id, timeout: 600_000 })
if (status !== 'success') throw new Error(`the batch ${id}: ${status}`)
const hash = receipts.at(-1).transactionHash
console.log(`mined: ${hash}`)

const told = (news) => console.log(news.orders.map((o) => o.status).join() || news.reason)
const { orders } = await waitFor(SERVER, hash, { until: (news) => (told(news), isOver(news)), signal: AbortSignal.timeout(3_600_000) })
if (!orders.length || orders.some((o) => o.status !== 'done')) throw new Error(`not paid: see hubquote track ${hash}`)
