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

// A result is one round.
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

// requests numbers the requests of the whole run. Each client sends perClient of
// them, which is most of its budget, so the limiter counts each request and refuses
// none.
var requests atomic.Uint32

const perClient = 25

// load sends requests over a number of connections, one after the other on
// each, until the time is up. An answer that is not a quote ends it.
func load(ctx context.Context, address string, connections int, length time.Duration) (result, error) {
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	var wg sync.WaitGroup
	var mu sync.Mutex
	var all result
	var errs []error
	start := time.Now()
	for range connections {
		wg.Go(func() {
			latencies, err := drive(ctx, address)
			mu.Lock()
			defer mu.Unlock()
			all.latencies = append(all.latencies, latencies...)
			errs = append(errs, err)
		})
	}
	wg.Wait()
	all.took = time.Since(start)
	slices.Sort(all.latencies)
	if err := errors.Join(errs...); err != nil {
		return all, err
	}
	return all, nil
}

// drive sends requests over one connection.
func drive(ctx context.Context, address string) (latencies []time.Duration, err error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	in := bufio.NewReaderSize(conn, 16<<10)
	var request []byte
	for ctx.Err() == nil {
		request = appendRequest(request[:0])
		start := time.Now()
		if _, err := conn.Write(request); err != nil {
			return latencies, err
		}
		if err := readResponse(in); err != nil {
			return latencies, err
		}
		latencies = append(latencies, time.Since(start))
	}
	return latencies, nil
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
