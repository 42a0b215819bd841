package backend_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/sign"
	"hubquote/internal/settler"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/backend"
	"hubquote/test/devnet/devnettest"
)

// A settler finds out before it runs whether its key may pay, and whether its
// endpoints answer.
func TestCheck(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Run("all", func(t *testing.T) {
		n := devnettest.Net(t, "../../..", swap.Hub, 8453)
		for _, tt := range []struct {
			name    string
			account int
			kill    swap.ChainID
			want    string // in a finding that is not well
		}{
			{"the relayer", devnet.Relayer, 0, ""},
			{"an account without the role", devnet.Alice, 0, "is not a relayer"},
			{"a dead endpoint", devnet.Relayer, 8453, "chain 8453 endpoint 1"},
		} {
			if tt.kill != 0 {
				n.Kill(tt.kill)
			}
			o, err := backend.Options(n, "http://127.0.0.1:1", t.TempDir(), devnet.Account(devnet.Relayer), nil)
			if err != nil {
				t.Fatal(err)
			}
			o.Keys = []sign.Key{backend.Key(devnet.Account(tt.account))}
			s, err := settler.New(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			var bad strings.Builder
			for _, f := range s.Check(t.Context()) {
				if !f.Well {
					bad.WriteString(f.Name + ": " + f.Detail + "\n")
				}
			}
			s.Close()
			if (bad.Len() > 0) != (tt.want != "") || !strings.Contains(bad.String(), tt.want) {
				t.Errorf("%s: not well:\n%s\nwant %q", tt.name, bad.String(), tt.want)
			}
		}
		o, err := backend.Options(n, "http://127.0.0.1:1", t.TempDir(), devnet.Account(devnet.Relayer), nil)
		if err != nil {
			t.Fatal(err)
		}
		worksWithout(t, o)
	})
}

// worksWithout checks that a settler with a new journal works although one of its
// chains does not answer.
func worksWithout(t *testing.T, o settler.Options) {
	t.Helper()
	s, err := settler.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	during(func() {
		devnettest.Eventually(t, "the other chain is read", func() bool {
			cursors, err := s.Journal().Cursors(t.Context())
			return err == nil && slices.ContainsFunc(cursors, func(c journal.Cursor) bool { return c.Chain == swap.Hub && c.Pass == "final" })
		})
	}, func(ctx context.Context) {
		if err := s.Run(ctx); err != nil {
			t.Error(err)
		}
	})
}
