package mutations_test

// plain are the members of an answer with an approval, but for those that hold
// others only.
var plain = []string{
	"to", "srcToken.address", "srcToken.symbol", "srcToken.decimals", "srcToken.chainId",
	"destToken.address", "destToken.symbol", "destToken.decimals", "destToken.chainId", "srcAmount", "destAmount",
	"fee.chainId", "fee.token", "fee.protocol.percentage", "fee.protocol.amount",
	"fee.integrator.percentage", "fee.integrator.amount", "fee.total.amount",
	"approval.token", "approval.spender", "approval.amount", "approval.calldata",
	"methodParameters.calldata", "methodParameters.value", "route.type",
}

// holders are the members that hold others.
var holders = []string{"srcToken", "destToken", "fee", "fee.protocol", "fee.integrator", "fee.total", "approval", "methodParameters", "route"}

func absences() (rows []row) {
	for _, path := range append(plain, holders...) {
		rows = append(rows, row{name: "without " + path, base: pool, change: drop(path), code: missing, field: path})
	}
	for _, path := range []string{
		"decoded", "decoded.function", "decoded.arguments", "decoded.arguments.recipient", "decoded.offsets", "decoded.offsets.amount",
		"calls", "calls.version", "calls.chainId", "calls.atomicRequired", "calls.calls", "calls.calls[0].to", "calls.calls[2].data", "calls.calls[2].value",
		"fee.integrator.id", "fee.integrator.address",
	} {
		rows = append(rows, row{name: "asked for everything, without " + path, base: fullPool, pinned: true, change: drop(path), code: missing, field: path})
	}
	return append(rows,
		row{name: "a token that wants it without the reset of its allowance", base: withReset, change: drop("approval.resetCalldata"), code: missing, field: "approval.resetCalldata"},
		row{name: "without the decoded hook", base: fullBurn, pinned: true, change: drop("decoded.hook"), code: missing, field: "decoded.hook"},
		row{name: "without the recipient of the decoded hook", base: fullBurn, pinned: true, change: drop("decoded.hook.recipient"), code: missing, field: "decoded.hook.recipient"},
		row{name: "without the last call", base: fullPool, pinned: true, change: drop("calls.calls[2]"), code: missing, field: "calls.calls[2]"},
		row{name: "without the key of the proof", base: shield, change: drop("proof.shieldPrivateKey"), code: missing, field: "proof.shieldPrivateKey"},
		row{name: "without the random bytes of the proof", base: shield, change: drop("proof.random"), code: missing, field: "proof.random"},
		row{name: "a burn without its call", base: burn, change: drop(call), code: missing, field: call},
		row{name: "a shielding answer without its call", base: shield, change: drop(call), code: missing, field: call},
		row{name: "native coin without its value", base: native, change: drop("methodParameters.value"), code: missing, field: "methodParameters.value"},
	)
}

func types() (rows []row) {
	for _, path := range append(plain, holders...) {
		rows = append(rows, row{name: path + " is null", base: pool, change: set(path, "null"), code: differs, field: path})
	}
	others := []struct{ path, value string }{
		{"srcToken.decimals", `"6"`}, {"srcToken.chainId", `"369"`}, {"destToken.chainId", `"8453"`}, {"fee.chainId", `"8453"`},
		{"srcAmount", "29123456"}, {"destAmount", "28977839"}, {"fee.protocol.amount", "145617"}, {"fee.protocol.percentage", `"0.5"`},
		{"fee.integrator.percentage", `"0"`}, {"fee.integrator.amount", "0"}, {"approval.amount", "29123456"}, {"methodParameters.value", "0"},
		{"methodParameters.value", "false"}, {"srcToken.decimals", "true"}, {"route", `"DIRECT"`}, {"route.type", `["DIRECT"]`}, {"route.type", `{"DIRECT":1}`},
		{"approval.spender", `["0x2172981c22245545f539fAE09c6e6aA3c6a7c091"]`}, {"methodParameters.value", `["0x0"]`}, {"fee.total", "[]"},
		{"approval", "[]"}, {"approval", "false"}, {"methodParameters", `"0x"`}, {"to", "{}"},
	}
	for _, o := range others {
		rows = append(rows, row{name: o.path + " is " + o.value, base: pool, change: set(o.path, o.value), code: differs, field: o.path})
	}
	return append(rows,
		row{name: "proof is null where it was asked for", base: shield, change: set("proof", "null"), code: differs, field: "proof"},
		row{name: "proof is true", base: shield, change: set("proof", "true"), code: differs, field: "proof"},
		row{name: "proof is an array", base: shield, change: set("proof", "[]"), code: differs, field: "proof"},
		row{name: "proof.random is a number", base: shield, change: set("proof.random", "0"), code: differs, field: "proof.random"},
		row{name: "decoded is null where it was asked for", base: fullPool, pinned: true, change: set("decoded", "null"), code: differs, field: "decoded"},
		row{name: "calls is null where it was asked for", base: fullPool, pinned: true, change: set("calls", "null"), code: differs, field: "calls"},
		row{name: "calls.calls is an object", base: fullPool, pinned: true, change: set("calls.calls", "{}"), code: differs, field: "calls.calls"},
		row{name: "atomicRequired is text", base: fullPool, pinned: true, change: set("calls.atomicRequired", `"true"`), code: differs, field: "calls.atomicRequired"},
		row{name: "atomicRequired is 1", base: fullPool, pinned: true, change: set("calls.atomicRequired", "1"), code: differs, field: "calls.atomicRequired"},
		row{name: "recipientType is text", base: fullPool, pinned: true, change: set("decoded.arguments.recipientType", `"0"`), code: differs, field: "decoded.arguments.recipientType"},
		row{name: "a decoded chain is a number", base: fullPool, pinned: true, change: set("decoded.arguments.dstChain", "369"), code: differs, field: "decoded.arguments.dstChain"},
	)
}

// spellings are the same values, written in another way.
func spellings() (rows []row) {
	list := []struct{ path, value string }{
		{"srcToken.decimals", "6.0"}, {"srcToken.decimals", "6e0"}, {"srcToken.decimals", "60e-1"}, {"srcToken.decimals", "6E0"},
		{"srcToken.chainId", "3.69e2"}, {"srcToken.chainId", "369.0"}, {"fee.protocol.percentage", "5e-1"}, {"fee.protocol.percentage", "0.50"},
		{"fee.integrator.percentage", "0.0"}, {"fee.integrator.percentage", "-0"}, {"fee.integrator.percentage", "1e-400"}, {"fee.integrator.percentage", "0e0"},
		{"srcToken.decimals", "6.00000000000000000001"}, {"destToken.chainId", "8453.0000000000000000001"},
		{"srcAmount", `"029123456"`}, {"srcAmount", `"29123456.0"`}, {"srcAmount", `" 29123456"`}, {"srcAmount", `"+29123456"`}, {"srcAmount", `"0x1bc6380"`},
		{"methodParameters.value", `"0x00"`}, {"methodParameters.value", `"0X0"`}, {"methodParameters.value", `"0"`}, {"methodParameters.value", `"0x"`},
		{"route.type", `"direct"`}, {"route.type", `"DIRECT "`}, {"fee.token", `"Destination"`}, {"srcToken.symbol", `"usdc"`}, {"srcToken.symbol", `"USDC\u200b"`}, {"srcToken.symbol", `"UЅDC"`},
	}
	for _, s := range list {
		rows = append(rows, row{name: s.path + " written " + s.value, base: pool, change: set(s.path, s.value), code: differs, field: s.path})
	}
	return append(rows,
		row{name: "to in small letters", base: pool, change: lower("to"), code: differs, field: "to"},
		row{name: "spender in small letters", base: pool, change: lower("approval.spender"), code: differs, field: "approval.spender"},
		row{name: "a token's address in small letters", base: pool, change: lower("destToken.address"), code: differs, field: "destToken.address"},
		row{name: "calldata in capital letters", base: pool, change: upper(call), code: differs, field: call},
		row{name: "a burn's calldata in capital letters", base: burn, change: upper(call), code: differs, field: call},
		row{name: "a shielding call in capital letters", base: shield, change: upper(call), code: differs, field: call},
		row{name: "an approval's calldata in capital letters", base: pool, change: upper("approval.calldata"), code: differs, field: "approval.calldata"},
		row{name: "calldata without 0x", base: pool, change: func(x *text) { s := x.at(call); x.replace(s.start+1, s.start+3, "") }, code: differs, field: call},
		row{name: "value in capital letters", base: native, change: upper("methodParameters.value"), code: differs, field: "methodParameters.value"},
		row{name: "value with a leading zero", base: native, change: set("methodParameters.value", `"0x062db9a3539ecf34e"`), code: differs, field: "methodParameters.value"},
		row{name: "random bytes in capital letters", base: shield, change: upper("proof.random"), code: differs, field: "proof.random"},
		row{name: "the key of the proof without 0x", base: shield, change: func(x *text) { s := x.at("proof.shieldPrivateKey"); x.replace(s.start+1, s.start+3, "") }, code: differs, field: "proof.shieldPrivateKey"},
	)
}

func extras() (rows []row) {
	for _, path := range append([]string{""}, holders...) {
		field := "x"
		if path != "" {
			field = path + ".x"
		}
		rows = append(rows, row{name: "something unknown in the object " + path, base: pool, change: add(path, `"x":null`), code: extra, field: field})
	}
	list := []struct{ path, member, field string }{
		{"methodParameters", `"to":"` + mallory + `"`, "methodParameters.to"}, {"methodParameters", `"gas":"0x5208"`, "methodParameters.gas"},
		{"methodParameters", `"from":"` + mallory + `"`, "methodParameters.from"}, {"", `"deadline":0`, "deadline"},
		{"fee.integrator", `"id":"` + partnerID + `"`, "fee.integrator.id"}, {"fee.integrator", `"address":"` + partner + `"`, "fee.integrator.address"},
		{"approval", `"resetCalldata":"0x"`, "approval.resetCalldata"}, {"fee", `"":1`, "fee."}, {"", `"a.b":1`, "a.b"}, {"fee.total", `"percentage":0.5`, "fee.total.percentage"},
	}
	for _, e := range list {
		rows = append(rows, row{name: "not wanted: " + e.field, base: pool, change: add(e.path, e.member), code: extra, field: e.field})
	}
	return append(rows,
		row{name: "an approval for native coin", base: native, change: add("", `"approval":{}`), code: extra, field: "approval"},
		row{name: "approval null for native coin", base: native, change: add("", `"approval":null`), code: extra, field: "approval"},
		row{name: "something unknown in the proof", base: shield, change: add("proof", `"x":1`), code: extra, field: "proof.x"},
		row{name: "something unknown in decoded", base: fullPool, pinned: true, change: add("decoded", `"x":1`), code: extra, field: "decoded.x"},
		row{name: "a hook where there is none", base: fullPool, pinned: true, change: add("decoded", `"hook":{}`), code: extra, field: "decoded.hook"},
		row{name: "something unknown in a call", base: fullPool, pinned: true, change: add("calls.calls[0]", `"gas":"0x0"`), code: extra, field: "calls.calls[0].gas"},
		row{name: "a paymaster in calls", base: fullPool, pinned: true, change: add("calls", `"capabilities":{}`), code: extra, field: "calls.capabilities"},
		row{name: "a call more", base: fullPool, pinned: true, change: add("calls.calls", `{"to":"`+mallory+`"}`), code: extra, field: "calls.calls[3]"},
	)
}
