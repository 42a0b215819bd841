package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/holiman/uint256"

	"hubquote/internal/catalog"
	"hubquote/internal/command"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/sqlite"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/wish"
	"hubquote/swap"
	"hubquote/test/reference"
)

// call runs a command line and returns its exit code and all that it printed.
func call(env map[string]string, args ...string) (int, string) {
	var out bytes.Buffer
	code := commands.Run(args, command.Std{Out: &out, Err: &out, Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
	return code, out.String()
}

func TestHelp(t *testing.T) {
	code, text := call(nil)
	for _, c := range commands.Commands {
		if code != 0 || !strings.Contains(text, "\n  "+c.Name) {
			t.Errorf("help = exit %d, want 0 and the name of %s in it", code, c.Name)
		}
		if c.Name == "version" {
			continue
		}
		if code, about := call(nil, c.Name, "--help"); code != 0 || !strings.Contains(about, "settler ") || !strings.Contains(about, "--journal") {
			t.Errorf("help of %s = exit %d and %q, want 0 and what the command does", c.Name, code, about)
		}
	}
	if code, text := call(nil, "fly"); code != 1 || !strings.Contains(text, "settler --help") {
		t.Errorf("an unknown command: code %d, %s, want 1 and the remedy", code, text)
	}
}

// newJournal makes a journal with one order that waits.
func newJournal(t *testing.T) (path string, id order.ID) {
	t.Helper()
	path, id = filepath.Join(t.TempDir(), "journal.db"), order.ID{0xab}
	j, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	w, err := j.Acquire(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	err = w.Write(t.Context(), func(tx journal.Tx) error {
		o := journal.Order{
			Order: order.Order{ID: id, Src: order.Pool{Chain: 369}, Dst: order.Pool{Chain: 8453}, Amount: *uint256.NewInt(25), Body: []byte{1}},
			State: order.Waiting, Reason: order.Liquidity, Since: time.Now().Add(-time.Hour),
		}
		return tx.PutOrder(t.Context(), o)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Release(context.Background()); err != nil {
		t.Fatal(err)
	}
	return path, id
}

func TestOrders(t *testing.T) {
	path, id := newJournal(t)
	config := filepath.Join(t.TempDir(), "settler.toml")
	if err := os.WriteFile(config, []byte("journal = \""+path+"\"\nfee-cap = \"1\"\n[rpc]\n369 = [\"https://host\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		args string
		want bool // listed
	}{
		{"all", "--journal " + path, true},
		{"by the file of settler run", "--config " + config, true},
		{"in the state", "--journal " + path + " --state waiting", true},
		{"in another state", "--journal " + path + " --state parked", false},
		{"of the source", "--journal " + path + " --chain 369", true},
		{"of the destination", "--journal " + path + " --chain 8453", true},
		{"of another chain", "--journal " + path + " --chain 1", false},
		{"old enough", "--journal " + path + " --older 59m", true},
		{"not old enough", "--journal " + path + " --older 61m", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, text := call(nil, append([]string{"orders"}, strings.Fields(tt.args)...)...)
			if code != 0 || strings.Contains(text, id.String()) != tt.want {
				t.Errorf("orders = %d, %s, want listed %v", code, text, tt.want)
			}
		})
	}
	if code, text := call(nil, "orders", "--journal", path, "--state", "lost"); code != 1 || !strings.Contains(text, `no state "lost"`) {
		t.Errorf("an unknown state: %d, %s, want an error", code, text)
	}
}

// A command that reads makes no journal: an empty one would say that all is well.
func TestNoJournalIsMade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	for _, args := range [][]string{{"orders"}, {"alarms"}, {"show", order.ID{1}.String()}, {"park", order.ID{1}.String(), "--by", "ann"}} {
		code, text := call(nil, append(args, "--journal", path)...)
		if _, err := os.Stat(path); code != 1 || !strings.Contains(text, "--journal") || err == nil {
			t.Errorf("%s without a journal: code %d, %s, a file was made: %v; want 1, the remedy, and none", args[0], code, text, err == nil)
		}
	}
}

func TestWishesAreRecordedAndShown(t *testing.T) {
	path, id := newJournal(t)
	for _, verb := range []string{"park", "retry", "cancel", "refund"} {
		if code, text := call(nil, verb, id.String(), "--journal", path, "--by", "ann"); code != 0 {
			t.Errorf("%s: %d, %s, want 0", verb, code, text)
		}
		if code, _ := call(nil, verb, order.ID{9}.String(), "--journal", path); code != 1 {
			t.Errorf("%s of an unknown order: %d, want 1", verb, code)
		}
		if code, text := call(nil, verb, "0x12", "--journal", path); code != 1 || !strings.Contains(text, "64 digits") {
			t.Errorf("%s of no order: %d, %s, want the remedy", verb, code, text)
		}
	}
	code, text := call(nil, "show", id.String(), "--journal", path)
	for _, want := range []string{"waiting liquidity", "wish park", "wish retry", "wish cancel", "wish refund", "by ann"} {
		if code != 0 || !strings.Contains(text, want) {
			t.Errorf("show = %d, %s, want %q in it", code, text, want)
		}
	}
}

func TestAlarmsAreListedAndAccepted(t *testing.T) {
	path, id := newJournal(t)
	j, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	w, err := j.Acquire(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	alarm := journal.Alarm{Chain: 369, Name: "finality-broken", Subject: id, Since: time.Now()}
	if err := w.Write(t.Context(), func(tx journal.Tx) error { return tx.PutAlarm(t.Context(), alarm) }); err != nil {
		t.Fatal(err)
	}
	code, text := call(nil, "alarms", "--journal", path)
	if code != 0 || !strings.Contains(text, "369") || !strings.Contains(text, "finality-broken") || !strings.Contains(text, id.String()) {
		t.Errorf("alarms = %d, %s, want the chain, the name and the subject", code, text)
	}
	for _, tt := range []struct {
		name, args string
		code       int
		want       string
	}{
		{"a chain without an alarm", "--chain 1", 1, "settler alarms"},
		{"no chain", "--chain x", 1, "chain"},
		{"an order and a chain", id.String() + " --chain 369", 1, "not both"},
		{"an unknown flag", "--chain 369 --force", 1, "force"},
		{"a chain that was stopped", "--chain 369 --by ann", 0, "chain 369"},
	} {
		if code, text := call(nil, append([]string{"retry", "--journal", path}, strings.Fields(tt.args)...)...); code != tt.code || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %d, %s, want %d and %q", tt.name, code, text, tt.code, tt.want)
		}
	}
	wished, err := j.WishesOpen(t.Context())
	if err != nil || len(wished) != 1 || wished[0].Verb != order.WishTrust || wish.ChainOf(wished[0].Subject) != 369 || wished[0].By != "ann" {
		t.Errorf("wishes = %+v, %v, want one of ann to trust chain 369", wished, err)
	}
	if code, _ := call(nil, "park", "--journal", path, "--chain", "369"); code != 1 {
		t.Errorf("park --chain = %d, want 1: only retry has it", code)
	}
}

// TestSecretsAreNotRepeated gives settings that may hold secrets in every way
// that is wrong.
func TestSecretsAreNotRepeated(t *testing.T) {
	const canary = "SECRETKEY123"
	for _, args := range [][]string{
		{"run", "--rpc", "369=ftp://host/" + canary},
		{"run", "--rpc", canary},
		{"run", "--issuer", "ftp://" + canary},
		{"run", "--journal", "postgres://user:" + canary + "@127.0.0.1:1/none", "--fee-cap", "1", "--keystore", "x"},
		{"check", "--fee-cap", "1", "--keystore", "none", "--password-file", "none", "--rpc", "369=https://host/" + canary},
		{"run", "---journal=" + canary},
		{"orders", "--journal", "postgres://user:" + canary + "@127.0.0.1:1/none"},
	} {
		if code, text := call(nil, args...); code != 1 || strings.Contains(text, canary) {
			t.Errorf("%s: code %d, printed %s; want 1 and no secret", args[0], code, text)
		}
	}
	if code, text := call(map[string]string{"SETTLER_RPC_369": "ftp://" + canary}, "run", "--fee-cap", "1"); code != 1 || strings.Contains(text, canary) {
		t.Errorf("from the environment: code %d, printed %s; want 1 and no secret", code, text)
	}
}

// A key is never a flag and never in the environment.
func TestThereIsNoFlagForAKey(t *testing.T) {
	_, text := call(nil, "run", "--help")
	for _, name := range []string{"--private-key", "--mnemonic", "--password ", "--key "} {
		if strings.Contains(text, name) {
			t.Errorf("run has %s, want files only", name)
		}
	}
}

func TestBlockAges(t *testing.T) {
	chains := []swap.ChainID{1, 369, 8453}
	ages, err := blockAges("5m, 8453=1m,369=-1s", chains)
	if err != nil || ages[1] != 5*time.Minute || ages[8453] != time.Minute || ages[369] != -time.Second {
		t.Errorf("blockAges = %v, %v, want 5m, 1m for 8453 and any for 369", ages, err)
	}
	for _, bad := range []string{"", "0", "5", "5m,7=1m", "5m,1m", "5m,369"} {
		if got, err := blockAges(bad, chains); err == nil {
			t.Errorf("blockAges(%q) = %v, want an error", bad, got)
		}
	}
}

func TestFigures(t *testing.T) {
	chains := []swap.ChainID{1, 369}
	caps, err := feeCaps("100, 369=9000000.5", chains)
	one, hub := caps[1], caps[369]
	if err != nil || one.Dec() != "100000000000" || hub.Dec() != "9000000500000000" {
		t.Errorf("feeCaps = %v, %v, want 100 and 9000000.5 gwei", caps, err)
	}
	for _, bad := range []string{"", "x", "369=1,5", "7=1", "1=", "1=1.0000000001", "-1", "1e9", "1."} {
		if got, err := feeCaps(bad, chains); err == nil {
			t.Errorf("feeCaps(%q) = %v, want an error", bad, got)
		}
	}
	cat := reference.Catalog(t)
	list := []*catalog.Catalog{cat}
	got, err := exposures("USDC@8453=50000.25", list)
	if err != nil || len(got) != 1 {
		t.Fatalf("exposures = %v, %v, want one", got, err)
	}
	for pool, amount := range got {
		if pool.Chain != 8453 || amount.Dec() != "50000250000" {
			t.Errorf("exposure on %d = %s, want 50000.25 USDC on 8453", pool.Chain, amount.Dec())
		}
	}
	for _, bad := range []string{"USDC=1", "USDC@8453", "USDC@8453=1.1234567", "USDC@8453=007", "usdc@8453=1", "GOLD@1=1", ","} {
		if got, err := exposures(bad, list); err == nil {
			t.Errorf("exposures(%q) = %v, want an error", bad, got)
		}
	}
}

func TestBreakEvens(t *testing.T) {
	cat := reference.Catalog(t)
	list, chains := []*catalog.Catalog{cat}, []swap.ChainID{1, 369}
	got, err := breakEvens("USDC@8453:1=40, USDC@8453:369=0.5", list, chains)
	if err != nil {
		t.Fatal(err)
	}
	usdc := *find("USDC@8453", list)
	for dst, want := range map[swap.ChainID]string{1: "40000000", 369: "500000"} {
		amount := got[dst][order.Pool{Chain: 8453, Address: usdc.Address}]
		if amount.Dec() != want {
			t.Errorf("break-even of USDC@8453 on %d = %s, want %s", dst, amount.Dec(), want)
		}
	}
	for _, bad := range []string{"USDC@8453=40", "USDC@8453:2=40", "USDC@8453:1", "USDC@8453:1=x", "XYZ@8453:1=40", "USDC@8453:1=40,"} {
		if got, err := breakEvens(bad, list, chains); err == nil {
			t.Errorf("breakEvens(%q) = %v, want an error", bad, got)
		}
	}
}
