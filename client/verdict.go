package client

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"hubquote/internal/judge"
)

// A Code is the kind of a [Mismatch] or a [Reason]: one stable word, the same in
// every verifier. The list only grows.
type Code string

// Why an answer is refused, in the order of the checks.
const (
	AnswerStatus          Code = judge.AnswerStatus          // the status is not 200
	AnswerTooLarge        Code = judge.AnswerTooLarge        // more than 64 KiB
	AnswerNotJSON         Code = judge.AnswerNotJSON         // not one JSON object in UTF-8
	FieldRepeated         Code = judge.FieldRepeated         // an object has the same key twice
	IntegratorRateDiffers Code = judge.IntegratorRateDiffers // not the pinned rate, or over the registry's limit
	FieldMissing          Code = judge.FieldMissing          // a field that the quote has is not there
	FieldDiffers          Code = judge.FieldDiffers          // a field has another value, type or spelling
	FieldExtra            Code = judge.FieldExtra            // a field is there that the quote does not have
	MaxFeeDiffers         Code = judge.MaxFeeDiffers         // a burn's maxFee is not what the pins' rates come to
	NoteDiffers           Code = judge.NoteDiffers           // the proof does not make the encrypted recipient
)

// Why an answer in which everything else holds is not proved.
const (
	NoteUnproven           Code = judge.NoteUnproven           // an encrypted recipient was asked for without its proof
	IntegratorRateUnpinned Code = judge.IntegratorRateUnpinned // the pins do not have the integrator's rate
)

// A Mismatch is why an answer is refused: the first check that failed. The
// transaction in the answer must not be signed.
type Mismatch struct {
	Code Code

	// Field is the path of the field in the answer, such as approval.spender.
	// An argument of a call is named behind the call, as in
	// methodParameters.calldata.recipient. It is empty for the answer as a
	// whole. Keys in it may be the server's: show it with [Printable].
	Field string

	// Want is derived from the pins; Got is what the server sent, so show it
	// with [Printable]. Either is empty when there should be, or is, no such
	// field.
	Want, Got string
}

// Error tells what is wrong in one line that is safe to print.
func (m *Mismatch) Error() string {
	var b strings.Builder
	if m.Field != "" {
		b.WriteString(Printable(m.Field) + ": ")
	}
	fmt.Fprintf(&b, "%s: %s: do not sign", m.Code, m.problem())
	return b.String()
}

func (m *Mismatch) problem() string {
	want, got := Printable(m.Want), Printable(m.Got)
	switch m.Code {
	case AnswerStatus:
		return fmt.Sprintf("the server answers with status %s, and a quote has status %s", got, want)
	case AnswerTooLarge, AnswerNotJSON:
		return "the answer is no quote: " + got
	case FieldRepeated:
		return "it is there twice"
	case FieldMissing:
		return "it is missing, and should be " + want
	case FieldExtra:
		return fmt.Sprintf("it is %s, and should not be there", got)
	}
	if m.Got == "" {
		got = "empty"
	}
	return fmt.Sprintf("it is %s, and should be %s", got, want)
}

// A Reason is something that an answer leaves unknown.
type Reason struct {
	Code  Code
	Field string // the path of the field that it is about
}

// String says what is not known.
func (r Reason) String() string {
	switch r.Code {
	case NoteUnproven:
		return "nothing proves that the encrypted recipient is yours: only an answer to include=proof does"
	case IntegratorRateUnpinned:
		return "the integrator's rate is the server's word, at most what the registry allows: pin it with hubquote pins --integrator"
	}
	return string(r.Code)
}

// Unproven is the error that comes together with a quote in which everything
// holds that can be checked, when something cannot. A caller that wants the
// quote nevertheless accepts each reason by its code, with [Accept].
type Unproven struct{ Reasons []Reason }

func (u *Unproven) Error() string {
	var list []string
	for _, r := range u.Reasons {
		list = append(list, fmt.Sprintf("%s: %s: %s", r.Field, r.Code, r))
	}
	return strings.Join(list, "; ")
}

// maxPrintable is how many characters of a server's text are shown.
const maxPrintable = 80

// Printable makes text that a server sent safe to show: characters that do not
// print, such as those that move the cursor of a terminal, are written as
// escapes, and at most 80 characters are shown.
func Printable(s string) string {
	var b strings.Builder
	for n := 0; len(s) > 0; n++ {
		if n == maxPrintable {
			return b.String() + "…"
		}
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
		s = s[size:]
	}
	return b.String()
}
