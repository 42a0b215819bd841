package backend

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"hubquote/internal/catalog"
	"hubquote/internal/settler"
	"hubquote/internal/settler/term"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/fake"
)

// A Child says where a settler that is a process of its own runs, so that a test
// can kill it.
type Child struct {
	Nodes           map[swap.ChainID][]string
	Issuer, Journal string
	Keys            []int  // numbers of accounts; none means the relayer
	Signer          string // the address of a signer, for tests that have one
	Listen          string // of the read-only interface, or empty
	Holder          string
	Pace            term.Pace // zero means that of local chains
}

// variable holds the JSON of a [Child].
const variable = "SETTLER_CHILD"

// IsChild reports whether this process was started by [Child.Start]. A TestMain
// asks, and then calls [RunChild].
func IsChild() bool { return os.Getenv(variable) != "" }

// RunChild runs the settler until it is told to stop, with what a test has
// otherwise than the devnet.
func RunChild(change func(*Child, *settler.Options)) {
	if err := runChild(change); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func runChild(change func(*Child, *settler.Options)) error {
	var c Child
	if err := json.Unmarshal([]byte(os.Getenv(variable)), &c); err != nil {
		return err
	}
	o, err := c.options()
	if err != nil {
		return err
	}
	if change != nil {
		change(&c, &o)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	s, err := settler.New(ctx, o)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Run(ctx)
}

func (c *Child) options() (settler.Options, error) {
	cat, err := catalog.Embedded()
	if err != nil {
		return settler.Options{}, err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	o, err := Local(cat, c.Nodes, c.Issuer, "", devnet.Account(devnet.Relayer), log)
	if err != nil {
		return o, err
	}
	o.Journal, o.Listen, o.Holder = c.Journal, c.Listen, settler.Name(c.Holder, os.Getpid())
	if len(c.Keys) > 0 {
		o.Keys = nil
	}
	for _, number := range c.Keys {
		o.Keys = append(o.Keys, Key(devnet.Account(number)))
	}
	if c.Pace != (term.Pace{}) {
		o.Pace = c.Pace
	}
	return o, nil
}

// Start starts the settler as a process. Every line that it writes is passed on.
func (c *Child) Start(each func(line string)) (*fake.Process, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), variable+"="+string(text), "GORACE=halt_on_error=0")
	return fake.Start(cmd, each)
}
