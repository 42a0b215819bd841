package backend_test

import (
	"context"
	"log/slog"
	"testing"

	"hubquote/internal/settler"
	"hubquote/test/devnet"
	"hubquote/test/devnet/backend"
)

// A change is what a test has otherwise than the devnet.
type change func(*settler.Options)

func logs(h slog.Handler) change { return func(o *settler.Options) { o.Log = slog.New(h) } }

// run runs a settler with a journal of its own until ctx ends.
func run(ctx context.Context, t *testing.T, n *devnet.Net, issuer string, changes ...change) {
	o, err := backend.Options(n, issuer, t.TempDir(), devnet.Account(devnet.Relayer), nil)
	if err != nil {
		t.Error(err)
		return
	}
	for _, change := range changes {
		change(&o)
	}
	s, err := settler.New(ctx, o)
	if err != nil {
		t.Error(err)
		return
	}
	defer s.Close()
	if err := s.Run(ctx); err != nil {
		t.Error(err)
	}
}
