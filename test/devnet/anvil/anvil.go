// Package anvil runs local EVM chains, one process for each.
//
// A process that it started ends with Stop, and at the latest with the program
// that started it, however that ends.
package anvil

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/rpc"

	"hubquote/swap"
	"hubquote/test/fake"
)

// A Node is one running chain.
type Node struct {
	ID  swap.ChainID
	URL string

	process *fake.Process
	rpc     *rpc.Client
	stop    func() // ends the watching, and waits until it has ended
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

// keepStates is how many blocks of state a chain keeps: more than the deepest
// reorganisation of a test needs. All of them would take gigabytes.
const keepStates = 64

// accounts is how many accounts of the public phrase have coins: the devnet's.
const accounts = "12"

// Start starts a chain on a free port of the loopback interface and waits until
// it answers.
func Start(ctx context.Context, path string, id swap.ChainID) (*Node, error) {
	cmd := exec.Command(path, "--chain-id", strconv.FormatUint(uint64(id), 10),
		"--host", "127.0.0.1", "--port", "0", "--accounts", accounts, "--prune-history", strconv.Itoa(keepStates), "--no-cors",
		"--slots-in-an-epoch", "0") // every block is final at once
	address := make(chan string, 1)
	p, err := fake.Start(cmd, func(line string) {
		if a, ok := strings.CutPrefix(line, "Listening on "); ok && len(address) == 0 {
			address <- a
		}
	})
	if err != nil {
		return nil, fmt.Errorf("anvil for chain %d: %w", id, err)
	}
	select {
	case a := <-address:
		n := &Node{ID: id, URL: "http://" + a, process: p}
		if err := n.connect(ctx); err != nil {
			p.Kill()
			return nil, fmt.Errorf("anvil for chain %d: %w", id, err)
		}
		return n, nil
	case <-ctx.Done():
		p.Kill()
		return nil, fmt.Errorf("anvil for chain %d: %w", id, ctx.Err())
	case <-p.Exited:
		return nil, fmt.Errorf("anvil for chain %d: it ended before it listened", id)
	}
}

// connect prepares the chain, and watches its queue from now on.
//
// It removes the contract of EIP-2935, which keeps the hash of every block. Nothing
// here reads it, and anvil hashes all storage for each block: with a few thousand
// blocks, mining one would take a hundred times as long.
func (n *Node) connect(ctx context.Context) (err error) {
	transport := &http.Transport{}
	if n.rpc, err = rpc.DialOptions(ctx, n.URL, rpc.WithHTTPClient(&http.Client{Transport: transport})); err != nil {
		return err
	}
	if err := n.rpc.CallContext(ctx, nil, "anvil_setCode", "0x0000F90827F1C53a10cb7A02335B175320002935", "0x"); err != nil {
		transport.CloseIdleConnections()
		return err
	}
	watching, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { n.watch(watching) })
	n.stop = func() {
		cancel()
		running.Wait()
		transport.CloseIdleConnections()
	}
	return nil
}

// Stop ends the chain and waits until its process is gone. It may be called again.
func (n *Node) Stop() {
	n.stop()
	n.process.Kill()
}
