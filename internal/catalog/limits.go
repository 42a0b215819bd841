package catalog

import (
	"errors"
	"fmt"
	"slices"

	"hubquote/internal/catalog/tables"
	"hubquote/swap"
)

// assets are the assets of well-known symbols. They are not settings: a table that
// says otherwise is a mistake that would give away the difference in value.
var assets = map[string]string{
	"USDC": "US dollar", "USDT": "US dollar", "DAI": "US dollar", "USD1": "US dollar", "ETH": "ether", "WETH": "ether",
}

// checkLimits refuses tables that are incomplete, and symbols that are in two of
// them, in that of another asset, or that no chain has.
func (c *Catalog) checkLimits(t *tables.Tables) error {
	listed := map[string]bool{}
	for _, token := range c.Tokens() {
		listed[token.Symbol] = true
	}
	for i := range t.Policy.Limits {
		table := &t.Policy.Limits[i]
		if table.Asset == "" || table.Source == "" || len(table.Symbols) == 0 {
			return fmt.Errorf("limits of %v: asset, symbols and source are required", table.Symbols)
		}
		for _, symbol := range table.Symbols {
			if !listed[symbol] {
				return fmt.Errorf("limits of %s: no chain has it, or two tables of limits do", symbol)
			}
			if asset, known := assets[symbol]; known && asset != table.Asset {
				return fmt.Errorf("limits of %s: its asset is %q, not %q", symbol, asset, table.Asset)
			}
			delete(listed, symbol)
		}
	}
	return nil
}

// limits returns the one table that limits t, and the limits in t's smallest
// units.
func limits(t *swap.Token, list []tables.Limits) (table *tables.Limits, l swap.Limits, err error) {
	i := slices.IndexFunc(list, func(lt tables.Limits) bool { return slices.Contains(lt.Symbols, t.Symbol) })
	if i < 0 {
		return nil, l, fmt.Errorf("%s has no limits", t.Symbol)
	}
	table = &list[i]
	if l.Min, err = swap.ParseUnits(table.Min, t.Decimals); err != nil {
		return nil, l, fmt.Errorf("limits of %s: min: %w", t.Symbol, err)
	}
	if l.Max, err = swap.ParseUnits(table.Max, t.Decimals); err != nil {
		return nil, l, fmt.Errorf("limits of %s: max: %w", t.Symbol, err)
	}
	if l.Min.IsZero() || !l.Min.Lt(&l.Max) {
		return nil, l, fmt.Errorf("limits of %s: min is zero or not below max", t.Symbol)
	}
	return table, l, nil
}

// addLimits sets the limits of a route, and refuses one between two assets: quotes
// are one for one, so it would give away the difference in value.
func addLimits(r *swap.Route, list []tables.Limits) (err error) {
	src, l, err := limits(r.SrcToken, list)
	if err != nil {
		return err
	}
	dst, _, err := limits(r.DstToken, list)
	if err != nil {
		return err
	}
	if src.Asset != dst.Asset {
		return errors.New("the source is " + src.Asset + " and the destination is " + dst.Asset + "; a pair joins two tokens of one asset")
	}
	r.Limits = l
	return nil
}
