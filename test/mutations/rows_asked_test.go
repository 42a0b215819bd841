package mutations_test

import (
	"fmt"
	"strings"

	"hubquote/test/zk"
)

func zeros(n int) string { return strings.Repeat("00", n) }

// flipped changes a bit of one byte of a note.
func flipped(at int, field string) row {
	return row{name: fmt.Sprintf("byte %d of the note", at), base: shield, code: note, field: field, change: func(x *text) {
		from := x.at(call).start + len(`"0x`) + 2*(poolRecipient+at)
		var b byte
		fmt.Sscanf(x.base[from:from+2], "%02x", &b)
		bytes(call, poolRecipient+at, fmt.Sprintf("%02x", b^1))(x)
	}}
}

func includes() []row {
	return []row{
		{name: "decoded and calls that were not asked for", base: fullPool, pinned: true, include: ask(""), code: extra, field: "decoded"},
		{name: "decoded that was not asked for", base: fullPool, pinned: true, include: ask("calls"), code: extra, field: "decoded"},
		{name: "calls that were not asked for", base: fullPool, pinned: true, include: ask("decoded"), code: extra, field: "calls"},
		{name: "decoded of null that was not asked for", base: pool, change: add("", `"decoded":null`), code: extra, field: "decoded"},
		{name: "calls of null that were not asked for", base: pool, change: add("", `"calls":null`), code: extra, field: "calls"},
		{name: "decoded that was asked for and is not there", base: pool, include: ask("decoded"), code: missing, field: "decoded"},
		{name: "calls that were asked for and are not there", base: pool, include: ask("calls"), code: missing, field: "calls"},
		{name: "decoded and calls that were asked for and are not there", base: pool, include: ask("calls,decoded"), code: missing, field: "decoded"},
		{name: "a burn without the decoding that was asked for", base: burn, include: ask("decoded"), code: missing, field: "decoded"},
		{name: "a note without the calls that were asked for", base: shield, include: ask("calls,proof"), code: missing, field: "calls"},
		{name: "only decoded was asked for, and is there", base: fullPool, pinned: true, include: ask("decoded"), change: drop("calls")},
		{name: "only calls was asked for, and is there", base: fullPool, pinned: true, include: ask("calls"), change: drop("decoded")},
		{name: "only the proof was asked for, and is there", base: fullShield, pinned: true, include: ask("proof"), change: also(drop("decoded"), drop("calls"))},
		{name: "a proof asked for a swap that does not shield, and not there", base: pool, include: ask("proof")},
		{name: "include in another order", base: fullPool, pinned: true, include: ask("proof,calls,decoded")},
	}
}

// orders have two faults each: the one that counts first is named.
func orders() []row {
	return []row{
		{name: "a missing integrator counts before a foreign contract", base: fullPool, change: also(set("to", str(mallory)), drop("fee.integrator.id")), code: missing, field: "fee.integrator.id"},
		{name: "a rate over the limit counts before a foreign contract", base: fullPool, change: also(set("to", str(mallory)), set(percentage, "2")), code: rate, field: percentage},
		{name: "a foreign contract counts before a rate that is not pinned", base: fullPool, change: set("to", str(mallory)), code: differs, field: "to"},
		{name: "the order is that of the quote, not of the answer", base: pool, change: also(set("route", `{"type":"X"}`), set("srcAmount", `"1"`)), code: differs, field: "srcAmount"},
		{name: "an unknown member of an object counts before the next object", base: pool, change: also(add("srcToken", `"x":1`), set("destAmount", `"1"`)), code: extra, field: "srcToken.x"},
		{name: "a difference counts before an unknown member of the same object", base: pool, change: also(add("", `"x":1`), set("fee.chainId", "1")), code: differs, field: "fee.chainId"},
		{name: "a missing member counts before an unknown one", base: pool, change: also(set("route", `{"kind":"DIRECT"}`)), code: missing, field: "route.type"},
		{name: "a foreign contract counts before the issuer's fee", base: burn, change: also(set("to", str(mallory)), bytes(call, burnMaxFee+31, "d2")), code: differs, field: "to"},
		{name: "something unknown counts before the issuer's fee", base: burn, change: also(add("route", `"x":1`), bytes(call, burnMaxFee+31, "d2")), code: extra, field: "route.x"},
		{name: "a foreign contract counts before a foreign note", base: shield, change: also(set("to", str(mallory)), bytes(call, poolRecipient, foreignNote)), code: differs, field: "to"},
		{name: "something unknown counts before a foreign note", base: shield, change: also(add("route", `"x":1`), bytes(call, poolRecipient, foreignNote)), code: extra, field: "route.x"},
		{name: "a foreign note counts before a rate that is not pinned", base: fullShield, include: ask("proof"), change: also(
			drop("decoded"), drop("calls"), bytes(call, poolRecipient, foreignNote)), code: note, field: call + ".recipient"},
		{name: "a difference counts before a note without proof", base: shield, include: ask(""), change: also(drop("proof"), set("destAmount", `"1"`)), code: differs, field: "destAmount"},
	}
}

// requests are judged before any answer is: the answer is the honest one of the
// vector, whatever it is worth.
func requests() (rows []row) {
	with := func(name, base, code, param, value string) row {
		return row{name: name, base: base, request: map[string]string{param: value}, code: code, field: param}
	}
	return append(rows,
		with("a request for too little", pool, "AMOUNT_TOO_LOW", "amount", "1"),
		with("a request for too much", pool, "AMOUNT_TOO_HIGH", "amount", "25000000001"),
		with("a request for nothing", pool, "AMOUNT_INVALID", "amount", "0"),
		with("a request for an amount with a point", pool, "AMOUNT_INVALID", "amount", "1.5"),
		with("a request for an amount with a leading zero", pool, "AMOUNT_INVALID", "amount", "029123456"),
		with("a request for a negative amount", pool, "AMOUNT_INVALID", "amount", "-1"),
		with("a request without an amount", pool, "PARAM_MISSING", "amount", ""),
		with("a request without a recipient", pool, "PARAM_MISSING", "recipient", ""),
		with("a request without a token", pool, "PARAM_MISSING", "srcToken", ""),
		with("a request without a chain", pool, "PARAM_MISSING", "dstChain", ""),
		with("a request to the zero address", pool, "RECIPIENT_ZERO", "recipient", "0x0000000000000000000000000000000000000000"),
		with("a request to no address", pool, "RECIPIENT_INVALID", "recipient", "0x12"),
		with("a request to an address with a wrong checksum", pool, "ADDRESS_CHECKSUM_MISMATCH", "recipient", "0x70997970c51812dc3A010C7d01b50e0d17dc79C8"),
		with("a request to a 0zk address in public", pool, "RECIPIENT_TYPE_MISMATCH", "recipient", zkAll),
		with("a request to an EVM address in a privacy pool", shield, "RECIPIENT_TYPE_MISMATCH", "recipient", alice),
		with("a request to a damaged 0zk address", shield, "ZK_CHECKSUM", "recipient", strings.Replace(zkAll, "0zk1qyk9", "0zk1qyk8", 1)),
		with("a request to a 0zk address for another network", shield, "ZK_CHAIN_MISMATCH", "recipient", zk.AliceOn56),
		with("a request to a 0zk address that is too short", shield, "ZK_LENGTH", "recipient", "0zk1qyk9nn28"),
		with("a request to a 0zk address in both letter cases", shield, "ZK_MIXED_CASE", "recipient", strings.Replace(zkAll, "qyk9", "QYK9", 1)),
		with("a request of a chain that is no number", pool, "CHAIN_INVALID", "srcChain", "one"),
		with("a request of a token that is none", pool, "TOKEN_INVALID", "srcToken", "US DC"),
		with("a request of a pair that is not pinned", pool, "PAIR_UNSUPPORTED", "dstToken", "WETH"),
		with("a request of an integrator that is none", pool, "INTEGRATOR_INVALID", "integratorId", "0x12"),
	)
}

const zkAll = zk.Alice
