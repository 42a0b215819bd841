package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"hubquote/internal/catalog"
	"hubquote/internal/settle/track"
)

// serve answers from a journal until stdin ends.
func serve(ctx context.Context, place string) error {
	j, err := open(ctx, place)
	if err != nil {
		return err
	}
	c, err := catalog.Embedded()
	if err != nil {
		return err
	}
	h, err := track.New(track.Options{Journal: j, Catalogs: []*catalog.Catalog{c}})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	s := &http.Server{Handler: h, ReadHeaderTimeout: time.Second}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = s.Close()
	}()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return j.Close()
}

// A result is what a server did.
type result struct {
	answers          int64
	took, processing time.Duration
}

func (r result) perSecond() float64 { return float64(r.answers) / r.took.Seconds() }

func (r result) perProcessorSecond() float64 { return float64(r.answers) / r.processing.Seconds() }

func (r result) each() time.Duration {
	return (r.processing / time.Duration(max(r.answers, 1))).Round(time.Microsecond)
}

const connections = 16

// ask starts a server with one processor and asks it about all orders in turn.
func ask(ctx context.Context, place string) (r result, err error) {
	cmd := exec.CommandContext(ctx, os.Args[0], "-serve", place)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	cmd.Stderr = os.Stderr
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, in.Close(), cmd.Wait()) }()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return r, err
	}
	base := "http://" + strings.TrimSpace(address) + "/v1/status?tx="
	if _, err := load(ctx, base, time.Second); err != nil { // warm
		return r, err
	}
	before, err := processorTime(cmd.Process.Pid)
	if err != nil {
		return r, err
	}
	start := time.Now()
	if r.answers, err = load(ctx, base, *length); err != nil {
		return r, err
	}
	r.took = time.Since(start)
	after, err := processorTime(cmd.Process.Pid)
	r.processing = after - before
	return r, err
}

// load asks on some connections until the time is over.
func load(ctx context.Context, base string, d time.Duration) (int64, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}, Timeout: 10 * time.Second}
	defer client.CloseIdleConnections()
	end := time.Now().Add(d)
	var answers, next atomic.Int64
	errs := make([]error, connections)
	var working sync.WaitGroup
	for i := range connections {
		working.Go(func() {
			for time.Now().Before(end) && errs[i] == nil {
				n := uint64(next.Add(7919)) % uint64(*orders)
				if errs[i] = one(ctx, client, base+txOf(1, n).String()); errs[i] == nil {
					answers.Add(1)
				}
			}
		})
	}
	working.Wait()
	return answers.Load(), errors.Join(errs...)
}

var errAnswer = errors.New("an answer without the order")

func one(ctx context.Context, c *http.Client, address string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && (resp.StatusCode != http.StatusOK || !strings.Contains(string(body), `"orderId"`)) {
		err = errAnswer
	}
	return err
}

// processorTime is what a process has used, by the kernel's count of hundredths
// of a second.
func processorTime(pid int) (time.Duration, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest) // from the state on: user and system time are the 12th and 13th
	user, err1 := strconv.ParseInt(fields[11], 10, 64)
	system, err2 := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond, errors.Join(err1, err2)
}
