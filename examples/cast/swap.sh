#!/bin/sh
# A swap with cast: ask, verify, approve if needed, send, follow it to the end.
#
#   SERVER=http://127.0.0.1:8080 RPC=http://127.0.0.1:8080/devnet/rpc/369 KEY=0x… sh swap.sh
set -eu
CHAIN=369

# It prints nothing unless every byte of the answer is what the pins, which you reviewed, make of the request.
quote=$(hubquote quote --json --server "$SERVER" --pins pins.json \
  --from USDC@369 --to USDC@8453 --units 25500000 --recipient 0x70997970C51812dc3A010C7d01b50e0d17dc79C8)
of() { echo "$quote" | jq -r "$1 // empty"; }
echo "verified: $(of .destAmount) units of $(of .destToken.symbol) will arrive"

export ETH_RPC_URL="$RPC"
from=$(cast wallet address --private-key "$KEY")
send() { # to, data, value; cast sends nothing if the node is on another chain
  gas=$(cast estimate --from "$from" --value "${3:-0}" "$1" "$2")
  gas=$((gas * 3 / 2)) # other deposits change what this one costs; what is left comes back
  receipt=$(cast send --json --gas-limit "$gas" --chain "$CHAIN" --private-key "$KEY" --value "${3:-0}" "$1" "$2")
  hash=$(echo "$receipt" | jq -r .transactionHash)
  [ "$(echo "$receipt" | jq -r .status)" = 0x1 ] || { echo "$hash failed" >&2; exit 1; }
  echo "mined: $hash"
}

token=$(of .approval.token)
if [ -n "$token" ]; then # not for the native coin
  allowance=$(cast call "$token" 'allowance(address,address)(uint256)' "$from" "$(of .approval.spender)" | cut -d' ' -f1)
  larger=$(printf '%s\n' "$allowance" "$(of .approval.amount)" | sort -n | tail -n 1) # 256 bits are too many for the shell
  if [ "$larger" != "$allowance" ]; then
    if [ "$allowance" != 0 ] && [ -n "$(of .approval.resetCalldata)" ]; then send "$token" "$(of .approval.resetCalldata)"; fi
    send "$token" "$(of .approval.calldata)"
  fi
fi
send "$(of .to)" "$(of .methodParameters.calldata)" "$(of .methodParameters.value)"

# Exits with 0 when the swap is done. With --rpc CHAIN=URL for both chains, only when your own nodes show it.
hubquote track "$hash" --server "$SERVER"
