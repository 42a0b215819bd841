package main

import (
	"context"
	"fmt"

	"hubquote/internal/agent"
	"hubquote/internal/ask"
	"hubquote/internal/catalog"
	"hubquote/internal/command"
)

const agentHelp = `hubquote mcp serves one AI agent on standard input and output, with the Model
Context Protocol: tools to quote, verify, decode and list routes. The agent sees
a quote only after every byte of it was checked against the pins. It signs nothing.

  {"mcpServers": {"hubquote": {"command": "hubquote", "args": ["mcp", "--pins", "pins.json"]}}}`

func serveAgent(args []string, s command.Std) error {
	var from ask.Options
	f := s.Flags("mcp", agentHelp)
	f.StringVar(&from.Server, "server", "http://127.0.0.1:8080", "`address` of the server to ask")
	f.BoolVar(&from.Local, "local", false, "make quotes here from the built-in catalog, without a server")
	pinned := pinsFlag(f)
	err := f.Parse(args)
	if err != nil {
		return err
	}
	if from.Pins, err = loadPins(*pinned); err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	c, err := catalog.Embedded()
	if err != nil {
		return err
	}
	return agent.Serve(context.Background(), agent.Options{Ask: from, Catalog: c, Version: version}, s.In, s.Out)
}
