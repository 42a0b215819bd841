package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/deployment/bind"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/evm"
	"hubquote/test/devnet/wallet"
)

func (t *trip) title() {
	r := t.route
	t.out.println()
	t.out.println("  " + t.out.bold(fmt.Sprintf("%s %s → %s %s", t.units(t.amount.Dec(), r.SrcToken), at(r.Src), r.DstToken.Symbol, at(r.Dst))))
	t.out.println()
}

// at says where a place is.
func at(p swap.Place) string {
	if p.Private() {
		return "in the " + p.Name
	}
	return "on " + p.Name
}

// done shows a step with a tick.
func (t *trip) done(what, detail string) {
	t.out.println(fmt.Sprintf("  %s %-26s %s", t.out.green("✓"), what, t.out.dim(detail)))
}

// units shows an amount as people write it.
func (t *trip) units(amount string, token *swap.Token) string {
	n, ok := new(big.Int).SetString(amount, 10)
	if !ok {
		return amount
	}
	return human(n, token)
}

func human(n *big.Int, token *swap.Token) string {
	var a swap.Amount
	a.SetFromBig(n)
	whole, frac, point := strings.Cut(swap.FormatUnits(&a, token.Decimals), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + frac
	}
	return whole + " " + token.Symbol
}

// balances are what the two ends have. Only its owner can see a private one.
type balances struct{ sender, recipient *big.Int }

func (t *trip) balances(ctx context.Context) (b balances, err error) {
	if b.sender, err = balance(ctx, t.src, t.route.SrcToken, t.sender.Address.String()); err != nil || t.route.Shields() {
		return b, err
	}
	b.recipient, err = balance(ctx, t.dst, t.route.DstToken, t.recipient)
	return b, err
}

func balance(ctx context.Context, c *evm.Chain, token *swap.Token, owner string) (*big.Int, error) {
	if token.IsNative() {
		return c.Balance(ctx, common.HexToAddress(owner))
	}
	out, err := c.Call(ctx, common.Address(token.Address), bind.Token.Call("balanceOf", common.HexToAddress(owner)))
	if err != nil {
		return nil, err
	}
	return bind.Result[*big.Int](bind.Token, "balanceOf", out)
}

func (t *trip) compare(before, after balances) {
	rows := table{head: []string{"", "BEFORE", "AFTER", ""}}
	rows.add(t.sender.Label, human(before.sender, t.route.SrcToken), human(after.sender, t.route.SrcToken), at(t.route.Src))
	if before.recipient != nil {
		rows.add(short(t.recipient), human(before.recipient, t.route.DstToken), human(after.recipient, t.route.DstToken), at(t.route.Dst))
	}
	t.out.println()
	rows.print(t.out)
	t.out.println()
}

// conclude says what was received, and whether it is what was quoted.
func (t *trip) conclude(ctx context.Context) error {
	received := t.units(t.order.Received, t.route.DstToken)
	if t.order.Received != t.quote.DestAmount {
		return fmt.Errorf("%s was received, but %s was quoted", received, t.units(t.quote.DestAmount, t.route.DstToken))
	}
	t.out.println("  " + t.out.green("Received "+received+", exactly as quoted."))
	if t.order.Detail != "" {
		t.out.println("  " + t.order.Detail)
	}
	if t.route.Shields() && t.recipient == devnet.PrivateWallet().Address {
		if err := t.openNote(ctx); err != nil {
			return fmt.Errorf("the note: %w", err)
		}
		t.out.println("  The note opens with the wallet's viewing key.")
	}
	t.out.println()
	return nil
}

// openNote does what the recipient's wallet does when it finds the note.
func (t *trip) openNote(ctx context.Context) error {
	paid := t.order.Steps[len(t.order.Steps)-1].Hash
	receipt, err := t.dst.Receipt(ctx, common.HexToHash(paid))
	if err != nil || receipt == nil {
		return fmt.Errorf("transaction %s is gone: %w", paid, err)
	}
	notes, err := bind.Notes(receipt.Logs)
	if err != nil || len(notes) != 1 {
		return fmt.Errorf("%d notes in transaction %s, %w", len(notes), paid, err)
	}
	owner, err := swap.ParsePrivateAddress(t.recipient)
	if err != nil {
		return err
	}
	key, err := hex.DecodeString(devnet.PrivateWallet().ViewingKey)
	if err != nil {
		return err
	}
	if notes[0].Value.String() != t.quote.DestAmount {
		return fmt.Errorf("it is worth %s", human(notes[0].Value, t.route.DstToken))
	}
	_, err = wallet.Decrypt(notes[0].Bytes, owner, [32]byte(key))
	return err
}
