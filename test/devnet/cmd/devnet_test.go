package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"hubquote/internal/command"
	"hubquote/test/devnet/devnettest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// do runs a command line and returns its exit code and output.
func do(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = commands.Run(args, command.Std{Out: &o, Err: &e, Env: os.LookupEnv})
	return code, o.String(), e.String()
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"up", "--help"}, {"swap", "--help"}} {
		if code, out, _ := do(args...); code != 0 || !strings.HasPrefix(out, "devnet") {
			t.Errorf("%q: exit code = %d, help = %q, want 0 and the help", args, code, out)
		}
	}
}

func TestRefuses(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"a command that is not there", []string{"down"}, `no command "down"`},
		{"a flag that is not there", []string{"up", "--port", "1"}, "devnet up --help"},
		{"an argument too many", []string{"swap", "100"}, `unexpected argument "100"`},
		{"a token that no route starts with", []string{"swap", "--from", "DOGE@1"}, "no swap starts with DOGE@1"},
		{"a pair that is not served", []string{"swap", "--to", "USDC@10"}, "can be swapped to USDC@369"},
		{"an amount with too many decimals", []string{"swap", "--amount", "1.0000001"}, "--amount"},
		{"a sender without a key", []string{"swap", "--as", "Mallory"}, "--as"},
		{"a devnet that is not up", []string{"swap", "--devnet", "http://127.0.0.1:1"}, "devnet up"},
		{"an address that cannot be", []string{"up", "--listen", "256.0.0.1:1"}, "--listen"},
		{"an address that is taken, by this test", []string{"--listen", taken(t)}, fmt.Sprintf("(process %d)", os.Getpid())},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if code, _, errs := do(tt.args...); code != 1 || !strings.Contains(errs, tt.want) {
				t.Errorf("exit code %d, %q, want one about %q", code, errs, tt.want)
			}
		})
	}
}

// taken is an address that this process listens on.
func taken(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().String()
}

// A transcript is the output so far of a running command.
type transcript struct {
	lock sync.Mutex
	text bytes.Buffer
}

func (s *transcript) Write(p []byte) (int, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.text.Write(p)
}

func (s *transcript) String() string {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.text.String()
}

var servedAt = regexp.MustCompile(`http://127\.0\.0\.1:\d+/v3`)

// Up, a swap of each kind, and down again.
func TestUpAndSwap(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var out transcript
	ended := make(chan error, 1)
	settings := upSettings{listen: "127.0.0.1:0", anvil: devnettest.Anvil(t, "../../..")}
	go func() { ended <- settings.run(ctx, command.Std{Out: &out, Env: os.LookupEnv}.Terminal(0)) }()
	devnettest.Eventually(t, "the devnet is up", func() bool {
		select {
		case err := <-ended:
			t.Fatalf("up ended with %v, want it running", err)
		default:
		}
		return strings.Contains(out.String(), "Ctrl-C")
	})
	url := strings.TrimSuffix(servedAt.FindString(out.String()), "/v3")
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"direct", nil, "Received 99.7 USDC, exactly as quoted."},
		{"a token that returns nothing", []string{"--from", "USDT@1"}, "Received 99.7 USDC, exactly as quoted."},
		{"inbound burn, with an integrator", []string{"--from", "USDC@10", "--integrator", "0x90F79bf6EB2c4f870365E785982E1f101E93b906"}, "Received 99.45 USDC, exactly as quoted."},
		{"outbound burn", []string{"--from", "USDC@369", "--to", "USDC@25"}, "Received 99.5 USDC, exactly as quoted."},
		{"shielding", []string{"--from", "ETH@1", "--to", "WETH@69696969", "--amount", "1"}, "The note opens with the wallet's viewing key."},
		{"unshielding", []string{"--from", "WETH@96969696", "--to", "ETH@1", "--amount", "1", "--as", "carol"}, "Received 0.995 ETH, exactly as quoted."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, out, errs := do(append([]string{"swap", "--devnet", url}, tt.args...)...)
			if code != 0 || !strings.Contains(out, tt.want) {
				t.Errorf("exit code = %d, want 0: %s%s", code, errs, out)
			}
		})
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
