// Status measures how many questions about swaps the settler's read-only
// interface answers, from a journal in SQLite and from one in Postgres, with
// 100,000 orders. The server is a process of its own with one processor.
//
//	go run ./test/settlebench/status
//
// It exits with 1 when a figure is missed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/postgres"
	"hubquote/internal/settle/journal/sqlite"
	fakepostgres "hubquote/test/fake/postgres"
)

var (
	serving = flag.String("serve", "", "serve the journal at this `place` on stdout's address; used by the program itself")
	orders  = flag.Int("orders", 100_000, "orders in the journal")
	length  = flag.Duration("for", 8*time.Second, "how long each journal is asked")
)

var errMissed = errors.New("a figure was missed")

func main() {
	flag.Parse()
	log.SetFlags(0)
	if *serving != "" {
		if err := serve(context.Background(), *serving); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := measure(context.Background()); err != nil {
		log.Fatal(err)
	}
}

// measure fills both journals, asks a server of each, and compares.
func measure(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "settlebench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	server, err := fakepostgres.Start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	url, err := server.Empty(ctx)
	if err != nil {
		return err
	}
	met := true
	fmt.Printf("%-10s%-14s%-12s%-18s%-20s%s\n", "journal", "orders", "wanted/s", "answered/s", "processor/request", "per processor second")
	for _, tt := range []struct {
		name, place string
		want        float64
	}{{"sqlite", filepath.Join(dir, "journal.db"), 5000}, {"postgres", url, 2000}} {
		if err := fill(ctx, tt.place, *orders); err != nil {
			return fmt.Errorf("%s: %w", tt.name, err)
		}
		r, err := ask(ctx, tt.place)
		if err != nil {
			return fmt.Errorf("%s: %w", tt.name, err)
		}
		verdict := "met"
		if r.perSecond() < tt.want && r.perProcessorSecond() < tt.want {
			verdict, met = "missed", false
		}
		fmt.Printf("%-10s%-14d%-12.0f%-18.0f%-20s%-8.0f %s\n", tt.name, *orders, tt.want, r.perSecond(), r.each(), r.perProcessorSecond(), verdict)
	}
	if !met {
		return errMissed
	}
	return nil
}

// open opens a journal: an address is Postgres's, a path SQLite's.
func open(ctx context.Context, place string) (journal.Journal, error) {
	if filepath.IsAbs(place) {
		return sqlite.Open(ctx, place)
	}
	return postgres.Open(ctx, postgres.Options{URL: place})
}
