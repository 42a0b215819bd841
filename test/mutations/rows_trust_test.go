package mutations_test

// raised changes the rate of the integrator in the answer of fullPool, and every
// amount that follows from it. The call does not name the rate.
func raised(percentage, share, total, received string) change {
	return also(
		set("destAmount", str(received)),
		set("fee.integrator", `{"percentage":`+percentage+`,"amount":"`+share+`","id":"`+partnerID+`","address":"`+partner+`"}`),
		set("fee.total", `{"amount":"`+total+`"}`))
}

const percentage = "fee.integrator.percentage"

func integrators() []row {
	onePercent := raised("1", "3091234", "4018604", "305104852")
	return []row{
		{name: "an integrator whose rate is not pinned", base: fullPool, code: unpinned, field: percentage},
		{name: "an integrator of a burn whose rate is not pinned", base: fullBurn, code: unpinned, field: percentage},
		{name: "an integrator of a shielding swap whose rate is not pinned", base: fullShield, code: unpinned, field: percentage},
		{name: "a rate of one percent that is not pinned", base: fullPool, change: onePercent, code: unpinned, field: percentage},
		{name: "a rate of one percent where 0.25 is pinned", base: fullPool, pinned: true, change: onePercent, code: rate, field: percentage},
		{name: "a rate over the registry's limit", base: fullPool, change: raised("1.0001", "3091543", "4018913", "305104543"), code: rate, field: percentage},
		{name: "a rate of five percent", base: fullPool, change: raised("5", "15456172", "16383542", "292739914"), code: rate, field: percentage},
		{name: "a rate of a hundred percent", base: fullPool, change: set(percentage, "100"), code: rate, field: percentage},
		{name: "a rate beyond a hundred percent", base: fullPool, change: set(percentage, "1000000000000000000000"), code: rate, field: percentage},
		{name: "a negative rate", base: fullPool, change: set(percentage, "-0.25"), code: rate, field: percentage},
		{name: "a rate of nothing, consistently", base: fullPool, change: raised("0", "0", "927370", "308196086"), code: unpinned, field: percentage},
		{name: "a rate of nothing where 0.25 is pinned", base: fullPool, pinned: true, change: raised("0", "0", "927370", "308196086"), code: rate, field: percentage},
		{name: "a rate a little over the pin", base: fullPool, pinned: true, change: set(percentage, "0.2501"), code: rate, field: percentage},
		{name: "a rate a little under the pin", base: fullPool, pinned: true, change: set(percentage, "0.2499"), code: rate, field: percentage},
		{name: "a rate with five decimals", base: fullPool, change: set(percentage, "0.25001"), code: rate, field: percentage},
		{name: "a rate as text", base: fullPool, pinned: true, change: set(percentage, `"0.25"`), code: rate, field: percentage},
		{name: "a rate with an exponent", base: fullPool, pinned: true, change: set(percentage, "25e-2"), code: rate, field: percentage},
		{name: "a rate with a zero at its end", base: fullPool, pinned: true, change: set(percentage, "0.250"), code: rate, field: percentage},
		{name: "a rate as text that is not pinned", base: fullPool, change: set(percentage, `"0.25"`), code: rate, field: percentage},
		{name: "a rate with an exponent that is not pinned", base: fullPool, change: set(percentage, "25e-2"), code: rate, field: percentage},
		{name: "a rate of null", base: fullPool, change: set(percentage, "null"), code: rate, field: percentage},
		{name: "no rate", base: fullPool, change: drop(percentage), code: rate, field: percentage},
		{name: "a higher rate that is not in the amounts", base: fullPool, change: set(percentage, "0.5"), code: differs, field: "destAmount"},
		{name: "an integrator that was named and is not in the answer", base: fullPool, change: set("fee.integrator", `{"percentage":0,"amount":"0"}`), code: missing, field: "fee.integrator.id"},
		{name: "an integrator in an answer without fees", base: fullPool, change: drop("fee"), code: missing, field: "fee.integrator.id"},
		{name: "an integrator in an answer whose fee is null", base: fullPool, change: set("fee", "null"), code: missing, field: "fee.integrator.id"},
		{name: "an integrator in an answer whose fee is text", base: fullPool, change: set("fee.integrator", `"none"`), code: missing, field: "fee.integrator.id"},
		{name: "another integrator's ID", base: fullPool, change: set("fee.integrator.id", str("0x000000000000000000000000"+malloryHex)), code: differs, field: "fee.integrator.id"},
		{name: "another integrator's wallet", base: fullPool, change: set("fee.integrator.address", str(mallory)), code: differs, field: "fee.integrator.address"},
		{name: "an ID of null", base: fullPool, change: set("fee.integrator.id", "null"), code: differs, field: "fee.integrator.id"},
		{name: "the wallet for the ID", base: fullPool, change: set("fee.integrator.id", str(partner)), code: differs, field: "fee.integrator.id"},
		{name: "another share", base: fullPool, change: set("fee.integrator.amount", `"772809"`), code: differs, field: "fee.integrator.amount"},
		{name: "another integrator in a hook", base: fullBurn, pinned: true, change: bytes(call, hookIntegrator+12, malloryHex), code: differs, field: call + ".hookData.integratorId"},
	}
}

// A note for another address, and its proof, made by the wallet engine.
const (
	foreignNote   = "10a0aa99c514404804f8201ebd434c4d2e925607d046920e4270a4e184e6d3c9459e11f6c479d5c47f2e3938555a6cbf255b5cb59934d0497e9a820b9db32fdee2803457fc4ac329c193d1a6e9ee13c5a31e9147282ce99f8608f6a13797cd726ed402f29266eff018cbe40f3fe414fd32f5970e7136aecea337e4cfc3c488c8680739bdc2191281f82e9323c06b5d1d7d1f31292e58736bd275df2975a5c14a"
	foreignRandom = "0xd514688a90d7f80e99b7dff84883e15f"
	foreignKey    = "0xe82637390bc8954e094a07f6d2aea245f57f8a091fe026141dd227f2a21c1812"

	// Another note for the address that the vectors pay, and its proof.
	otherNote   = "22acb69a6cb8a09213fa8343e99cf033867fca6eef25f759b8cf86d1b7a1fa2084cc1e7438a9b96acfaa9eb96a299eff3ffbeb90cef3f8c46ba8f1501fadbc994663229af70c7924a77e5e6ac45fb35a986542ee1c36c30c25d60d0ef52ac12572b8528fd01bd5c9b06dc30c8ca20e5ea8f3d31e387198c128cff1b9cd7047308e237d5d644c845ae16fea81ecacf5f438630192fc3697c3ec6cbbc206b188c1"
	otherRandom = "0x2ff459e70cee91fb3d4054c08e4f6735"
	otherKey    = "0x7f6e152f90f0d3ccfb8440fcb96c23228807f305175b81f0c6f1b1b230172a62"
)

func notes() []row {
	const field = call + ".recipient"
	proofOf := func(random, key string) change {
		return set("proof", `{"random":"`+random+`","shieldPrivateKey":"`+key+`"}`)
	}
	rows := []row{
		{name: "a foreign note with the honest proof", base: shield, change: bytes(call, poolRecipient, foreignNote), code: note, field: field},
		{name: "a foreign note with its own proof", base: shield, change: also(bytes(call, poolRecipient, foreignNote), proofOf(foreignRandom, foreignKey)), code: note, field: field},
		{name: "a foreign note of native coin with its own proof", base: shieldETH, change: also(bytes(call, poolRecipient, foreignNote), proofOf(foreignRandom, foreignKey)), code: note, field: field},
		{name: "the honest note with a foreign proof", base: shield, change: proofOf(foreignRandom, foreignKey), code: note, field: field},
		{name: "a foreign note, and no proof where one was asked for", base: shield, change: also(bytes(call, poolRecipient, foreignNote), drop("proof")), code: missing, field: "proof"},
		{name: "the honest note, and no proof where one was asked for", base: shield, change: drop("proof"), code: missing, field: "proof"},
		{name: "no proof of native coin where one was asked for", base: shieldETH, change: drop("proof"), code: missing, field: "proof"},
		{name: "a note of zeros", base: shield, change: bytes(call, poolRecipient, zeros(160)), code: note, field: field},
		{name: "a proof of zeros", base: shield, change: proofOf("0x"+zeros(16), "0x"+zeros(32)), code: note, field: field},
		{name: "another random byte", base: shield, change: bytes("proof.random", 0, "6b"), code: note, field: field},
		{name: "another byte of the key", base: shield, change: bytes("proof.shieldPrivateKey", 31, "b8"), code: note, field: field},
		{name: "random bytes that are too few", base: shield, change: cut("proof.random", 15), code: differs, field: "proof.random"},
		{name: "random bytes that are too many", base: shield, change: longer("proof.random", "00"), code: differs, field: "proof.random"},
		{name: "random bytes that are no hexadecimal", base: shield, change: bytes("proof.random", 0, "zz"), code: differs, field: "proof.random"},
		{name: "a key that is too short", base: shield, change: cut("proof.shieldPrivateKey", 31), code: differs, field: "proof.shieldPrivateKey"},
		{name: "a key of no bytes", base: shield, change: set("proof.shieldPrivateKey", `"0x"`), code: differs, field: "proof.shieldPrivateKey"},
		{name: "a note that ends early", base: shield, change: cut(call, poolRecipient+100), code: differs, field: field},
		{name: "a note of 32 bytes", base: shield, change: bytes(call, poolLength+31, "20"), code: differs, field: field},
		{name: "another note for the same address with its proof", base: shield, change: also(bytes(call, poolRecipient, otherNote), proofOf(otherRandom, otherKey))},
		{name: "a foreign note in the call, but not in its decoding", base: fullShield, pinned: true, change: bytes(call, poolRecipient, foreignNote), code: differs, field: "decoded.arguments.recipient"},
		{name: "a foreign note in the decoding alone", base: fullShield, pinned: true, change: set("decoded.arguments.recipient", str("0x"+foreignNote)), code: differs, field: "decoded.arguments.recipient"},
		{name: "a foreign note everywhere", base: fullShield, pinned: true, change: also(
			bytes(call, poolRecipient, foreignNote), set("decoded.arguments.recipient", str("0x"+foreignNote)), bytes("calls.calls[0].data", poolRecipient, foreignNote)),
			code: note, field: field},
		{name: "a note that was asked for without proof", base: shield, include: ask(""), change: drop("proof"), code: noProof, field: field},
		{name: "a note of native coin that was asked for without proof", base: shieldETH, include: ask(""), change: drop("proof"), code: noProof, field: field},
		{name: "a foreign note that was asked for without proof", base: shield, include: ask(""), change: also(bytes(call, poolRecipient, foreignNote), drop("proof")), code: noProof, field: field},
		{name: "a note without proof, and a rate that is not pinned: both reasons, the note first", base: fullShield, include: ask("decoded,calls"), change: drop("proof"), code: noProof, field: field},
		{name: "a note without proof, its integrator's rate pinned", base: fullShield, pinned: true, include: ask("decoded,calls"), change: drop("proof"), code: noProof, field: field},
		{name: "a proof that was not asked for", base: shield, include: ask(""), code: extra, field: "proof"},
		{name: "a proof of null that was not asked for", base: shield, include: ask(""), change: set("proof", "null"), code: extra, field: "proof"},
		{name: "a proof of a swap that does not shield", base: pool, change: add("", `"proof":{}`), code: extra, field: "proof"},
		{name: "a proof asked for a swap that does not shield", base: pool, include: ask("proof"), change: add("", `"proof":null`), code: extra, field: "proof"},
	}
	for _, at := range []int{0, 31, 32, 63, 64, 95, 96, 112, 127, 128, 159} {
		rows = append(rows, flipped(at, field))
	}
	return rows
}
