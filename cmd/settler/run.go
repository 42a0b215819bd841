package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"hubquote/internal/command"
	"hubquote/internal/logqueue"
	"hubquote/internal/process"
	"hubquote/internal/settler"
)

const runHelp = `settler run settles orders until it is told to stop.

On SIGTERM or Ctrl-C it stops deciding, and exits with 0. What it has signed is
in the journal, and its successor looks after it; it can be killed at any moment.
While another settler holds the journal it stands by, and takes over within
fifteen seconds when that one is gone.

Settings come from flags, then from the environment, then from the file that
--config names: TOML whose keys are the names of the flags, such as

  journal = "postgres://settler@host/settler"
  issuer = "https://iris-api.circle.com"
  keystore = "/etc/settler/key.json"
  password-file = "/etc/settler/password"
  fee-cap = "100,369=9000000"
  exposure = "USDC@8453=50000"

  [rpc]
  369 = ["https://one/key", "https://two/key", "https://three/key"]

A key is never a flag and never in the environment. What it may sign is a closed
list: the settlement calls of the catalog's contracts, within the fee cap.`

func settle(args []string, s command.Std) error {
	c, err := readSettings("run", runHelp, args, s)
	if err != nil {
		return err
	}
	log := logqueue.New(s.Err)
	defer log.Close(logTimeout)
	s.Err = log
	opts, err := c.options(s)
	if err != nil {
		return fmt.Errorf("run: %w", err)
	}
	ctx, stop := process.UntilSignal()
	defer stop()
	backend, err := settler.New(ctx, opts)
	if err != nil {
		return fmt.Errorf("run: %w", err)
	}
	defer backend.Close()
	if err := backend.Run(ctx); err != nil {
		return fmt.Errorf("run: %w", err)
	}
	return nil
}

// logTimeout is how long the last lines of the log may take at the end.
const logTimeout = time.Second

const checkHelp = `settler check reads the settings, opens the journal, and asks every endpoint and
every contract once: whether the chain is the right one and names final blocks,
how many calls the key can pay for, and whether it has the relayer's role. It
sends nothing, and prints no secret. It exits with 1 if something is not well.`

// checkTimeout is how long everything together may take.
const checkTimeout = 30 * time.Second

func check(args []string, s command.Std) error {
	c, err := readSettings("check", checkHelp, args, s)
	if err != nil {
		return err
	}
	opts, err := c.options(s)
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	ctx, stop := context.WithTimeout(context.Background(), checkTimeout)
	defer stop()
	backend, err := settler.New(ctx, opts)
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	defer backend.Close()
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	for _, cat := range opts.Generations {
		fmt.Fprintf(w, "ok\tdeployment %s\t%s\n", cat.Deployment(), cat.Digest())
	}
	fmt.Fprintf(w, "ok\tjournal\topened\n")
	bad := 0
	for _, f := range backend.Check(ctx) {
		mark := "ok"
		if !f.Well {
			mark = "BAD"
			bad++
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", mark, f.Name, f.Detail)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if bad > 0 {
		return errors.New("check: something is not well: see the lines that begin with BAD")
	}
	return nil
}
