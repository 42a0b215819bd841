// Package anvil runs local EVM chains, one process for each.
//
// A process that it started ends with Stop, and at the latest with the program
// that started it, however that ends.
package anvil

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"hubquote/swap"
)

// A Node is one running chain.
type Node struct {
	ID  swap.ChainID
	URL string

	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
}

// Find returns the path of the program: the one that contracts/package.json
// pins, when root is the root of this repository and it is installed, else the
// one on the PATH.
func Find(root string) (string, error) {
	pinned := filepath.Join(root, "contracts/node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil")
	if path, err := exec.LookPath(pinned); err == nil {
		return filepath.Abs(path)
	}
	path, err := exec.LookPath("anvil")
	if err != nil {
		return "", errors.New("anvil is not installed: run npm ci in contracts, or put it on the PATH")
	}
	return path, nil
}

// keepStates is how many blocks of state a chain remembers: as deep as any
// reorganisation goes, with room to spare, and not gigabytes.
const keepStates = 64

// accounts is how many accounts of the public phrase have coins: the devnet's.
const accounts = "12"

// Start starts a chain on a free port of the loopback interface and waits until
// it answers.
func Start(ctx context.Context, path string, id swap.ChainID) (*Node, error) {
	n := &Node{ID: id, done: make(chan struct{})}
	n.cmd = exec.Command(path, "--chain-id", strconv.FormatUint(uint64(id), 10),
		"--host", "127.0.0.1", "--port", "0", "--accounts", accounts, "--prune-history", strconv.Itoa(keepStates), "--no-cors")
	n.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	out, err := n.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	started := make(chan error, 1)
	go n.run(started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("anvil for chain %d: %w", id, err)
	}
	if n.URL, err = n.listening(ctx, out); err != nil {
		n.Stop()
		return nil, fmt.Errorf("anvil for chain %d: %w", id, err)
	}
	return n, nil
}

// run starts the process and waits for its end. The kernel kills the process
// when the thread that started it ends, not only when the program does, so the
// thread is kept for as long as the process lives.
func (n *Node) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(n.done)
	err := n.cmd.Start()
	started <- err
	if err == nil {
		n.cmd.Wait()
	}
}

const listeningOn = "Listening on "

// listening waits for the line that says where the chain answers. The lines
// after it are read and forgotten: a full pipe would stop the process.
func (n *Node) listening(ctx context.Context, out io.Reader) (string, error) {
	stop := context.AfterFunc(ctx, n.kill)
	defer stop()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if address, ok := strings.CutPrefix(lines.Text(), listeningOn); ok {
			go io.Copy(io.Discard, out)
			return "http://" + address, nil
		}
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	return "", errors.New("it ended before it listened")
}

func (n *Node) kill() { n.cmd.Process.Kill() }

// Stop ends the chain and waits until its process is gone.
func (n *Node) Stop() {
	n.kill()
	<-n.done
}
