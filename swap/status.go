package swap

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// A Stage is where a swap is, in one word.
type Stage string

// The stages. Only [StageDone] and [StageRefunded] are the end.
const (
	StageUnknown    Stage = "unknown"    // no deposit is known for the transaction; the reason says why
	StageConfirming Stage = "confirming" // the deposit is in a block that is not final enough to pay
	StageAttesting  Stage = "attesting"  // the source burned, and the burn is not an order yet
	StagePaying     Stage = "paying"     // the payment is due or under way; the reason says what it waits for
	StagePaid       Stage = "paid"       // the payment is in a block
	StageDelivering Stage = "delivering" // the payment is final and burned, and not minted yet
	StageClaimable  Stage = "claimable"  // the recipient could not take the money and has a claim to it
	StageRefunding  Stage = "refunding"  // the order will not be paid; its deposit goes back
	StageDone       Stage = "done"       // the payment is final
	StageRefunded   Stage = "refunded"   // the deposit is back, final
)

// Stages are all stages.
var Stages = []Stage{
	StageUnknown, StageConfirming, StageAttesting, StagePaying, StagePaid,
	StageDelivering, StageClaimable, StageRefunding, StageDone, StageRefunded,
}

// Final reports whether the stage is the end.
func (s Stage) Final() bool { return s == StageDone || s == StageRefunded }

// A Mark says how far a swap has come. Step grows along its path; Revision grows
// when a reorganisation took something away. A later mark of the same swap is
// never [Mark.Before] an earlier one.
type Mark struct{ Revision, Step uint64 }

// Before reports whether m is less far than other.
func (m Mark) Before(other Mark) bool {
	return m.Revision < other.Revision || m.Revision == other.Revision && m.Step < other.Step
}

// String writes REVISION.STEP, as the parameter after takes it.
func (m Mark) String() string {
	return strconv.FormatUint(m.Revision, 10) + "." + strconv.FormatUint(m.Step, 10)
}

// MaxMarkLen is the longest spelling of a mark that is looked at.
const MaxMarkLen = 20

var errMark = errors.New("not a mark: write the revision, a point and the step of an earlier answer, such as 0.4")

// ParseMark is the inverse of [Mark.String].
func ParseMark(s string) (m Mark, err error) {
	revision, step, _ := strings.Cut(s, ".")
	m.Revision, err = strconv.ParseUint(revision, 10, 63)
	if err == nil {
		m.Step, err = strconv.ParseUint(step, 10, 63)
	}
	if err != nil || m.String() != s || len(s) > MaxMarkLen {
		return Mark{}, errMark
	}
	return m, nil
}

// An Order is what a source contract wrote down about a deposit. Everything but
// the deadline is part of its ID.
type Order struct {
	SrcPlace      Amount // a [PlaceID]; a malformed burn can name any number
	SrcPool       Address
	RefundTo      Address
	Nonce         Amount
	SrcDecimals   uint8
	Amount        Amount // in the source token's smallest units, before fees
	DstPlace      Amount
	DstPool       Address // the only contract that may pay; zero when none may
	DstToken      Address
	Rate          Rate // the most that the protocol takes
	Integrator    IntegratorID
	RecipientType RecipientType
	Recipient     []byte
	Deadline      uint64 // in seconds: paid before this time or not at all
}

// A LegKind is what a transaction of a swap did.
type LegKind string

// The kinds of legs.
const (
	LegBurn    LegKind = "burn"    // burned the deposit at the source, for an inbound burn
	LegDeposit LegKind = "deposit" // opened the order
	LegPayment LegKind = "payment" // paid the order at its destination's pool
	LegMint    LegKind = "mint"    // minted at the destination what the payment burned
	LegClaim   LegKind = "claim"   // sent a claim to its owner
	LegCancel  LegKind = "cancel"  // made the order unpayable
	LegRefund  LegKind = "refund"  // gave the deposit back, by the operator
	LegReclaim LegKind = "reclaim" // gave the deposit back, by any other account
	LegReturn  LegKind = "return"  // minted at the source what the refund burned back
)

// A Leg is one transaction of a swap.
type Leg struct {
	Kind      LegKind
	Chain     ChainID
	Tx        Hash
	Block     uint64 // zero when it is not known
	BlockHash Hash   // zero when it is not known
	Time      time.Time
	Final     bool // the block is final
}

// An Action is a call that any account can send to move a swap on.
type Action struct {
	Kind  string // "claim", "relay", "mint" or "reclaim"
	Chain ChainID
	To    Address
	Data  []byte
	After time.Time // zero: at once
}

// A Status is where one order is.
type Status struct {
	ID        Hash   // zero while a burn is not an order yet
	Order     *Order // nil while a burn is not an order yet
	Stage     Stage
	Reason    string // why it does not move, or empty
	Mark      Mark
	Since     time.Time // when the stage began
	ETA       time.Time // when it is usually done; zero when unknown or at the end
	Delayed   bool      // takes longer than usual
	Deposited Amount
	Pays      Amount // the most that the payment takes from the paying pool
	Legs      []Leg
	Action    *Action // nil when only the operator, or time, moves it on
}

// A Tracking is the answer about a transaction: every order that it opened, paid
// or returned.
type Tracking struct {
	AsOf   time.Time
	Looked []Looked // how far each chain was read
	Reason string   // why there are no orders, or empty
	Stale  bool     // the settler does not answer: this was its last word
	Orders []Status

	// Omitted is how many more orders the transaction has. Everything else is
	// said of those in Orders only.
	Omitted int
}

// A Question asks where a swap is. With a Wait it is answered when there is more
// to say than After, or when the wait is over.
type Question struct {
	Tx    Hash
	Chain ChainID // where the transaction is, as a hint; zero for none
	Wait  time.Duration
	After Mark
}

// Looked is how far a chain was read.
type Looked struct {
	Chain       ChainID
	Head, Final uint64
}

// Why a transaction has no orders.
const (
	WhyNotFound    = "not_found"   // no chain that is read has it
	WhyPending     = "pending"     // sent, and not read in a block yet
	WhyReverted    = "reverted"    // in a block, and it failed
	WhyNoOrder     = "no_order"    // in a block, and it opened no order
	WhyReorganised = "reorganised" // its block was replaced
)

// Mark is the sum of the orders' marks: it grows when any of them does.
func (t *Tracking) Mark() (sum Mark) {
	for i := range t.Orders {
		sum.Revision += t.Orders[i].Mark.Revision
		sum.Step += t.Orders[i].Mark.Step
	}
	return sum
}

// Over reports whether nothing more will come: all orders are at their end, or
// the transaction made none and never will.
func (t *Tracking) Over() bool {
	for i := range t.Orders {
		if s := &t.Orders[i]; !s.Stage.Final() && s.Reason != WhyNoOrder {
			return false
		}
	}
	return len(t.Orders) > 0 || t.Reason == WhyReverted || t.Reason == WhyNoOrder
}

// Final reports whether all orders are at their end.
func (t *Tracking) Final() bool {
	for i := range t.Orders {
		if !t.Orders[i].Stage.Final() {
			return false
		}
	}
	return len(t.Orders) > 0
}
