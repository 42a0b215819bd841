package mutations_test

import "strings"

// longer puts digits behind hexadecimal text.
func longer(path, digits string) change {
	return func(x *text) {
		end := x.at(path).end - 1
		x.replace(end, end, digits)
	}
}

// Where the arguments of a pool's call start.
const (
	poolChain = 4 + 32*iota
	poolAmount
	poolRecipientOffset
	poolType
	poolToken
	poolIntegrator
	poolLength
	poolRecipient
)

func recipients() []row {
	return []row{
		{name: "another recipient", base: pool, change: bytes(call, poolRecipient, malloryHex), code: differs, field: call + ".recipient"},
		{name: "another recipient of native coin", base: native, change: bytes(call, poolRecipient, malloryHex), code: differs, field: call + ".recipient"},
		{name: "another recipient of an unshielding", base: unshield, change: bytes(call, poolRecipient, malloryHex), code: differs, field: call + ".recipient"},
		{name: "another recipient in a hook", base: burn, change: bytes(call, hookRecipient, malloryHex), code: differs, field: call + ".hookData.recipient"},
		{name: "the first byte of the recipient", base: pool, change: bytes(call, poolRecipient, "71"), code: differs, field: call + ".recipient"},
		{name: "the last byte of the recipient", base: pool, change: bytes(call, poolRecipient+19, "c9"), code: differs, field: call + ".recipient"},
		{name: "no recipient", base: pool, change: bytes(call, poolRecipient, strings.Repeat("0", 40)), code: differs, field: call + ".recipient"},
		{name: "a recipient of 32 bytes", base: pool, change: bytes(call, poolLength+31, "20"), code: differs, field: call + ".recipient"},
		{name: "a recipient of no bytes", base: pool, change: bytes(call, poolLength+31, "00"), code: differs, field: call + ".recipient"},
		{name: "a recipient somewhere else in the call", base: pool, change: bytes(call, poolRecipientOffset+31, "e0"), code: differs, field: call + ".recipient"},
		{name: "something behind the recipient", base: pool, change: bytes(call, poolRecipient+20, "01"), code: differs, field: call + ".recipient"},
		{name: "something in the last byte of the padding", base: pool, change: bytes(call, poolRecipient+31, "01"), code: differs, field: call + ".recipient"},
		{name: "the type of an encrypted note for an address", base: pool, change: bytes(call, poolType+31, "02"), code: differs, field: call + ".recipientType"},
		{name: "an unknown type of recipient", base: pool, change: bytes(call, poolType+31, "01"), code: differs, field: call + ".recipientType"},
		{name: "the type of an address for a note", base: shield, change: bytes(call, poolType+31, "00"), code: differs, field: call + ".recipientType"},
		{name: "another recipient in the decoded call alone", base: fullPool, pinned: true, change: set("decoded.arguments.recipient", str("0x"+malloryHex)), code: differs, field: "decoded.arguments.recipient"},
		{name: "another recipient in the decoded hook alone", base: fullBurn, pinned: true, change: set("decoded.hook.recipient", str("0x"+malloryHex)), code: differs, field: "decoded.hook.recipient"},
		{name: "another recipient in the list of calls alone", base: fullPool, pinned: true, change: bytes("calls.calls[2].data", poolRecipient, malloryHex), code: differs, field: "calls.calls[2].data.recipient"},
		{name: "another recipient in the call and its decoding", base: fullPool, pinned: true, change: also(
			bytes(call, poolRecipient, malloryHex), set("decoded.arguments.recipient", str("0x"+malloryHex))), code: differs, field: call + ".recipient"},
	}
}

func calldata() []row {
	return []row{
		{name: "another function", base: pool, change: bytes(call, 0, "deadbeef"), code: differs, field: call + ".function"},
		{name: "a transfer for a deposit", base: pool, change: bytes(call, 0, "a9059cbb"), code: differs, field: call + ".function"},
		{name: "another function for a burn", base: burn, change: bytes(call, 0, "8e0250ee"), code: differs, field: call + ".function"},
		{name: "another place to pay", base: pool, change: bytes(call, poolChain+30, "0001"), code: differs, field: call + ".dstChain"},
		{name: "a privacy pool to pay", base: pool, change: bytes(call, poolChain+28, "04277dc9"), code: differs, field: call + ".dstChain"},
		{name: "the other privacy pool to pay", base: shield, change: bytes(call, poolChain+28, "05c6d1a0"), code: differs, field: call + ".dstChain"},
		{name: "a chain beyond 64 bits", base: pool, change: bytes(call, poolChain, "01"), code: differs, field: call + ".dstChain"},
		{name: "a unit less in the call", base: pool, change: bytes(call, poolAmount+31, "7f"), code: differs, field: call + ".amount"},
		{name: "a unit more in the call", base: pool, change: bytes(call, poolAmount+31, "81"), code: differs, field: call + ".amount"},
		{name: "an amount beyond everything", base: pool, change: bytes(call, poolAmount, "ff"), code: differs, field: call + ".amount"},
		{name: "another amount of native coin in the call", base: native, change: bytes(call, poolAmount+31, "4f"), code: differs, field: call + ".amount"},
		{name: "another token in the call", base: pool, change: bytes(call, poolToken+12, malloryHex), code: differs, field: call + ".dstToken"},
		{name: "a token with more than an address", base: pool, change: bytes(call, poolToken, "01"), code: differs, field: call + ".dstToken"},
		{name: "an integrator in the call that was not named", base: pool, change: bytes(call, poolIntegrator+12, malloryHex), code: differs, field: call + ".integratorId"},
		{name: "another integrator in the call", base: fullPool, pinned: true, change: bytes(call, poolIntegrator+12, malloryHex), code: differs, field: call + ".integratorId"},
		{name: "an integrator missing from the call", base: fullPool, pinned: true, change: bytes(call, poolIntegrator+12, strings.Repeat("0", 40)), code: differs, field: call + ".integratorId"},
		{name: "a byte behind the call", base: pool, change: longer(call, "00"), code: differs, field: call},
		{name: "a word behind the call", base: pool, change: longer(call, strings.Repeat("0", 64)), code: differs, field: call},
		{name: "half a byte behind the call", base: pool, change: longer(call, "0"), code: differs, field: call},
		{name: "a byte behind a burn", base: burn, change: longer(call, "00"), code: differs, field: call},
		{name: "a byte behind a shielding call", base: shield, change: longer(call, "00"), code: differs, field: call},
		{name: "a call without its last byte", base: pool, change: cut(call, 259), code: differs, field: call + ".recipient"},
		{name: "a call that ends in the recipient", base: pool, change: cut(call, 240), code: differs, field: call + ".recipient"},
		{name: "a call that ends in the amount", base: pool, change: cut(call, 50), code: differs, field: call + ".amount"},
		{name: "a call of its function alone", base: pool, change: cut(call, 4), code: differs, field: call + ".dstChain"},
		{name: "a call of two bytes", base: pool, change: cut(call, 2), code: differs, field: call + ".function"},
		{name: "a call of no bytes", base: pool, change: set(call, `"0x"`), code: differs, field: call + ".function"},
		{name: "an empty string for the call", base: pool, change: set(call, `""`), code: differs, field: call},
		{name: "a call that is no hexadecimal", base: pool, change: bytes(call, poolRecipient, "zz"), code: differs, field: call},
		{name: "a burn that is no hexadecimal", base: burn, change: bytes(call, 4, "zz"), code: differs, field: call},
		{name: "a shielding call that is no hexadecimal", base: shield, change: bytes(call, poolRecipient, "zz"), code: differs, field: call},
		{name: "another version of the list of calls", base: fullPool, pinned: true, change: set("calls.version", `"1.0"`), code: differs, field: "calls.version"},
		{name: "calls on another chain", base: fullPool, pinned: true, change: set("calls.chainId", `"0x171"`), code: differs, field: "calls.chainId"},
		{name: "calls that need not succeed together", base: fullPool, pinned: true, change: set("calls.atomicRequired", "false"), code: differs, field: "calls.atomicRequired"},
		{name: "another contract in the list of calls", base: fullPool, pinned: true, change: set("calls.calls[2].to", str(mallory)), code: differs, field: "calls.calls[2].to"},
		{name: "another token in the list of calls", base: fullPool, pinned: true, change: set("calls.calls[0].to", str(mallory)), code: differs, field: "calls.calls[0].to"},
		{name: "value in the list of calls", base: fullPool, pinned: true, change: set("calls.calls[2].value", `"0x1"`), code: differs, field: "calls.calls[2].value"},
		{name: "everything approved in the list of calls", base: fullPool, pinned: true, change: bytes("calls.calls[1].data", 36, "ff"), code: differs, field: "calls.calls[1].data.amount"},
		{name: "another function in the decoded call", base: fullPool, pinned: true, change: set("decoded.function", `"swap()"`), code: differs, field: "decoded.function"},
		{name: "another amount in the decoded call", base: fullPool, pinned: true, change: set("decoded.arguments.amount", `"1"`), code: differs, field: "decoded.arguments.amount"},
		{name: "another offset of the amount", base: fullPool, pinned: true, change: set("decoded.offsets.amount", "4"), code: differs, field: "decoded.offsets.amount"},
		{name: "another offset of the recipient", base: fullPool, pinned: true, change: set("decoded.offsets.recipient", "260"), code: differs, field: "decoded.offsets.recipient"},
		{name: "other hook data in the decoded call", base: fullBurn, pinned: true, change: set("decoded.arguments.hookData", `"0x"`), code: differs, field: "decoded.arguments.hookData"},
	}
}

// Where the arguments of a burn start, and the parts of its hook.
const (
	burnAmount = 4 + 32*iota
	burnDomain
	burnMintRecipient
	burnToken
	burnCaller
	burnMaxFee
	burnFinality
	burnHookOffset
	burnHookLength
	hookChain
)

const (
	hookToken      = hookChain + 32
	hookIntegrator = hookToken + 20
	hookType       = hookIntegrator + 32
	hookRecipient  = hookType + 1
	hookEnd        = hookRecipient + 20
)

func burns() []row {
	rows := []row{
		{name: "another amount in a burn", change: bytes(call, burnAmount+31, "81"), field: ".amount"},
		{name: "another domain to mint in", change: bytes(call, burnDomain+31, "00"), field: ".destinationDomain"},
		{name: "a domain beyond 32 bits", change: bytes(call, burnDomain, "01"), field: ".destinationDomain"},
		{name: "another receiver of the mint", change: bytes(call, burnMintRecipient+12, malloryHex), field: ".mintRecipient"},
		{name: "a receiver with more than an address", change: bytes(call, burnMintRecipient, "01"), field: ".mintRecipient"},
		{name: "another token to burn", change: bytes(call, burnToken+12, malloryHex), field: ".burnToken"},
		{name: "another caller of the mint", change: bytes(call, burnCaller+12, malloryHex), field: ".destinationCaller"},
		{name: "a mint that any caller may make", change: bytes(call, burnCaller+12, strings.Repeat("0", 40)), field: ".destinationCaller"},
		{name: "another finality", change: bytes(call, burnFinality+30, "07d0"), field: ".minFinalityThreshold"},
		{name: "hook data somewhere else in the call", change: bytes(call, burnHookOffset+30, "0120"), field: ".hookData"},
		{name: "no hook data", change: bytes(call, burnHookLength+31, "00"), field: ".hookData"},
		{name: "hook data that is longer", change: bytes(call, burnHookLength+31, "6a"), field: ".hookData"},
		{name: "another place to pay in a hook", change: bytes(call, hookChain+30, "0001"), field: ".hookData.dstChain"},
		{name: "another token to pay in a hook", change: bytes(call, hookToken, malloryHex), field: ".hookData.dstToken"},
		{name: "an integrator in a hook that was not named", change: bytes(call, hookIntegrator+12, malloryHex), field: ".hookData.integratorId"},
		{name: "another type of recipient in a hook", change: bytes(call, hookType, "02"), field: ".hookData.recipientType"},
		{name: "the first byte of the recipient in a hook", change: bytes(call, hookRecipient, "71"), field: ".hookData.recipient"},
		{name: "the last byte of the recipient in a hook", change: bytes(call, hookEnd-1, "c9"), field: ".hookData.recipient"},
		{name: "something behind the hook data", change: bytes(call, hookEnd, "01"), field: ".hookData"},
		{name: "a burn that ends in its hook", change: cut(call, hookRecipient), field: ".hookData.recipient"},
		{name: "a burn that ends before its fee", change: cut(call, burnMaxFee), field: ".maxFee"},
		{name: "a burn that ends in its token", change: cut(call, burnToken+20), field: ".burnToken"},
	}
	for i := range rows {
		rows[i].base, rows[i].code, rows[i].field = burn, differs, call+rows[i].field
	}
	return rows
}

func maxFees() (rows []row) {
	for _, f := range []struct{ name, digits string }{
		{"a unit more for the issuer", "00000000000022d2"}, {"a unit less for the issuer", "00000000000022d0"},
		{"nothing for the issuer", "0000000000000000"}, {"1.2 % for the issuer", "00000000000a75fb"},
		{"all of it for the issuer", "000000000367a280"}, {"more than all of it for the issuer", "00000000ffffffff"},
	} {
		rows = append(rows, row{name: f.name, base: burn, change: bytes(call, burnMaxFee+24, f.digits), code: maxFee, field: call + ".maxFee"})
	}
	return append(rows,
		row{name: "a fee for the issuer beyond 64 bits", base: burn, change: bytes(call, burnMaxFee, "01"), code: maxFee, field: call + ".maxFee"},
		row{name: "another fee for the issuer than the decoded one", base: fullBurn, pinned: true, change: bytes(call, burnMaxFee+31, "d2"), code: differs, field: "decoded.arguments.maxFee"},
		row{name: "another fee for the issuer in the decoded call alone", base: fullBurn, pinned: true, change: set("decoded.arguments.maxFee", `"8914"`), code: differs, field: "decoded.arguments.maxFee"},
		row{name: "another fee for the issuer in the list of calls alone", base: fullBurn, pinned: true, change: bytes("calls.calls[1].data", burnMaxFee+31, "d2"), code: differs, field: "calls.calls[1].data.maxFee"},
		row{name: "another fee for the issuer, everywhere", base: fullBurn, pinned: true, change: also(
			bytes(call, burnMaxFee+31, "d2"), set("decoded.arguments.maxFee", `"8914"`), bytes("calls.calls[1].data", burnMaxFee+31, "d2")),
			code: maxFee, field: call + ".maxFee"},
		row{name: "another fee for the issuer of an integrator that is not pinned", base: fullBurn, include: ask(""),
			change: also(drop("decoded"), drop("calls"), bytes(call, burnMaxFee+31, "d2")), code: maxFee, field: call + ".maxFee"},
	)
}
