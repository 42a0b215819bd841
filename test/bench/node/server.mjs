// A DIRECT quote with Node and ethers, for comparison with the service in Go. It
// serves one pair, with the steps of the service: parse, check, compute, encode,
// print.
import { createServer } from "node:http";
import { AbiCoder, Interface, getAddress } from "ethers";

const pool = new Interface(["function swap(uint256 dstChain, uint256 amount, bytes recipient, uint8 recipientType, address dstToken, bytes32 integratorId) payable"]);
const erc20 = new Interface(["function approve(address spender, uint256 amount)"]);
const to = "0xa39FcdB723cE68F14f3915F35Cb837f33D006C2b";
const src = { address: "0x15D38573d2feeb82e7ad5187aB8c1D52810B1f07", symbol: "USDC", decimals: 6, chainId: 369 };
const dst = { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: "USDC", decimals: 6, chainId: 8453 };
const none = AbiCoder.defaultAbiCoder().encode(["bytes32"], ["0x" + "00".repeat(32)]);

function quote(query) {
  const q = new URLSearchParams(query);
  const amount = BigInt(q.get("amount"));
  const recipient = getAddress(q.get("recipient"));
  if (amount < 10_000_000n || amount > 25_000_000_000n) throw new Error("amount");
  const fee = (amount * 5_000n) / 1_000_000n;
  return {
    to, srcToken: src, destToken: dst,
    srcAmount: amount.toString(), destAmount: (amount - fee).toString(),
    fee: {
      chainId: 8453, token: "destination",
      protocol: { percentage: 0.5, amount: fee.toString() },
      integrator: { percentage: 0, amount: "0" },
      total: { amount: fee.toString() },
    },
    approval: { token: src.address, spender: to, amount: amount.toString(), calldata: erc20.encodeFunctionData("approve", [to, amount]) },
    methodParameters: { calldata: pool.encodeFunctionData("swap", [8453n, amount, recipient, 0, dst.address, none]), value: "0x0" },
    route: { type: "DIRECT" },
  };
}

const server = createServer((request, response) => {
  const body = JSON.stringify(quote(request.url.split("?")[1]));
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => console.error(`listening on 127.0.0.1:${server.address().port}`));
