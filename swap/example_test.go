package swap_test

import (
	"errors"
	"fmt"

	"hubquote/swap"
)

// An amount is an integer in a token's smallest units, with one spelling.
func ExampleParseAmount() {
	amount, err := swap.ParseAmount("25500000")
	fmt.Println(amount.Dec(), err)
	_, err = swap.ParseAmount("007")
	fmt.Println(err != nil)
	// Output:
	// 25500000 <nil>
	// true
}

// Numbers for people are converted exactly, without floating point.
func ExampleParseUnits() {
	const decimals = 6 // of USDC
	amount, err := swap.ParseUnits("25.5", decimals)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(amount.Dec(), "is", swap.FormatUnits(&amount, decimals))
	// Output: 25500000 is 25.5
}

// A request names places and tokens as a client writes them. A symbol or an
// address will do.
func ExampleRequest() {
	token, err := swap.ParseTokenName("USDC")
	if err != nil {
		fmt.Println(err)
	}
	recipient, err := swap.ParseRecipient("0x70997970C51812dc3A010C7d01b50e0d17dc79C8")
	if err != nil {
		fmt.Println(err)
	}
	r := swap.Request{SrcChain: 369, SrcToken: token, DstChain: 8453, DstToken: token, Recipient: recipient}
	r.Amount, err = swap.ParseAmount("25500000")
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(r.Amount.Dec(), r.SrcToken, "from chain", r.SrcChain, "to", r.Recipient)
	// Output: 25500000 USDC from chain 369 to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
}

// A rate is an integer in millionths, and is shown as a percentage.
func ExampleRate_Percent() {
	fmt.Println(swap.Rate(2_500).Percent())
	rate, err := swap.ParsePercent("0.25")
	fmt.Println(rate == 2_500, err)
	// Output:
	// 0.25
	// true <nil>
}

// Errors carry a stable code, and the parameter that is at fault.
func ExampleCodeOf() {
	err := fmt.Errorf("asking: %w", &swap.Error{Code: swap.AmountTooLow, Param: "amount", Message: "a swap takes at least 10 USDC"})
	if e, ok := errors.AsType[*swap.Error](err); ok {
		fmt.Println(swap.CodeOf(err), e.Param)
	}
	// Output: AMOUNT_TOO_LOW amount
}
