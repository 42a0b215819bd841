package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

func (servers) targets() string { return target }

// startAll starts the bare server first: the others are measured against it. It
// returns the bytes that ours gave.
func startAll(ctx context.Context, program, node string) (list servers, err error) {
	defer func() {
		if err != nil {
			list.stop()
		}
	}()
	ours, err := start(ctx, "hubquote", program, "serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--trusted-proxies", "127.0.0.0/8")
	if err != nil {
		return list, err
	}
	list = append(list, ours)
	body, err := fetch(ctx, ours.address)
	if err != nil {
		return list, err
	}
	file := filepath.Join(os.TempDir(), fmt.Sprintf("hubquote-bench-%d.json", os.Getpid()))
	if err := os.WriteFile(file, body, 0o600); err != nil {
		return list, err
	}
	defer os.Remove(file)
	self, err := os.Executable()
	if err != nil {
		return list, err
	}
	bare, err := start(ctx, "bare net/http", self, "bare", file)
	if err != nil {
		return list, err
	}
	list = servers{bare, ours}
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

func (list servers) stop() {
	for _, s := range list {
		s.process.Process.Kill()
		s.process.Wait()
	}
}

func fetch(ctx context.Context, address string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+target, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && !strings.HasPrefix(resp.Status, "200") {
		err = errors.New(resp.Status)
	}
	return body, err
}
