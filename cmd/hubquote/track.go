package main

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"syscall"
	"time"

	"hubquote/client"
	"hubquote/internal/command"
	"hubquote/internal/endpoints"
	"hubquote/internal/follow"
	"hubquote/swap"
)

const trackHelp = `hubquote track follows a swap by the hash of any of its transactions until it is
done, and prints a line for each piece of news.

  hubquote track 0x… --rpc 369=https://host/key --rpc 8453=https://other/key

With --rpc each leg is checked at your own node, against the pins, and called
proved; without a node for its chain it is told: it is what the server says.

It exits with 0 when the swap is done, 3 when it is refunded, 4 when the
recipient has a claim to send, 5 when --once was given and it goes on, and 1 on
an error. With --rpc, 0, 3 and 4 mean that your nodes show it: an end that is
only told is an error. Nodes that are behind are waited for, up to two minutes.`

func track(args []string, s command.Std) error {
	var rpc endpoints.Setting
	f := s.Flags("track", trackHelp)
	server := f.String("server", "http://127.0.0.1:8080", "`address` of the server to ask")
	chain := f.Uint64("chain", 0, "`number` of the transaction's chain; it is looked up there while no order is known")
	once := f.Bool("once", false, "print where the swap is now, and exit")
	pinned := pinsFlag(f)
	rpc.Define(f)
	rest, err := f.ParseMixed(args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return errors.New("track: name one transaction, as in hubquote track 0x…; see hubquote track --help")
	}
	tx, err := swap.ParseHash(rest[0])
	if err != nil {
		return fmt.Errorf("track: %w", err)
	}
	p, err := loadPins(*pinned)
	if err != nil {
		return fmt.Errorf("track: %w", err)
	}
	retry := func(err error, pause time.Duration) { fmt.Fprintf(s.Err, "%v; asking again in %s\n", err, pause) }
	c, err := client.New(*server, client.WithPins(p), client.OnRetry(retry))
	if err != nil {
		return fmt.Errorf("track: --server: %w", err)
	}
	nodes, end, err := follow.Open(&rpc, s.Env)
	if err != nil {
		return fmt.Errorf("track: %w", err)
	}
	defer end()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	err = follow.Swap(ctx, follow.Options{Client: c, Nodes: nodes, Out: s.Out, Once: *once, Chain: swap.ChainID(*chain)}, tx)
	if _, ended := errors.AsType[command.Exit](err); err == nil || ended {
		return err
	}
	return fmt.Errorf("track: %w", err)
}
