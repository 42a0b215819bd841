package witness_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"hubquote/swap"
)

// A witness that never objects proves nothing. It is shown answers of every
// kind that are wrong in one place, each field of the body and each character of
// each string in turn, and must name that place.
func TestWitnessSees(t *testing.T) {
	s := newSubject(t)
	w := begin(t, s, 1, 1_000_000)
	var shown []corruption
	for _, r := range samples(t, w.wishes) {
		honest := s.ask(t, r)
		for _, c := range append([]corruption{{evidence: honest}}, corruptions(t, honest)...) {
			c.ID = len(shown)
			shown = append(shown, c)
			w.show(t, c.evidence)
		}
	}
	v := w.verdict(t)
	objections := map[int]refuted{}
	for _, r := range v.First {
		objections[r.ID] = r
	}
	for _, c := range shown {
		if r := objections[c.ID]; c.place == "" && len(r.Mismatches) > 0 || r.names(c.place) != c.visible() {
			t.Errorf("%s\n%s changed at %d: mismatches = %+v, want the changed place", c.URL, c.place, c.char, r.Mismatches)
		}
	}
	if v.Checked != len(shown) {
		t.Errorf("%d answers checked, want %d", v.Checked, len(shown))
	}
	t.Logf("%d answers, each wrong in one place", len(shown))
}

// names reports whether one of the mismatches is at the place, in it, or holds
// it.
func (r refuted) names(place string) bool {
	return slices.ContainsFunc(r.Mismatches, func(m mismatch) bool {
		return strings.HasPrefix(m.Path+".", place+".") || strings.HasPrefix(place+".", m.Path+".")
	})
}

// kinds has one pair of each kind: a token that wants its allowance reset, the
// native coin, a burn, out of a privacy pool, into one.
var kinds = []string{"USDT@1 USDC@369", "ETH@8453 WETH@369", "USDC@42161 USDC@369", "WETH@96969696 ETH@1", "USDC@56 USDC@69696969"}

// samples are requests of every kind in every version, with all that can be
// asked for.
func samples(t *testing.T, w wishes) (list []request) {
	t.Helper()
	for _, p := range w.Pairs {
		if !slices.Contains(kinds, fmt.Sprintf("%s@%d %s@%d", p.SrcToken.Symbol, p.SrcChain, p.DstToken.Symbol, p.DstChain)) {
			continue
		}
		to := "0xabcdef7970c51812dc3a010c7d01b50e0d17dc79"
		if p.Shields {
			to = w.Recipients[0].Address
		}
		query := fmt.Sprintf("?srcChain=%d&srcToken=%s&dstChain=%d&dstToken=%s&amount=%s&recipient=%s",
			p.SrcChain, p.SrcToken.Symbol, p.DstChain, p.DstToken.Symbol, p.Max.Dec(), to)
		urls := []string{
			"/v3/swap/quote" + query + "&include=decoded,calls,proof&integratorId=0xfedcba7970c51812dc3a010c7d01b50e0d17dc79",
			"/v3/swap/quote" + query + "&revision=1",
			"/v1/quote" + query,
		}
		if !p.Burns {
			urls = append(urls, "/v3/swap/quote"+query+"&include=decoded&refundTo=0x15d34aaf54267db7d7c367839aaf71a00a2c6a65")
		}
		for _, url := range urls {
			list = append(list, request{url: url, wallet: swap.Address{0xab, 1, 2}, rate: 1_234, bps: "1.3"})
		}
	}
	if want := 3*len(kinds) + len(kinds) - 1; len(list) != want { // a burn has no account for refunds
		t.Fatalf("%d samples, want %d: each kind in each version, and with an account for refunds", len(list), want)
	}
	return list
}

// A corruption is evidence that is wrong in one place; an empty place means that
// it is honest.
type corruption struct {
	evidence
	spot
}

type spot struct {
	place string // path in the body, or another name the witness has for it
	char  int    // index in the string there, if one character is changed
}

// visible reports whether the corruption can be seen at all. Without a proof
// 48 bytes of a note mean something only to its sender, whose key is gone; the
// recipient needs none of them.
func (c corruption) visible() bool {
	note := 4 + 7*32 // where it starts in calldata
	if strings.Contains(c.URL, "refundTo") {
		note += 32
	}
	unread := c.place == "methodParameters.calldata" && c.char >= 2+2*(note+80) && c.char < 2+2*(note+128)
	return c.place != "" && !(unread && strings.Contains(c.URL, "=0zk") && !strings.Contains(c.URL, "proof"))
}

func corruptions(t *testing.T, honest evidence) (list []corruption) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(honest.Body))
	d.UseNumber()
	var body any
	if err := d.Decode(&body); err != nil {
		t.Fatal(err)
	}
	variants(body, "", func(s spot, v any) {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		s.place = strings.TrimPrefix(s.place, ".")
		c := corruption{honest, s}
		c.Body = string(text)
		list = append(list, c)
	})
	return append(list, outside(honest)...)
}

// outside are corruptions of what is not in the body: the status, whom the
// service asked, and a note that is used twice.
func outside(honest evidence) (list []corruption) {
	add := func(place string, change func(*evidence)) {
		c := corruption{honest, spot{place: place}}
		change(&c.evidence)
		list = append(list, c)
	}
	add("status", func(e *evidence) { e.Status = 203 })
	if q := honest.Asked.Registry; q != nil {
		elsewhere, another := *q, *q
		elsewhere.Chain++
		another.ID += "0"
		add("asked.registry.chain", func(e *evidence) { e.Asked.Registry = &elsewhere })
		add("asked.registry.id", func(e *evidence) { e.Asked.Registry = &another })
	}
	if q := honest.Asked.Issuer; q != nil {
		add("asked.issuer.source", func(e *evidence) { e.Asked.Issuer = &issuerQuestion{q.Source + 1, q.Gateway, q.BPS} })
		add("asked.issuer.gateway", func(e *evidence) { e.Asked.Issuer = &issuerQuestion{q.Source, q.Gateway + 1, q.BPS} })
	} else {
		add("asked.issuer", func(e *evidence) { e.Asked.Issuer = &issuerQuestion{} })
	}
	if strings.Contains(honest.URL, "=0zk") {
		add("fresh", func(*evidence) {})
	}
	return list
}

// variants emits v with one thing in it changed, for every thing in it.
func variants(v any, place string, emit func(spot, any)) {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			variants(v[k], place+"."+k, func(s spot, nv any) { emit(s, with(v, k, nv)) })
			emit(spot{place: place + "." + k}, without(v, k))
			emit(spot{place: place + "." + k + "2"}, with(v, k+"2", v[k]))
		}
	case []any:
		for i := range v {
			variants(v[i], fmt.Sprint(place, ".", i), func(s spot, nv any) {
				emit(s, slices.Concat(v[:i], []any{nv}, v[i+1:]))
			})
		}
		emit(spot{place: fmt.Sprint(place, ".", len(v)-1)}, v[:len(v)-1])
		emit(spot{place: fmt.Sprint(place, ".", len(v))}, slices.Concat(v, v[:1]))
	case string:
		step := 1
		if len(v) > 66 {
			step = 2 // one digit of each byte is enough
		}
		for i := 0; i < len(v); i += step {
			emit(spot{place, i}, v[:i]+string(other(v[i]))+v[i+1:])
		}
		emit(spot{place, len(v)}, v+"0")
	case json.Number:
		emit(spot{place: place}, json.Number("9"+v))
		emit(spot{place: place}, v.String())
	case bool:
		emit(spot{place: place}, !v)
	}
}

func with(m map[string]any, key string, v any) map[string]any {
	m = maps.Clone(m)
	m[key] = v
	return m
}

func without(m map[string]any, key string) map[string]any {
	m = maps.Clone(m)
	delete(m, key)
	return m
}

// other is a different character: for a digit, another digit.
func other(c byte) rune {
	const digits = "0123456789abcdef"
	if i := strings.IndexByte(digits, c); i >= 0 {
		return rune(digits[i^1])
	}
	return rune(c ^ 0x20)
}
