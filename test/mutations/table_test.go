package mutations_test

import (
	stdbytes "bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"hubquote/swap"
	"hubquote/test/mutations"
)

var update = flag.Bool("update", false, "rewrite mutations.json")

const about = "Altered and honest answers, and the verdict that every verifier must give on each. " +
	"Take the answer of the vector named base in docs/vectors.json, as it is written there; replace each find, which occurs once in it, by put; " +
	"put prefix before and suffix behind it, then pad spaces. base64 is the whole body instead. " +
	"The request is the vector's; include replaces what was asked for with include, request replaces parameters, and an empty one is left out. " +
	"The pins are the vectors', with integrators as known ones: a wallet and its rate in millionths. status is 200 if it is left out. " +
	"Of an unproven answer, code and field are those of the first reason. " +
	"An integrator's percentage that is missing or no rate in its one spelling is INTEGRATOR_RATE_DIFFERS. " +
	"A call that ends early is named by the argument in which it ends; one with bytes behind it by the call."

// A row is a mutation before it is bound to the text of its answer.
type row struct {
	name    string
	base    string
	change  change
	code    string // empty for proved
	field   string
	include *string
	pinned  bool // the integrator's rate is
	request map[string]string

	prefix, suffix string
	pad, status    int
	fill           int // spaces behind it until it has that many bytes
	raw            []byte
}

// The codes of a verdict.
const (
	status   = "ANSWER_STATUS"
	tooLarge = "ANSWER_TOO_LARGE"
	notJSON  = "ANSWER_NOT_JSON"
	repeated = "FIELD_REPEATED"
	missing  = "FIELD_MISSING"
	differs  = "FIELD_DIFFERS"
	extra    = "FIELD_EXTRA"
	rate     = "INTEGRATOR_RATE_DIFFERS"
	maxFee   = "MAX_FEE_DIFFERS"
	note     = "NOTE_DIFFERS"
	noProof  = "NOTE_UNPROVEN"
	unpinned = "INTEGRATOR_RATE_UNPINNED"
)

// The answers that are altered.
const (
	pool       = "usdc-369-to-usdc-8453"
	withReset  = "usdt-1-to-usdc-369"
	native     = "eth-1-to-weth-369"
	scaled     = "usdc-369-to-usdc-56"
	burn       = "usdc-10-to-usdc-369"
	unshield   = "usdc-69696969-to-usdc-1"
	shield     = "usdt-1-to-usdc-69696969"
	shieldETH  = "eth-1-to-weth-69696969"
	fullPool   = "usdt-1-to-usdc-369-integrator"
	fullBurn   = "usdc-10-to-usdc-369-integrator"
	fullShield = "eth-1-to-weth-69696969-integrator"
)

const (
	call = "methodParameters.calldata"

	alice      = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
	mallory    = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"
	malloryHex = "90f79bf6eb2c4f870365e785982e1f101e93b906"
	partner    = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
	partnerID  = "0x0000000000000000000000003c44cdddb6a900fa2b585dd299e03d12fa4293bc"
)

func ask(include string) *string { return &include }

var groups = []struct {
	name string
	rows func() []row
}{
	{"honest", honest}, {"status", statuses}, {"size", sizes}, {"json", texts}, {"repeated", repeats},
	{"missing", absences}, {"type", types}, {"spelling", spellings}, {"extra", extras},
	{"target", targets}, {"token", tokens}, {"amount", amounts}, {"fee", fees}, {"approval", approvals},
	{"recipient", recipients}, {"call", calldata}, {"burn", burns}, {"value", values}, {"maxFee", maxFees},
	{"integrator", integrators}, {"note", notes}, {"refund", refunds}, {"include", includes}, {"order", orders}, {"request", requests}, {"address", addresses}, {"wallet", wallets},
}

// The committed table is the rows, bound to the answers of today.
func TestTable(t *testing.T) {
	list := bound(t)
	var b stdbytes.Buffer
	fmt.Fprintf(&b, "{\n\"about\": %s,\n\"mutations\": [\n", encode(t, about))
	for i, m := range list {
		end := ","
		if i == len(list)-1 {
			end = ""
		}
		fmt.Fprintf(&b, "%s%s\n", encode(t, m), end)
	}
	b.WriteString("]\n}\n")
	if *update {
		if err := os.WriteFile("mutations.json", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	committed, err := os.ReadFile("mutations.json")
	if err != nil {
		t.Fatal(err)
	}
	if !stdbytes.Equal(committed, b.Bytes()) {
		t.Error("mutations.json is not what the rows make of docs/vectors.json: rewrite it with -update")
	}
}

// encode writes JSON as people write it, with < and > as they are.
func encode(t *testing.T, v any) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

func bound(t *testing.T) (list []mutations.Mutation) {
	t.Helper()
	vectors := published()
	for _, g := range groups {
		for _, r := range g.rows() {
			i := slices.IndexFunc(vectors, func(v vector) bool { return v.Name == r.base })
			if i < 0 {
				t.Fatalf("%s: there is no vector %s", r.name, r.base)
			}
			list = append(list, r.bind(t, g.name, string(vectors[i].Quote)))
		}
	}
	return list
}

func (r *row) bind(t *testing.T, group, answer string) mutations.Mutation {
	t.Helper()
	m := mutations.Mutation{
		Group: group, Name: r.name, Base: r.base, Request: r.request, Include: r.include,
		Prefix: r.prefix, Suffix: r.suffix, Pad: r.pad, Status: r.status,
		Verdict: mutations.Refused, Code: r.code, Field: r.field,
	}
	switch r.code {
	case "":
		m.Verdict = mutations.Proved
	case noProof, unpinned:
		m.Verdict = mutations.Unproven
	}
	if r.pinned {
		m.Integrators = map[string]swap.Rate{partner: 2_500}
	}
	if r.fill > 0 {
		m.Pad = r.fill - len(answer)
	}
	if r.raw != nil {
		m.Base64 = base64.StdEncoding.EncodeToString(r.raw)
	}
	if r.change != nil {
		x := newText(t, answer)
		r.change(x)
		m.Edits = x.edits
	}
	return m
}

// The table has what it promises, and every row can be made.
func TestCases(t *testing.T) {
	cases, err := mutations.Cases()
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) < 300 {
		t.Errorf("%d rows, want at least 300", len(cases))
	}
	names, codes := map[string]bool{}, map[string]int{}
	for _, c := range cases {
		if names[c.Name] {
			t.Errorf("two rows are called %q, want names that differ", c.Name)
		}
		names[c.Name] = true
		codes[c.Code]++
		if !slices.Contains([]mutations.Verdict{mutations.Proved, mutations.Refused, mutations.Unproven}, c.Verdict) || (c.Verdict == mutations.Proved) != (c.Code == "") {
			t.Errorf("%s: verdict %q with code %q, want a code unless proved", c.Name, c.Verdict, c.Code)
		}
	}
	for _, code := range []string{"", status, tooLarge, notJSON, repeated, missing, differs, extra, rate, maxFee, note, noProof, unpinned} {
		if codes[code] < 3 {
			t.Errorf("%d rows with code %q, want at least 3", codes[code], code)
		}
	}
	t.Logf("%d rows: %v", len(cases), codes)
}
