// Package process is what the programs have in common as processes: signals, the
// garbage collector, and the certificates that they trust.
package process

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	// The certificates that are trusted where the system has none, as in an image
	// with nothing but the program.
	_ "golang.org/x/crypto/x509roots/fallback"
)

// UntilSignal returns a context that ends with the first signal to stop. A second
// one ends the program. SIGHUP stays ignored under nohup. A log reader that is gone
// must not end the program: by default SIGPIPE does when standard error breaks.
func UntilSignal() (context.Context, context.CancelFunc) {
	signal.Ignore(syscall.SIGPIPE)
	signals := []os.Signal{syscall.SIGTERM, syscall.SIGINT}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// Settings of the garbage collector, unless the environment has others. A small
// heap may grow to several times its size between collections, which are then
// rare; but one that holds a million clients of the limiter must not even
// double, so that the process stays below 300 MB.
const (
	gcPercent   = 400
	memoryLimit = 280 << 20
)

// TuneCollector applies them.
func TuneCollector(env func(string) (string, bool)) {
	if _, decided := env("GOGC"); !decided {
		debug.SetGCPercent(gcPercent)
	}
	if _, decided := env("GOMEMLIMIT"); !decided {
		debug.SetMemoryLimit(memoryLimit)
	}
}
