package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// A result is one round, or a part of one.
type result struct {
	took      time.Duration
	busy      time.Duration   // of the server's processor
	latencies []time.Duration // sorted
}

func (r result) perSecond() float64 { return float64(len(r.latencies)) / r.took.Seconds() }

// at returns the latency that a share of the requests stayed below.
func (r result) at(share float64) time.Duration {
	return r.latencies[min(int(share*float64(len(r.latencies))), len(r.latencies)-1)]
}

// joined is the round of these parts.
func joined(parts []result) (all result) {
	for _, p := range parts {
		all.took += p.took
		all.busy += p.busy
		all.latencies = append(all.latencies, p.latencies...)
	}
	slices.Sort(all.latencies)
	return all
}

// requests numbers the requests of the whole run. Each client sends perClient of
// them, which is most of its budget, so the limiter counts each request and refuses
// none.
var requests atomic.Uint32

const perClient = 25

// A line is a connection to a server, with one request on it at a time.
type line struct {
	conn    net.Conn
	in      *bufio.Reader
	request []byte
}

type lines []*line

// connect opens a number of lines, and asks once on each: the first request takes
// longest, and a connection without one is closed after two seconds.
func connect(address string, number int) (list lines, err error) {
	for range number {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			list.close()
			return nil, err
		}
		l := &line{conn: conn, in: bufio.NewReaderSize(conn, 16<<10)}
		list = append(list, l)
		if err := l.ask(); err != nil {
			list.close()
			return nil, err
		}
	}
	return list, nil
}

func (list lines) close() {
	for _, l := range list {
		l.conn.Close()
	}
}

// each does the same on all lines at once, and returns all latencies, sorted.
func (list lines) each(do func(i int, l *line) ([]time.Duration, error)) (all result, err error) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	start := time.Now()
	for i, l := range list {
		wg.Go(func() {
			latencies, err := do(i, l)
			mu.Lock()
			defer mu.Unlock()
			all.latencies = append(all.latencies, latencies...)
			errs = append(errs, err)
		})
	}
	wg.Wait()
	all.took = time.Since(start)
	slices.Sort(all.latencies)
	return all, errors.Join(errs...)
}

// load sends requests, one after the other on each line, until the time is up. An
// answer that is not a quote ends it.
func (list lines) load(ctx context.Context, length time.Duration) (result, error) {
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	return list.each(func(_ int, l *line) (latencies []time.Duration, err error) {
		for ctx.Err() == nil {
			start := time.Now()
			if err := l.ask(); err != nil {
				return latencies, err
			}
			latencies = append(latencies, time.Since(start))
		}
		return latencies, nil
	})
}

// load opens a number of connections to a server, and sends requests on them.
func load(ctx context.Context, address string, connections int, length time.Duration) (result, error) {
	list, err := connect(address, connections)
	if err != nil {
		return result{}, err
	}
	defer list.close()
	return list.load(ctx, length)
}

// ask sends the next request of the run, and reads its answer.
func (l *line) ask() error {
	l.request = appendRequest(l.request[:0])
	if _, err := l.conn.Write(l.request); err != nil {
		return err
	}
	return readResponse(l.in)
}

// appendRequest appends the next request of the run.
func appendRequest(b []byte) []byte {
	n := requests.Add(1) / perClient
	return fmt.Appendf(b, "GET %s HTTP/1.1\r\nHost: bench\r\nX-Forwarded-For: 10.%d.%d.%d\r\n\r\n", quoteURL, n>>16&0xff, n>>8&0xff, n&0xff)
}

var (
	okLine        = []byte("HTTP/1.1 200 ")
	contentLength = []byte("Content-Length: ")
)

// readResponse reads one answer of known length, without keeping it.
func readResponse(in *bufio.Reader) error {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(line, okLine) {
		return fmt.Errorf("unexpected answer: %s", bytes.TrimSpace(line))
	}
	length := 0
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			break
		}
		if value, ok := bytes.CutPrefix(line, contentLength); ok {
			if length, err = strconv.Atoi(string(value)); err != nil {
				return err
			}
		}
	}
	_, err = io.CopyN(io.Discard, in, int64(length))
	return err
}
