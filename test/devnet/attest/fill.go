package attest

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"hubquote/internal/contract"
	"hubquote/swap"
)

// Finality thresholds, and how many blocks of the destination a fast burn can
// be minted for: a day's worth at two seconds.
const (
	fast     = 1000
	standard = 2000
	lifetime = 43_200
)

// sent returns the messages in a transaction's logs, and whether the
// transaction is final. The head is read first: a block that has enough others
// on top of it then, and still has the transaction later, will keep it.
func (a *Attester) sent(ctx context.Context, domain swap.Domain, tx common.Hash) (list [][]byte, final bool, err error) {
	chain := a.opts.Chains[domain]
	if chain == nil {
		return nil, false, errNotFound
	}
	head, err := chain.Head(ctx)
	if err != nil {
		return nil, false, err
	}
	receipt, err := chain.Receipt(ctx, tx)
	if err != nil || receipt == nil {
		return nil, false, orNotFound(err)
	}
	topic := contract.Transmitter.ABI().Events["MessageSent"].ID
	for _, log := range receipt.Logs {
		if log.Address != common.Address(a.opts.Transmitter) || log.Topics[0] != topic {
			continue
		}
		var event struct{ Message []byte }
		if err := contract.Transmitter.Event(&event, "MessageSent", log); err != nil {
			return nil, false, err
		}
		list = append(list, event.Message)
	}
	if list == nil {
		err = errNotFound
	}
	return list, head >= receipt.BlockNumber.Uint64()+a.opts.Confirmations, err
}

func orNotFound(err error) error {
	if err == nil {
		return errNotFound
	}
	return err
}

// nonce names one message of one transaction. A transaction that a
// reorganisation moves to another block is the same one.
func nonce(domain swap.Domain, tx common.Hash, index int) [32]byte {
	return crypto.Keccak256Hash(fmt.Appendf(nil, "%d %s %d", domain, tx, index))
}

// fill completes a message. A burn that asked for the fast lane and offers its
// fee gets it; every other waits for finality and costs nothing.
func (a *Attester) fill(ctx context.Context, source swap.Domain, nonce [32]byte, sent []byte) ([]byte, error) {
	m := bytes.Clone(sent)
	copy(m[offNonce:], nonce[:])
	binary.BigEndian.PutUint32(m[offExecuted:], standard)
	if !IsBurn(m) {
		return m, nil
	}
	rate := a.opts.Rates[source]
	fee := feeOf(number(m, offAmount), rate)
	if binary.BigEndian.Uint32(m[offFinality:]) > fast || rate == 0 || fee.Cmp(number(m, offMaxFee)) > 0 {
		return m, nil
	}
	there := a.opts.Chains[Destination(m)]
	if there == nil {
		return nil, errNotFound
	}
	head, err := there.Head(ctx)
	if err != nil {
		return nil, err
	}
	binary.BigEndian.PutUint32(m[offExecuted:], fast)
	fee.FillBytes(m[offFee : offFee+32])
	new(big.Int).SetUint64(head + a.opts.Lifetime).FillBytes(m[offExpiration : offExpiration+32])
	return m, nil
}

// feeOf rounds up: the case that costs the burner most.
func feeOf(amount *big.Int, rate swap.IssuerRate) *big.Int {
	whole := big.NewInt(10_000 * 1_000_000_000) // a basis point is a ten-thousandth; rates count its billionths
	fee := new(big.Int).Mul(amount, new(big.Int).SetUint64(uint64(rate)))
	fee.Add(fee, whole).Sub(fee, big.NewInt(1))
	return fee.Quo(fee, whole)
}

// sign signs as the issuer's contracts expect it: the last byte is 27 or 28.
func (a *Attester) sign(message []byte) ([]byte, error) {
	s, err := a.opts.Account.Sign(crypto.Keccak256Hash(message))
	if err != nil {
		return nil, err
	}
	s[64] += 27
	return s, nil
}
