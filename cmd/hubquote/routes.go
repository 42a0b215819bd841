package main

import (
	"errors"

	"hubquote/internal/catalog"
	"hubquote/internal/command"
	"hubquote/internal/show"
)

const routesHelp = `hubquote routes lists what can be swapped for what, with the fee and the limits,
and the contract that is called for it.

  hubquote routes --from USDC@369
  hubquote routes --to @69696969`

func routes(args []string, s command.Std) error {
	f := s.Flags("routes", routesHelp)
	from := f.String("from", "", "only what starts there: a `token` such as USDC, a chain such as @369,\nor both, such as USDC@369")
	to := f.String("to", "", "only what ends there, likewise: a `token`, a chain, or both")
	asJSON := f.Bool("json", false, "print JSON, one route a line")
	if err := f.Parse(args); err != nil {
		return err
	}
	c, err := catalog.Embedded()
	if err != nil {
		return err
	}
	list := show.Matching(c.Routes(), *from, *to)
	switch {
	case list == nil:
		return errors.New("routes: there are none like that; leave out --from or --to to see more")
	case *asJSON:
		return show.RoutesJSON(s.Out, list)
	}
	return show.Routes(s.Terminal(0), list)
}
