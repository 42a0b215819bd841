package mutations_test

import "strings"

// The answers to requests with an account for refunds.
const (
	refundPool     = "usdc-369-to-usdc-8453-refund"
	refundNative   = "eth-1-to-weth-369-refund"
	refundUnshield = "usdc-69696969-to-usdc-1-refund"
	refundShield   = "usdt-1-to-usdc-69696969-refund"
	refundFull     = "usdt-1-to-usdc-369-refund"

	refundTo    = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"
	refundToHex = "15d34aaf54267db7d7c367839aaf71a00a2c6a65"
)

// Where the arguments of a pool's call that names an account for refunds start,
// as far as they are elsewhere than without one.
const (
	refundWord      = poolLength
	refundLength    = poolLength + 32
	refundRecipient = poolRecipient + 32
)

// without is the call of the vector's swap with the sender as the account for
// refunds: another function, another offset, and a word less.
func without(x *text) {
	from := x.at(call).start + len(`"0x`)
	digits := x.base[from : x.at(call).end-1]
	plain := "095ff22d" + digits[8:2*poolRecipientOffset] + strings.Repeat("0", 62) + "c0" + digits[2*poolType:2*refundWord] + digits[2*refundLength:]
	x.replace(from, x.at(call).end-1, plain)
}

// with is the call of the vector's swap with an account for refunds.
func with(account string) change {
	return func(x *text) {
		from := x.at(call).start + len(`"0x`)
		digits := x.base[from : x.at(call).end-1]
		named := "addb3d3d" + digits[8:2*poolRecipientOffset] + strings.Repeat("0", 62) + "e0" + digits[2*poolType:2*poolLength] +
			strings.Repeat("0", 24) + account + digits[2*poolLength:]
		x.replace(from, x.at(call).end-1, named)
	}
}

func refunds() []row {
	const (
		function = call + ".function"
		account  = call + ".refundTo"
	)
	toMallory := bytes(call, refundWord+12, malloryHex)
	asking := map[string]string{"refundTo": refundTo}
	rows := []row{
		{name: "a deposit with an account for refunds", base: refundPool},
		{name: "native coin with an account for refunds", base: refundNative},
		{name: "an unshielding with an account for refunds", base: refundUnshield},
		{name: "a shielding with an account for refunds", base: refundShield},
		{name: "a shielding with an account for refunds, without its proof", base: refundShield, include: ask(""), change: drop("proof"), code: noProof, field: call + ".recipient"},
		{name: "a decoded call with an account for refunds", base: refundFull},
		{name: "an account for refunds in lower case", base: refundPool, request: map[string]string{"refundTo": strings.ToLower(refundTo)}},

		{name: "an account for refunds that was asked for, and the call of a swap without", base: refundPool, change: without, code: differs, field: function},
		{name: "native coin without the account for refunds", base: refundNative, change: without, code: differs, field: function},
		{name: "an unshielding without the account for refunds", base: refundUnshield, change: without, code: differs, field: function},
		{name: "a shielding without the account for refunds", base: refundShield, change: without, code: differs, field: function},
		{name: "the answer to a request without an account for refunds", base: pool, request: asking, code: differs, field: function},
		{name: "an account for refunds that was not asked for", base: pool, change: with(malloryHex), code: differs, field: function},
		{name: "an account for refunds of native coin that was not asked for", base: native, change: with(malloryHex), code: differs, field: function},
		{name: "the recipient as an account for refunds that was not asked for", base: unshield, change: with(strings.ToLower(alice[2:])), code: differs, field: function},
		{name: "the answer to a request with an account for refunds", base: refundPool, request: map[string]string{"refundTo": ""}, code: differs, field: function},
		{name: "the function without refunds, and the arguments with", base: refundPool, change: bytes(call, 0, "095ff22d"), code: differs, field: function},
		{name: "the function with refunds, and the arguments without", base: pool, change: bytes(call, 0, "addb3d3d"), code: differs, field: function},

		{name: "another account for refunds", base: refundPool, change: toMallory, code: differs, field: account},
		{name: "another account for refunds of native coin", base: refundNative, change: toMallory, code: differs, field: account},
		{name: "another account for refunds of an unshielding", base: refundUnshield, change: toMallory, code: differs, field: account},
		{name: "another account for refunds of a shielding", base: refundShield, change: toMallory, code: differs, field: account},
		{name: "another account for refunds than was asked for", base: refundPool, request: map[string]string{"refundTo": mallory}, code: differs, field: account},
		{name: "the recipient as the account for refunds", base: refundPool, change: bytes(call, refundWord+12, strings.ToLower(alice[2:])), code: differs, field: account},
		{name: "zero as the account for refunds", base: refundPool, change: bytes(call, refundWord+12, zeros(20)), code: differs, field: account},
		{name: "the first byte of the account for refunds", base: refundPool, change: bytes(call, refundWord+12, "14"), code: differs, field: account},
		{name: "the last byte of the account for refunds", base: refundPool, change: bytes(call, refundWord+31, "64"), code: differs, field: account},
		{name: "an account for refunds with more than an address", base: refundPool, change: bytes(call, refundWord, "01"), code: differs, field: account},
		{name: "a byte right before the account for refunds", base: refundPool, change: bytes(call, refundWord+11, "01"), code: differs, field: account},
		{name: "an account for refunds that starts its word", base: refundPool, change: bytes(call, refundWord, refundToHex+zeros(12)), code: differs, field: account},
		{name: "a call that ends in the account for refunds", base: refundPool, change: cut(call, refundWord+20), code: differs, field: account},
		{name: "a call that ends before the account for refunds", base: refundPool, change: cut(call, refundWord), code: differs, field: account},

		{name: "the offset of a recipient without refunds", base: refundPool, change: bytes(call, poolRecipientOffset+31, "c0"), code: differs, field: call + ".recipient"},
		{name: "another recipient beside the account for refunds", base: refundPool, change: bytes(call, refundRecipient, malloryHex), code: differs, field: call + ".recipient"},
		{name: "the account for refunds as the recipient", base: refundPool, change: bytes(call, refundRecipient, refundToHex), code: differs, field: call + ".recipient"},
		{name: "the length of a note beside the account for refunds", base: refundPool, change: bytes(call, refundLength+31, "a0"), code: differs, field: call + ".recipient"},
		{name: "something behind the recipient of a call with refunds", base: refundPool, change: bytes(call, refundRecipient+20, "01"), code: differs, field: call + ".recipient"},
		{name: "a word behind a call with refunds", base: refundPool, change: longer(call, zeros(32)), code: differs, field: call},
		{name: "another note beside the account for refunds", base: refundShield, change: bytes(call, refundRecipient, foreignNote), code: note, field: call + ".recipient"},
		{name: "an integrator beside the account for refunds", base: refundPool, change: bytes(call, poolIntegrator+12, malloryHex), code: differs, field: call + ".integratorId"},

		{name: "another account for refunds in the decoded call alone", base: refundFull, change: set("decoded.arguments.refundTo", str(mallory)), code: differs, field: "decoded.arguments.refundTo"},
		{name: "an account for refunds in lower case in the decoded call", base: refundFull, change: lower("decoded.arguments.refundTo"), code: differs, field: "decoded.arguments.refundTo"},
		{name: "no account for refunds in the decoded call", base: refundFull, change: drop("decoded.arguments.refundTo"), code: missing, field: "decoded.arguments.refundTo"},
		{name: "an account for refunds in a decoded call without", base: fullPool, pinned: true, change: add("decoded.arguments", `"refundTo":`+str(mallory)), code: extra, field: "decoded.arguments.refundTo"},
		{name: "the function without refunds in the decoded call", base: refundFull, change: set("decoded.function",
			str("swap(uint256 dstChain, uint256 amount, bytes recipient, uint8 recipientType, address dstToken, bytes32 integratorId)")), code: differs, field: "decoded.function"},
		{name: "the offset of the recipient without refunds in the decoded call", base: refundFull, change: set("decoded.offsets.recipient", "228"), code: differs, field: "decoded.offsets.recipient"},
		{name: "another account for refunds in the list of calls alone", base: refundFull, change: bytes("calls.calls[2].data", refundWord+12, malloryHex), code: differs, field: "calls.calls[2].data.refundTo"},
		{name: "an account for refunds beside the fields of a quote", base: pool, change: add("", `"refundTo":`+str(mallory)), code: extra, field: "refundTo"},
	}
	return append(rows, refundRequests()...)
}

// refundRequests are judged before any answer is.
func refundRequests() (rows []row) {
	for _, r := range []struct{ name, base, code, value string }{
		{"a burn with an account for refunds", burn, "REFUND_TO_UNSUPPORTED", refundTo},
		{"a burn with an integrator and an account for refunds", fullBurn, "REFUND_TO_UNSUPPORTED", refundTo},
		{"a request for refunds to the zero address", pool, "REFUND_TO_ZERO", "0x" + zeros(20)},
		{"a burn with refunds to the zero address", burn, "REFUND_TO_ZERO", "0x" + zeros(20)},
		{"a request for refunds to no address", pool, "REFUND_TO_INVALID", "0x12"},
		{"a request for refunds to an address without 0x", pool, "REFUND_TO_INVALID", refundTo[2:]},
		{"a request for refunds to an address with a capital X", pool, "REFUND_TO_INVALID", "0X" + refundTo[2:]},
		{"a request for refunds to a 0zk address", shield, "REFUND_TO_INVALID", zkAll},
		{"a request for refunds to an address with a space", pool, "REFUND_TO_INVALID", refundTo + " "},
		{"a request for refunds to an address with a wrong checksum", pool, "ADDRESS_CHECKSUM_MISMATCH", "0x15D34AAf54267DB7D7c367839AAf71A00a2C6A65"},
	} {
		rows = append(rows, row{name: r.name, base: r.base, request: map[string]string{"refundTo": r.value}, code: r.code, field: "refundTo"})
	}
	return rows
}
