package mutations_test

func targets() []row {
	return []row{
		{name: "another contract", base: pool, change: set("to", str(mallory)), code: differs, field: "to"},
		{name: "another contract for a burn", base: burn, change: set("to", str(mallory)), code: differs, field: "to"},
		{name: "another contract for native coin", base: native, change: set("to", str(mallory)), code: differs, field: "to"},
		{name: "another contract for shielding", base: shield, change: set("to", str(mallory)), code: differs, field: "to"},
		{name: "the token itself as the contract", base: pool, change: set("to", str("0x15D38573d2feeb82e7ad5187aB8c1D52810B1f07")), code: differs, field: "to"},
		{name: "the recipient as the contract", base: pool, change: set("to", str(alice)), code: differs, field: "to"},
		{name: "the zero address as the contract", base: pool, change: set("to", str("0x0000000000000000000000000000000000000000")), code: differs, field: "to"},
		{name: "no contract", base: pool, change: set("to", `""`), code: differs, field: "to"},
		{name: "a name for the contract", base: pool, change: set("to", str("vitalik.eth")), code: differs, field: "to"},
		{name: "another contract and spender together", base: pool, change: also(set("to", str(mallory)), set("approval.spender", str(mallory))), code: differs, field: "to"},
		{name: "another type of route", base: pool, change: set("route.type", `"CCTP_INBOUND"`), code: differs, field: "route.type"},
		{name: "a burn called a deposit", base: burn, change: set("route.type", `"DIRECT"`), code: differs, field: "route.type"},
	}
}

func tokens() []row {
	return []row{
		{name: "another source token", base: pool, change: set("srcToken.address", str(mallory)), code: differs, field: "srcToken.address"},
		{name: "another token to receive", base: pool, change: set("destToken.address", str(mallory)), code: differs, field: "destToken.address"},
		{name: "another symbol", base: pool, change: set("srcToken.symbol", `"USDT"`), code: differs, field: "srcToken.symbol"},
		{name: "another symbol to receive", base: pool, change: set("destToken.symbol", `"DAI"`), code: differs, field: "destToken.symbol"},
		{name: "fewer decimals", base: pool, change: set("srcToken.decimals", "5"), code: differs, field: "srcToken.decimals"},
		{name: "more decimals to receive", base: pool, change: set("destToken.decimals", "18"), code: differs, field: "destToken.decimals"},
		{name: "another source chain", base: pool, change: set("srcToken.chainId", "1"), code: differs, field: "srcToken.chainId"},
		{name: "another destination chain", base: pool, change: set("destToken.chainId", "1"), code: differs, field: "destToken.chainId"},
		{name: "the virtual chain for the network below it", base: shield, change: set("destToken.chainId", "69696969"), code: differs, field: "destToken.chainId"},
		{name: "both chains are others", base: pool, change: also(set("srcToken.chainId", "1"), set("destToken.chainId", "10")), code: differs, field: "srcToken.chainId"},
	}
}

func amounts() []row {
	return []row{
		{name: "another source amount", base: pool, change: set("srcAmount", `"29123457"`), code: differs, field: "srcAmount"},
		{name: "a unit less to receive", base: pool, change: set("destAmount", `"28977838"`), code: differs, field: "destAmount"},
		{name: "a unit more to receive", base: pool, change: set("destAmount", `"28977840"`), code: differs, field: "destAmount"},
		{name: "nothing to receive", base: pool, change: set("destAmount", `"0"`), code: differs, field: "destAmount"},
		{name: "a negative amount to receive", base: pool, change: set("destAmount", `"-28977839"`), code: differs, field: "destAmount"},
		{name: "an amount of no digits", base: pool, change: set("srcAmount", `""`), code: differs, field: "srcAmount"},
		{name: "an amount to receive in the decimals of the source", base: scaled, change: set("destAmount", `"35942839"`), code: differs, field: "destAmount"},
		{name: "a smaller amount, consistently, but for the call", base: pool, change: also(
			set("srcAmount", `"29000000"`), set("destAmount", `"28855000"`), set("fee.protocol.amount", `"145000"`), set("fee.total", `{"amount":"145000"}`)),
			code: differs, field: "srcAmount"},
	}
}

func fees() []row {
	return []row{
		{name: "a higher protocol fee in percent", base: pool, change: set("fee.protocol.percentage", "0.6"), code: differs, field: "fee.protocol.percentage"},
		{name: "a higher protocol fee", base: pool, change: also(set("fee.protocol", `{"percentage":0.5,"amount":"145618"}`)), code: differs, field: "fee.protocol.amount"},
		{name: "a higher protocol fee, consistently", base: pool, change: also(
			set("destAmount", `"28948716"`), set("fee.protocol", `{"percentage":0.6,"amount":"174740"}`), set("fee.total", `{"amount":"174740"}`)),
			code: differs, field: "destAmount"},
		{name: "no protocol fee, consistently", base: pool, change: also(
			set("destAmount", `"29123456"`), set("fee.protocol", `{"percentage":0,"amount":"0"}`), set("fee.total", `{"amount":"0"}`)),
			code: differs, field: "destAmount"},
		{name: "another total", base: pool, change: set("fee.total", `{"amount":"145618"}`), code: differs, field: "fee.total.amount"},
		{name: "fees on another chain", base: pool, change: set("fee.chainId", "369"), code: differs, field: "fee.chainId"},
		{name: "fees in the source token", base: pool, change: set("fee.token", `"source"`), code: differs, field: "fee.token"},
		{name: "an integrator's fee without an integrator", base: pool, change: set("fee.integrator", `{"percentage":0,"amount":"1"}`), code: differs, field: "fee.integrator.amount"},
		{name: "an integrator's rate without an integrator", base: pool, change: set("fee.integrator", `{"percentage":0.1,"amount":"0"}`), code: differs, field: "fee.integrator.percentage"},
		{name: "an integrator that was not named, consistently", base: pool, change: also(
			set("destAmount", `"28905031"`), set("fee.integrator", `{"percentage":0.25,"amount":"72808","id":"`+partnerID+`","address":"`+partner+`"}`), set("fee.total", `{"amount":"218425"}`)),
			code: differs, field: "destAmount"},
	}
}

func approvals() []row {
	return []row{
		{name: "another spender", base: pool, change: set("approval.spender", str(mallory)), code: differs, field: "approval.spender"},
		{name: "another token to approve", base: pool, change: set("approval.token", str(mallory)), code: differs, field: "approval.token"},
		{name: "more approved than needed", base: pool, change: set("approval.amount", `"29123457"`), code: differs, field: "approval.amount"},
		{name: "everything approved", base: pool, change: set("approval.amount", `"115792089237316195423570985008687907853269984665640564039457584007913129639935"`), code: differs, field: "approval.amount"},
		{name: "another spender in the call", base: pool, change: bytes("approval.calldata", 16, malloryHex), code: differs, field: "approval.calldata.spender"},
		{name: "a spender with more than an address", base: pool, change: bytes("approval.calldata", 4, "01"), code: differs, field: "approval.calldata.spender"},
		{name: "another amount in the call", base: pool, change: bytes("approval.calldata", 67, "81"), code: differs, field: "approval.calldata.amount"},
		{name: "an amount of everything in the call", base: pool, change: bytes("approval.calldata", 36, "ffffffff"), code: differs, field: "approval.calldata.amount"},
		{name: "a transfer for an approval", base: pool, change: bytes("approval.calldata", 0, "a9059cbb"), code: differs, field: "approval.calldata.function"},
		{name: "increaseAllowance for an approval", base: pool, change: bytes("approval.calldata", 0, "39509351"), code: differs, field: "approval.calldata.function"},
		{name: "an approval that ends early", base: pool, change: cut("approval.calldata", 40), code: differs, field: "approval.calldata.amount"},
		{name: "an approval without arguments", base: pool, change: cut("approval.calldata", 4), code: differs, field: "approval.calldata.spender"},
		{name: "an approval with more behind it", base: pool, change: longer("approval.calldata", "00"), code: differs, field: "approval.calldata"},
		{name: "an empty approval", base: pool, change: set("approval.calldata", `"0x"`), code: differs, field: "approval.calldata.function"},
		{name: "a reset that approves", base: withReset, change: bytes("approval.resetCalldata", 67, "01"), code: differs, field: "approval.resetCalldata.amount"},
		{name: "a reset for another spender", base: withReset, change: bytes("approval.resetCalldata", 16, malloryHex), code: differs, field: "approval.resetCalldata.spender"},
		{name: "a reset that transfers", base: withReset, change: bytes("approval.resetCalldata", 0, "a9059cbb"), code: differs, field: "approval.resetCalldata.function"},
		{name: "spender, token and call of another contract", base: pool, change: also(
			set("approval.token", str(mallory)), set("approval.spender", str(mallory)), bytes("approval.calldata", 16, malloryHex)),
			code: differs, field: "approval.token"},
	}
}

func values() []row {
	return []row{
		{name: "value with an ERC-20", base: pool, change: set("methodParameters.value", `"0x1"`), code: differs, field: "methodParameters.value"},
		{name: "value with a burn", base: burn, change: set("methodParameters.value", `"0x1"`), code: differs, field: "methodParameters.value"},
		{name: "a unit more value", base: native, change: set("methodParameters.value", `"0x62db9a3539ecf34f"`), code: differs, field: "methodParameters.value"},
		{name: "a unit less value", base: native, change: set("methodParameters.value", `"0x62db9a3539ecf34d"`), code: differs, field: "methodParameters.value"},
		{name: "no value with native coin", base: native, change: set("methodParameters.value", `"0x0"`), code: differs, field: "methodParameters.value"},
		{name: "sixteen times the value", base: native, change: set("methodParameters.value", `"0x62db9a3539ecf34e0"`), code: differs, field: "methodParameters.value"},
		{name: "value in decimal", base: native, change: set("methodParameters.value", `"7123456789012345678"`), code: differs, field: "methodParameters.value"},
		{name: "more value than the shielded amount", base: shieldETH, change: set("methodParameters.value", `"0x2b58bf669c5cf34f"`), code: differs, field: "methodParameters.value"},
	}
}
