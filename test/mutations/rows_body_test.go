package mutations_test

import (
	"fmt"
	"strings"
)

func honest() (rows []row) {
	for _, v := range published() { // the pins do not have the rate of an integrator
		r := row{name: "the vector " + v.Name, base: v.Name}
		if strings.HasSuffix(v.Name, "-integrator") {
			r.code, r.field = unpinned, percentage
		}
		rows = append(rows, r)
	}
	for _, base := range []string{fullPool, fullBurn, fullShield} {
		rows = append(rows, row{name: "an honest answer, its integrator's rate pinned: " + base, base: base, pinned: true})
	}
	return append(rows,
		row{name: "white space before, behind and in it", base: pool, prefix: " \r\n\t", suffix: "\n", change: set("route", `{ "type" : "DIRECT" }`)},
		row{name: "a route written before the call", base: pool, change: also(drop("route"), func(x *text) {
			x.replace(0, 1, `{"route":{"type":"DIRECT"},`)
		})},
		row{name: "a string written with an escape", base: pool, change: set("route.type", `"\u0044IRECT"`)},
		row{name: "a key written with an escape", base: pool, change: func(x *text) {
			s := x.at("srcAmount")
			x.replace(s.key, s.key+4, `"\u0073rc`)
		}},
		row{name: "an escape in capital and small hexadecimal digits", base: pool, change: set("fee.token", `"\u0064estinatio\u006E"`)},
	)
}

func statuses() (rows []row) {
	for _, code := range []int{201, 202, 203, 204, 206, 299, 300, 302, 304, 400, 404, 500, 503} {
		rows = append(rows, row{name: fmt.Sprintf("an honest answer with status %d", code), base: pool, status: code, code: status})
	}
	return append(rows,
		row{name: "an honest shielding answer with status 201", base: shield, status: 201, code: status},
		row{name: "the status counts before the size", base: pool, status: 206, pad: 1 << 16, code: status},
		row{name: "the status counts before the text", base: pool, status: 203, prefix: "<html>", code: status},
		row{name: "the status counts before a difference", base: pool, status: 201, change: set("to", str(mallory)), code: status},
	)
}

func sizes() []row {
	return []row{
		{name: "some spaces behind it", base: pool, pad: 1000},
		{name: "64 KiB of spaces behind it", base: pool, pad: 1 << 16, code: tooLarge},
		{name: "64 KiB of spaces behind a burn", base: burn, pad: 1 << 16, code: tooLarge},
		{name: "exactly 64 KiB", base: pool, fill: 1 << 16},
		{name: "one byte over 64 KiB", base: pool, fill: 1<<16 + 1, code: tooLarge},
		{name: "over 64 KiB in bytes, less in characters", base: pool, change: set("route.type", str(strings.Repeat("€", 21_600))), code: tooLarge},
		{name: "the size counts before the text", base: pool, prefix: "<html>", pad: 1 << 16, code: tooLarge},
		{name: "the size counts before a repeated key", base: pool, change: again("to", str(mallory)), pad: 1 << 16, code: tooLarge},
		{name: "a very long key", base: pool, change: add("", `"`+strings.Repeat("k", 300)+`":1`), code: extra, field: strings.Repeat("k", 300)},
	}
}

func texts() []row {
	deep := func(n int) change { return add("", `"x":`+strings.Repeat("[", n)+strings.Repeat("]", n)) }
	deepObjects := func(n int) change { return add("", `"x":`+strings.Repeat(`{"a":`, n)+"1"+strings.Repeat("}", n)) }
	rows := []row{
		{name: "a byte order mark", base: pool, prefix: "\ufeff"},
		{name: "text behind the answer", base: pool, suffix: "x"},
		{name: "a second object behind the answer", base: pool, suffix: "{}"},
		{name: "a NUL behind the answer", base: pool, suffix: "\x00"},
		{name: "text before the answer", base: pool, prefix: "x"},
		{name: "a no-break space before the answer", base: pool, prefix: "\u00a0"},
		{name: "a form feed behind the answer", base: pool, suffix: "\f"},
		{name: "an array with the answer in it", base: pool, prefix: "[", suffix: "]"},
		{name: "an answer in a comment", base: pool, prefix: "/* */"},
		{name: "a comma behind the last member", base: pool, change: set("route", `{"type":"DIRECT"},`)},
		{name: "a missing comma", base: pool, change: set("route", `{"type":"DIRECT"}"x":1`)},
		{name: "a comment in the answer", base: pool, change: set("route.type", `"DIRECT"/**/`)},
		{name: "a string in single quotes", base: pool, change: set("route.type", `'DIRECT'`)},
		{name: "a string that does not end", base: pool, change: set("route.type", `"DIRECT`)},
		{name: "a line feed in a string", base: pool, change: set("route.type", "\"DIRECT\n\"")},
		{name: "a tab in a string", base: pool, change: set("route.type", "\"DIR\tECT\"")},
		{name: "an unknown escape", base: pool, change: set("route.type", `"\DIRECT"`)},
		{name: "an escape cut short", base: pool, change: set("route.type", `"DIRECT\u00"`)},
		{name: "a key without quotes", base: pool, change: set("route", `{type:"DIRECT"}`)},
		{name: "a number with a leading zero", base: pool, change: set("srcToken.decimals", "06")},
		{name: "a number with a plus sign", base: pool, change: set("srcToken.decimals", "+6")},
		{name: "a number in hexadecimal", base: pool, change: set("srcToken.decimals", "0x6")},
		{name: "a number that ends with its point", base: pool, change: set("srcToken.decimals", "6.")},
		{name: "a number that is none", base: pool, change: set("srcToken.decimals", "NaN")},
		{name: "an infinite number", base: pool, change: set("srcToken.decimals", "Infinity")},
		{name: "undefined", base: pool, change: set("srcToken.decimals", "undefined")},
		{name: "True", base: pool, change: set("srcToken.decimals", "True")},
		{name: "the first half of a surrogate pair", base: pool, change: set("route.type", `"DIRECT\ud83d"`)},
		{name: "the second half of a surrogate pair", base: pool, change: set("route.type", `"\ude00DIRECT"`)},
		{name: "a surrogate pair the wrong way round", base: pool, change: set("route.type", `"\ude00\ud83d"`)},
		{name: "half a surrogate pair before another escape", base: pool, change: set("route.type", `"\ud83d\u0044"`)},
		{name: "half a surrogate pair in a key nothing asked for", base: pool, change: add("", `"\ud83d":1`)},
		{name: "33 levels of arrays", base: pool, change: deep(32)},
		{name: "33 levels of objects", base: pool, change: deepObjects(32)},
		{name: "a thousand levels", base: pool, change: deep(1000)},
		{name: "a page of a captive portal", base: pool, raw: []byte("<!doctype html><title>Log in</title>")},
		{name: "nothing but spaces", base: pool, raw: []byte("  ")},
		{name: "null", base: pool, raw: []byte("null")},
		{name: "true", base: pool, raw: []byte("true")},
		{name: "a number", base: pool, raw: []byte("1")},
		{name: "a string", base: pool, raw: []byte(`"to"`)},
		{name: "an empty array", base: pool, raw: []byte("[]")},
		{name: "an array counts before a repeated key in it", base: pool, raw: []byte(`[{"a":1,"a":2}]`)},
		{name: "the start of an answer", base: pool, raw: []byte(`{"to":"0x2172981c22245545f539fAE09c6e6aA3c6a7c091",`)},
		{name: "a byte that is no UTF-8 in a string", base: pool, raw: []byte("{\"to\":\"\xff\"}")},
		{name: "a byte that is no UTF-8 in a key", base: pool, raw: []byte("{\"t\xc3\":1}")},
		{name: "a character in too many bytes", base: pool, raw: []byte("{\"to\":\"\xc0\xaf\"}")},
		{name: "a surrogate in UTF-8", base: pool, raw: []byte("{\"to\":\"\xed\xa0\x80\"}")},
		{name: "a character beyond Unicode", base: pool, raw: []byte("{\"to\":\"\xf4\x90\x80\x80\"}")},
		{name: "UTF-16", base: pool, raw: []byte("\xff\xfe{\x00}\x00")},
		{name: "bad text counts before a repeated key", base: pool, change: again("to", str(mallory)), suffix: "}"},
		{name: "too deep counts before a repeated key", base: pool, change: also(again("to", str(mallory)), set("route", `{"type":"DIRECT"},"x":`+strings.Repeat("[", 32)+strings.Repeat("]", 32)))},
		{name: "half a surrogate pair counts before a repeated key", base: pool, change: also(again("to", str(mallory)), set("route.type", `"\ud83d"`))},
	}
	for i := range rows {
		rows[i].code = notJSON
	}
	return append(rows,
		row{name: "an empty object", base: pool, raw: []byte("{}"), code: missing, field: "to"},
		row{name: "32 levels of arrays", base: pool, change: deep(31), code: extra, field: "x"},
		row{name: "32 levels of objects", base: pool, change: deepObjects(31), code: extra, field: "x"},
		row{name: "a whole surrogate pair", base: pool, change: set("route.type", `"DIRECT\ud83d\ude00"`), code: differs, field: "route.type"},
		row{name: "the replacement character itself", base: pool, change: set("route.type", `"DIRECT\ufffd"`), code: differs, field: "route.type"},
		row{name: "an escape sequence for terminals in a key", base: pool, change: add("", `"\u001b[2J\u001b[H":1`), code: extra, field: "\x1b[2J\x1b[H"},
		row{name: "an escape sequence for terminals in a value", base: pool, change: set("route.type", `"\u001b[2J"`), code: differs, field: "route.type"},
		row{name: "a key of an object's prototype", base: pool, change: add("", `"__proto__":{"to":1}`), code: extra, field: "__proto__"},
		row{name: "a key that every object inherits", base: pool, change: add("fee", `"constructor":1`), code: extra, field: "fee.constructor"},
		row{name: "an answer whose to is inherited", base: pool, change: set("to", `1,"toString":1`), code: differs, field: "to"},
	)
}

func repeats() []row {
	rows := []row{
		{name: "to twice, the second foreign", base: pool, change: again("to", str(mallory)), field: "to"},
		{name: "to twice, both honest", base: pool, change: func(x *text) {
			s := x.at("to")
			again("to", x.base[s.start:s.end])(x)
		}, field: "to"},
		{name: "to twice, the first foreign", base: pool, change: func(x *text) { x.replace(0, 1, `{"to":"`+mallory+`",`) }, field: "to"},
		{name: "to twice, once with an escape", base: pool, change: add("", `"t\u006f":1`), field: "to"},
		{name: "calldata twice", base: pool, change: again(call, `"0x"`), field: call},
		{name: "value twice", base: native, change: again("methodParameters.value", `"0x0"`), field: "methodParameters.value"},
		{name: "spender twice", base: pool, change: again("approval.spender", str(mallory)), field: "approval.spender"},
		{name: "an approval twice", base: pool, change: again("approval", "null"), field: "approval"},
		{name: "decimals twice", base: pool, change: again("destToken.decimals", "6"), field: "destToken.decimals"},
		{name: "an integrator's percentage twice", base: fullPool, change: again("fee.integrator.percentage", "0.25"), field: "fee.integrator.percentage"},
		{name: "a protocol fee twice", base: pool, change: again("fee.protocol.amount", `"0"`), field: "fee.protocol.amount"},
		{name: "proof twice", base: shield, change: again("proof", "null"), field: "proof"},
		{name: "random twice", base: shield, change: again("proof.random", `"0x"`), field: "proof.random"},
		{name: "an argument of the decoded call twice", base: fullPool, change: again("decoded.arguments.recipient", str(mallory)), field: "decoded.arguments.recipient"},
		{name: "data of a call in a list twice", base: fullPool, change: again("calls.calls[1].data", `"0x"`), field: "calls.calls[1].data"},
		{name: "an unknown key twice", base: pool, change: add("", `"x":1,"x":1`), field: "x"},
		{name: "a key twice in something unknown", base: pool, change: add("", `"x":{"y":[{"z":1,"z":2}]}`), field: "x.y[0].z"},
		{name: "two keys twice: the first to be repeated is named", base: pool, change: add("", `"x":1,"y":1,"y":2,"x":2`), field: "y"},
		{name: "a repeated key counts before a missing integrator", base: fullPool, change: also(drop("fee.integrator.id"), again("to", str(mallory))), field: "to"},
		{name: "a repeated key counts before a difference", base: pool, change: also(set("to", str(mallory)), again("route", "{}")), field: "route"},
	}
	for i := range rows {
		rows[i].code = repeated
	}
	return append(rows,
		row{name: "the same key in another object is no repetition", base: pool, change: add("route", `"to":1`), code: extra, field: "route.to"},
		row{name: "a key in another letter case is no repetition", base: pool, change: add("", `"To":1`), code: extra, field: "To"},
	)
}
