package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hubquote/test/fake"
)

// A server is a process that answers quotes.
type server struct {
	name    string
	address string
	admin   string // of ours only
	process *fake.Process
}

type servers []server

const yardstick = "node + ethers"

// quoteURL is the DIRECT quote that is requested.
const quoteURL = "/v3/swap/quote?srcChain=369&srcToken=USDC&dstChain=8453&dstToken=USDC&amount=1000000000&recipient=0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

// startAll starts all servers. The first of the list is the bare one, with which
// the others are compared.
func startAll(ctx context.Context, programs, node string) (list servers, err error) {
	defer func() {
		if err != nil {
			list.stop()
		}
	}()
	for name := range strings.SplitSeq(programs, ",") {
		ours, err := startOurs(ctx, name)
		if err != nil {
			return list, err
		}
		list = append(list, ours)
	}
	self, err := os.Executable()
	if err != nil {
		return list, err
	}
	ours := list[0].address
	for i, bare := range []struct{ name, mode string }{{"bare net/http", "bare"}, {"the same again", "bare"}, {"with our headers", "bare-with-headers"}} {
		s, err := start(ctx, bare.name, self, bare.mode, ours)
		if err != nil {
			return list, err
		}
		list = slices.Insert(list, i, s)
	}
	if node == "" {
		return list, nil
	}
	s, err := start(ctx, yardstick, "node", node)
	if err != nil {
		return list, err
	}
	return append(list, s), nil
}

// startOurs starts the service with all features. It trusts X-Forwarded-For of the
// load generator, so that there are many clients.
func startOurs(ctx context.Context, program string, more ...string) (server, error) {
	args := append([]string{program, "serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--trusted-proxies", "127.0.0.0/8"}, more...)
	s, err := start(ctx, filepath.Base(program), args...)
	s.address, s.admin, _ = strings.Cut(s.address, " ")
	return s, err
}

var listening = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// start runs a server on the first core and waits until it has printed its address,
// or both addresses if it has an admin port.
func start(ctx context.Context, name string, command ...string) (server, error) {
	want := 1
	if slices.Contains(command, "--admin") {
		want = 2
	}
	var places []string
	ready := make(chan struct{})
	cmd := exec.CommandContext(ctx, "taskset", append([]string{"-c", "0"}, command...)...)
	cmd.Env = append(os.Environ(), "GOGC=400") // the service's own value, for all servers in Go
	p, err := fake.Start(cmd, func(line string) {
		place := listening.FindString(line)
		if place == "" || len(places) == want {
			return
		}
		if places = append(places, place); len(places) == want {
			close(ready)
		}
	})
	if err != nil {
		return server{}, fmt.Errorf("%s: %w", name, err)
	}
	select {
	case <-ready:
		return server{name: name, address: strings.Join(places, " "), process: p}, nil
	case <-p.Exited:
		return server{}, errors.Join(fmt.Errorf("%s did not start", name), p.Wait())
	}
}

// processorTime returns the CPU time that the threads of the server have used so
// far, to the nanosecond. Other programs on its core do not change it.
func (s server) processorTime() (used time.Duration) {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", s.process.Cmd.Process.Pid))
	for _, task := range tasks {
		text, _ := os.ReadFile(task)
		running, _, _ := strings.Cut(string(text), " ")
		n, _ := strconv.ParseInt(running, 10, 64)
		used += time.Duration(n)
	}
	return used
}

// The indexes of the servers in their list: first the bare ones, then ours.
const (
	bareServer = 0
	ourServer  = 3
)

// ratios compares ours with the bare server, and with the last one if that is Node:
// the medians of the rounds' ratios, each of two rounds that were run in turns.
func (list servers) ratios(rounds [][]result) (found loaded) {
	found.throughput = medianRatio(rounds[ourServer], rounds[bareServer], result.perSecond)
	found.p99 = medianRatio(rounds[ourServer], rounds[bareServer], func(r result) float64 { return r.at(0.99).Seconds() })
	if last := len(list) - 1; list[last].name == yardstick {
		found.node = medianRatio(rounds[ourServer], rounds[last], result.perSecond)
	}
	return found
}

func medianRatio(ours, others []result, of func(result) float64) float64 {
	var all []float64
	for i := range ours {
		all = append(all, of(ours[i])/of(others[i]))
	}
	return middle(all)
}

func medianOf(rounds []result, of func(result) float64) float64 {
	var all []float64
	for _, r := range rounds {
		all = append(all, of(r))
	}
	return middle(all)
}

func middle(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

// profile writes a CPU profile of ours, taken under load.
func (list servers) profile(ctx context.Context, file string) error {
	const length = 10 * time.Second
	ours, failed := list[ourServer], make(chan error, 1)
	go func() {
		_, err := load(ctx, ours.address, 64, length+time.Second)
		failed <- err
	}()
	resp, err := http.Get(fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%.0f", ours.admin, length.Seconds()))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, resp.Body)
	return errors.Join(err, out.Close(), <-failed)
}

func (list servers) stop() {
	for _, s := range list {
		s.process.Kill()
	}
}
