package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/internal/term"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/evm"
	"hubquote/test/devnet/notes"
	"hubquote/test/devnet/wallet"
)

func (t *trip) title() {
	r := t.route
	t.out.Line()
	t.out.Line("  " + t.out.Bold(fmt.Sprintf("%s %s → %s %s", units(&t.amount, r.SrcToken), at(r.Src), r.DstToken.Symbol, at(r.Dst))))
	t.out.Line()
}

// at returns the name of a place with a preposition.
func at(p swap.Place) string {
	if p.Private() {
		return "in the " + p.Name
	}
	return "on " + p.Name
}

// done shows a step with a tick.
func (t *trip) done(what, detail string) {
	t.out.Line(fmt.Sprintf("  %s %-26s %s", t.out.Green("✓"), what, t.out.Dim(detail)))
}

// units shows an amount with thousands separated.
func units(a *swap.Amount, token *swap.Token) string {
	whole, frac, point := strings.Cut(swap.FormatUnits(a, token.Decimals), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + frac
	}
	return whole + " " + token.Symbol
}

func human(n *big.Int, token *swap.Token) string {
	var a swap.Amount
	a.SetFromBig(n)
	return units(&a, token)
}

// balances are those of the two ends. Only the owner can read a private one.
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
	out, err := c.Call(ctx, common.Address(token.Address), contract.Token.Call("balanceOf", common.HexToAddress(owner)))
	if err != nil {
		return nil, err
	}
	return contract.Result[*big.Int](contract.Token, "balanceOf", out)
}

func (t *trip) compare(before, after balances) {
	rows := [][]string{{t.sender.Label, human(before.sender, t.route.SrcToken), human(after.sender, t.route.SrcToken), at(t.route.Src)}}
	if before.recipient != nil {
		rows = append(rows, []string{
			term.Short(t.recipient), human(before.recipient, t.route.DstToken), human(after.recipient, t.route.DstToken), at(t.route.Dst),
		})
	}
	t.out.Line()
	t.out.Table([]string{"", "BEFORE", "AFTER", ""}, rows...)
	t.out.Line()
}

// conclude prints the received amount, and compares it with the quote.
func (t *trip) conclude(ctx context.Context) error {
	received := t.order.Received
	if received != t.quote.Received.Dec() {
		return fmt.Errorf("%s units were received, but %s were quoted", received, t.quote.Received.Dec())
	}
	t.out.Line("  " + t.out.Green("Received "+units(&t.quote.Received, t.route.DstToken)+", exactly as quoted."))
	if t.order.Detail != "" {
		t.out.Line("  " + t.order.Detail)
	}
	if t.route.Shields() && t.recipient == devnet.PrivateWallet().Address {
		if err := t.openNote(ctx); err != nil {
			return fmt.Errorf("the note: %w", err)
		}
		t.out.Line("  The note opens with the wallet's viewing key.")
	}
	t.out.Line()
	return nil
}

// openNote decrypts the note as the recipient's wallet does.
func (t *trip) openNote(ctx context.Context) error {
	paid := t.order.Steps[len(t.order.Steps)-1].Hash
	receipt, err := t.dst.Receipt(ctx, common.HexToHash(paid))
	if err != nil || receipt == nil {
		return fmt.Errorf("transaction %s is gone: %w", paid, err)
	}
	made, err := notes.Read(receipt.Logs)
	if err != nil {
		return err
	}
	ours := slices.IndexFunc(made, func(n notes.Note) bool { return bytes.HasSuffix(t.quote.Payload.Calldata, n.Bytes) })
	if ours < 0 {
		return fmt.Errorf("not in transaction %s", paid)
	}
	owner, err := swap.ParsePrivateAddress(t.recipient)
	if err != nil {
		return err
	}
	key, err := hex.DecodeString(devnet.PrivateWallet().ViewingKey)
	if err != nil {
		return err
	}
	if value := made[ours].Value; value.Cmp(t.quote.Received.ToBig()) != 0 {
		return fmt.Errorf("it is worth %s", human(value, t.route.DstToken))
	}
	_, err = wallet.Decrypt(made[ours].Bytes, owner, [32]byte(key))
	return err
}
