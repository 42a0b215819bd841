package client_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"hubquote/client"
	"hubquote/internal/shield"
	"hubquote/internal/wire"
	"hubquote/swap"
)

var differential = flag.Int("differential", 5_000, "`number` of random requests that Go and TypeScript must agree on")

const tsDir = "../clients/ts"

// The TypeScript client passes its own tests and the example does what it says.
func TestTypeScript(t *testing.T) {
	t.Parallel()
	buildTypeScript(t)
	for _, args := range [][]string{
		{"scripts/types.mjs", "--check"},
		{"--test", "dist/test/verify.test.js", "dist/test/mutate.test.js", "dist/test/note.test.js", "dist/test/client.test.js"},
		{"examples/vectors.mjs"},
		{"examples/vectors.mjs", serve(t, service(t))},
	} {
		if out, err := inTS(nil, "node", args...); err != nil {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}

// A line is one question to the other implementation: does it accept quote for
// request, and if not, for which field?
type line struct {
	Request map[string]string `json:"request"`
	Quote   string            `json:"quote"`
	Field   string            `json:"field"` // empty for an honest answer
}

// Two implementations that share no code come to the same bytes, and to the
// same verdict on answers that are not honest.
func TestGoAndTypeScriptAgree(t *testing.T) {
	t.Parallel()
	buildTypeScript(t)
	pins := newPins(t, client.Allowances{IssuerMax: issuerRate(t, "20")})
	in, out := io.Pipe()
	said := make(chan error)
	go func() {
		answer, err := inTS(in, "node", "dist/test/differential.js")
		in.Close() // or the writer would wait for a reader that is gone
		if got := strings.TrimSpace(string(answer)); err == nil && got != fmt.Sprint(*differential) {
			err = fmt.Errorf("it judged %s answers, want %d", got, *differential)
		}
		said <- err
	}()
	out.CloseWithError(writeLines(t, out, pins, *differential))
	if err := <-said; err != nil {
		t.Errorf("TypeScript disagrees: %v", err)
	}
}

// The witness must be able to say no, or its yes is worth nothing.
func TestTypeScriptCanDisagree(t *testing.T) {
	buildTypeScript(t)
	e := exchanges(t)[0]
	for _, l := range []line{
		{Quote: string(e.answer), Field: "to"},
		{Quote: strings.Replace(string(e.answer), `"to":"0x`, `"to":"0X`, 1)},
		{Quote: strings.Replace(string(e.answer), `"to":"0x`, `"to":"0X`, 1), Field: "srcAmount"},
	} {
		l.Request = map[string]string{}
		for name, values := range client.QueryOf(e.request) {
			l.Request[name] = values[0]
		}
		in := strings.ReplaceAll(string(embeddedPins(t).Text()), "\n", "") + "\n" + jsonOf(l) + "\n"
		if _, err := inTS(strings.NewReader(in), "node", "dist/test/differential.js"); err == nil {
			t.Errorf("TypeScript agrees that %s is refused for %q", l.Quote, l.Field)
		}
	}
}

func writeLines(t *testing.T, w io.Writer, pins *client.Pins, n int) error {
	b := bufio.NewWriter(w)
	compact := new(bytes.Buffer)
	if err := json.Compact(compact, pins.Text()); err != nil {
		return err
	}
	fmt.Fprintln(b, compact)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	random := rand.New(rand.NewPCG(1, 2))
	routes := embedded(t).Routes()
	addresses := vectorAddresses(t)
	for range n {
		route := routes[random.IntN(len(routes))]
		if route.Shields() && random.IntN(4) > 0 { // a proof costs as much as a hundred other checks
			route = routes[random.IntN(len(routes))]
		}
		l, err := newLine(t, random, route, addresses, pins)
		if err != nil {
			return err
		}
		if err := e.Encode(l); err != nil {
			return err
		}
	}
	return b.Flush()
}

// newLine answers a random request, and lies in half of the answers.
func newLine(t *testing.T, random *rand.Rand, route *swap.Route, addresses []string, pins *client.Pins) (line, error) {
	query := randomRequest(random, route, addresses)
	r, err := client.ParseRequest(query.Encode())
	if err != nil {
		return line{}, err
	}
	answer := plot(t, r, func(s *scheme) {
		s.includes = wire.Includes{Decoded: random.IntN(8) == 0, Calls: random.IntN(8) == 0, Proof: route.Shields() && random.IntN(4) > 0}
		s.deposit.MaxFee.SetUint64(0)
		if route.Burn != nil {
			s.deposit.MaxFee.SetUint64(random.Uint64N(r.Amount.Uint64() / 500))
		}
		if s.partner != nil {
			s.partner.ID, s.partner.Wallet, s.partner.Rate = r.Integrator, swap.Address(r.Integrator[12:]), swap.Rate(random.IntN(10_001))
		}
	})
	if random.IntN(2) == 0 {
		answer = spoil(random, answer)
	}
	l := line{Request: map[string]string{}, Quote: string(answer), Field: verdict(r, answer, pins)}
	for name := range query {
		l.Request[name] = query.Get(name)
	}
	return l, nil
}

// verdict is the field that Verify refuses an answer for, or nothing.
func verdict(r swap.Request, answer []byte, pins *client.Pins) string {
	_, err := client.Verify(r, answer, pins)
	m, mismatch := errors.AsType[*client.Mismatch](err)
	switch {
	case err == nil:
		return ""
	case mismatch:
		return m.Field
	case errors.Is(err, client.ErrUnproven):
		return "unproven"
	default:
		return err.Error()
	}
}

func randomRequest(random *rand.Rand, r *swap.Route, addresses []string) url.Values {
	var span, amount swap.Amount
	span.Sub(&r.Limits.Max, &r.Limits.Min)
	span.AddUint64(&span, 1)
	amount.SetBytes(randomBytes(random, 32))
	amount.Mod(&amount, &span)
	amount.Add(&amount, &r.Limits.Min)
	q := url.Values{
		"srcChain": {r.Src.ID.String()}, "srcToken": {spelling(random, r.SrcToken)},
		"dstChain": {r.Dst.ID.String()}, "dstToken": {spelling(random, r.DstToken)},
		"amount": {amount.Dec()}, "recipient": {swap.Address(randomBytes(random, 20)).String()},
	}
	if r.Shields() {
		q.Set("recipient", addresses[random.IntN(len(addresses))])
	}
	if random.IntN(3) == 0 {
		q.Set("integratorId", swap.Address(randomBytes(random, 20)).String())
	}
	return q
}

// spelling is one of the ways to name a token.
func spelling(random *rand.Rand, t *swap.Token) string {
	switch random.IntN(4) {
	case 0:
		return strings.ToLower(t.Symbol)
	case 1:
		return t.Address.String()
	case 2:
		return strings.ToLower(t.Address.String())
	default:
		return t.Symbol
	}
}

// spoil changes one byte of something in hexadecimal, or one digit of a number.
func spoil(random *rand.Rand, answer []byte) []byte {
	spans := hexSpans(answer)
	if s := spans[random.IntN(len(spans))]; random.IntN(4) > 0 {
		return flip(answer, s[0]+2*random.IntN((s[1]-s[0])/2))
	}
	mutant := bytes.Clone(answer)
	for {
		// The digit one up leaves JSON that both read: 08 would be none.
		if i := random.IntN(len(mutant)); '1' <= mutant[i] && mutant[i] <= '8' {
			mutant[i]++
			return mutant
		}
	}
}

func randomBytes(random *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}

// vectorAddresses are private addresses that are good on every chain.
func vectorAddresses(t *testing.T) (list []string) {
	t.Helper()
	text, err := os.ReadFile("../internal/shield/testdata/shield.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			Address string
			Chain   any
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, v := range file.Vectors {
		if _, err := shield.Parse(v.Address); err == nil && v.Chain == nil {
			list = append(list, v.Address)
		}
	}
	return list
}

// buildTypeScript compiles the client, once for all tests.
func buildTypeScript(t *testing.T) {
	t.Helper()
	if err := compileTS(); err != nil {
		t.Fatal(err)
	}
}

// compileTS installs what the lock file pins, unless it is there, and compiles.
// It runs no scripts of what it installs.
var compileTS = sync.OnceValue(func() error {
	pinned, err := os.Stat(filepath.Join(tsDir, "package-lock.json"))
	if err != nil {
		return err
	}
	installed, err := os.Stat(filepath.Join(tsDir, "node_modules", ".package-lock.json"))
	if err != nil || installed.ModTime().Before(pinned.ModTime()) {
		if _, err := inTS(nil, "npm", "ci", "--ignore-scripts"); err != nil {
			return err
		}
	}
	if out, err := inTS(nil, "npm", "run", "--silent", "build"); err != nil {
		return fmt.Errorf("%w\n%s", err, out) // the compiler complains on its standard output
	}
	return nil
})

// inTS runs a command and returns what it prints, or an error with what it
// complains about. Reading the sources tells go test to run again when one of
// them changes.
func inTS(in io.Reader, name string, args ...string) ([]byte, error) {
	for _, pattern := range []string{"src/*.ts", "test/*.ts", "examples/*", "scripts/*", "*.json"} {
		files, _ := filepath.Glob(filepath.Join(tsDir, pattern))
		for _, f := range files {
			os.ReadFile(f)
		}
	}
	var complaints bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin, cmd.Stderr = tsDir, in, &complaints
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("%s: %w\n%s", cmd, err, &complaints)
	}
	return out, nil
}
