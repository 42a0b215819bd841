package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A server is a process that answers quotes.
type server struct {
	name    string
	address string
	process *exec.Cmd
}

type servers []server

// target is the DIRECT quote that is asked for.
const target = "/v3/swap/quote?srcChain=369&srcToken=USDC&dstChain=8453&dstToken=USDC&amount=1000000000&recipient=0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

// startAll starts all servers. The bare one is the first of the list: the others
// are measured against it.
func startAll(ctx context.Context, programs, node string) (list servers, err error) {
	defer func() {
		if err != nil {
			list.stop()
		}
	}()
	for name := range strings.SplitSeq(programs, ",") {
		ours, err := start(ctx, filepath.Base(name), name, "serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--trusted-proxies", "127.0.0.0/8")
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
	for i, bare := range []struct{ name, mode string }{{"bare net/http", "bare"}, {"with our headers", "bare-with-headers"}} {
		s, err := start(ctx, bare.name, self, bare.mode, ours)
		if err != nil {
			return list, err
		}
		list = slices.Insert(list, i, s)
	}
	if node == "" {
		return list, nil
	}
	yardstick, err := start(ctx, "node + ethers", "node", node)
	if err != nil {
		return list, err
	}
	return append(list, yardstick), nil
}

var listening = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// start runs a server on the first core and waits until it says where it
// listens. It dies with us, whatever becomes of us.
func start(ctx context.Context, name string, command ...string) (server, error) {
	p := exec.CommandContext(ctx, "taskset", append([]string{"-c", "0"}, command...)...)
	p.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := p.StderrPipe()
	if err != nil {
		return server{}, err
	}
	if err := p.Start(); err != nil {
		return server{}, fmt.Errorf("%s: %w", name, err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if a := listening.FindString(lines.Text()); a != "" {
			go io.Copy(io.Discard, out)
			return server{name, a, p}, nil
		}
	}
	return server{}, errors.Join(fmt.Errorf("%s did not start", name), p.Wait())
}

// processorTime is how long the server has computed so far. Whoever else wants
// its core makes it slower, but not busier.
func (s server) processorTime() time.Duration {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.process.Process.Pid))
	_, fields, _ := strings.Cut(string(stat), ") ")
	var ticks [2]int64 // hundredths of a second, in the program and in the kernel
	if f := strings.Fields(fields); len(f) > 12 {
		ticks[0], _ = strconv.ParseInt(f[11], 10, 64)
		ticks[1], _ = strconv.ParseInt(f[12], 10, 64)
	}
	return time.Duration(ticks[0]+ticks[1]) * 10 * time.Millisecond
}

func (list servers) stop() {
	for _, s := range list {
		s.process.Process.Kill()
		s.process.Wait()
	}
}
