package main

import (
	"context"
	"fmt"

	"hubquote/internal/agent"
	"hubquote/internal/ask"
	"hubquote/internal/command"
	"hubquote/internal/endpoints"
	"hubquote/internal/follow"
)

const agentHelp = `hubquote mcp serves one AI agent on standard input and output, with the Model
Context Protocol: tools to quote, verify, decode, track and list routes. The agent
sees a quote only after every byte of it was checked against the pins, and where
a swap is after what is checked at the nodes of --rpc. It signs nothing.

The agent's program starts it from a folder of its own choice: write paths in full.

  {"mcpServers": {"hubquote": {"command": "/path/to/hubquote", "args": ["mcp", "--pins", "/path/to/pins.json"]}}}`

func serveAgent(args []string, s command.Std) error {
	var from ask.Options
	var rpc endpoints.Setting
	f := s.Flags("mcp", agentHelp)
	f.StringVar(&from.Server, "server", "http://127.0.0.1:8080", "`address` of the server to ask")
	f.BoolVar(&from.Local, "local", false, "make quotes here from the built-in catalog, without a server")
	pinned := pinsFlag(f)
	rpc.Define(f)
	err := f.Parse(args)
	if err != nil {
		return err
	}
	if from.Pins, err = loadPins(*pinned); err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	nodes, end, err := follow.Open(&rpc, s.Env)
	if err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	defer end()
	return agent.Serve(context.Background(), agent.Options{Ask: from, Version: version, Nodes: nodes}, s.In, s.Out)
}
