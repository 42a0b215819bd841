package journal

import (
	"time"

	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// An Order is an order, where its deposit is, and what was decided last.
type Order struct {
	order.Order
	SrcTx     order.Hash
	SrcLog    uint64
	SrcBlock  uint64
	SrcHash   order.Hash
	Proof     order.Proof
	BurnKey   order.Hash // of the burn that it came from, or zero
	State     order.State
	Reason    order.Reason
	Since     time.Time // when the state began; a new reason does not move it
	NotBefore time.Time // when to look again without news; zero: at once
	Revision  int64
	Refusal   order.Refusal // Times is zero when there was none
}

// A Decision is the last step of an order.
type Decision struct {
	State     order.State
	Reason    order.Reason
	At        time.Time
	NotBefore time.Time
}

// A Fact is an event that names an order.
type Fact struct {
	Order order.ID
	Event order.Event
	Log   uint64
	order.Fact
	Gone bool // its block was reorganised away
}

// A Burn is an issuer's burn that one of our contracts sent or receives.
type Burn struct {
	Key         order.Hash // names Domain, Tx and Sent
	Domain      swap.Domain
	Tx          order.Hash
	Log         uint64 // its position among the transaction's logs when it was first seen
	Way         string
	Sent        []byte // the message as the source emitted it
	Nonce       []byte // the issuer's, nil until it is known
	Attestation []byte
	Status      string
	Delay       string
	Expires     uint64
	Asks        int64
	NextAsk     time.Time // when to look at it again; zero: never
	Order       order.ID
	MintTx      order.Hash

	Block     uint64    // of the source
	Mined     time.Time // the time of that block
	Asked     time.Time // when the issuer was asked last
	Signed    []byte    // the message as the issuer signed it, nil until it is known
	Since     time.Time // when Status began
	MintBlock uint64    // of the destination, 0 until it is known
	Reason    order.Reason
	Agreed    bool // whether two endpoints gave it, or the only one there is
}

// Real returns the burns that the issuer signed or that endpoints agree on.
func Real(burns []Burn) (list []Burn) {
	for _, b := range burns {
		if b.Agreed || len(b.Nonce) > 0 { // the nonce stays when the signature expires
			list = append(list, b)
		}
	}
	return list
}

// Arrived reports whether the burn is minted for good: in a block that is
// final at as many endpoints as must agree.
func (b *Burn) Arrived() bool { return b.Status == "delivered" && b.Reason == "" }

// A BurnAge is how many burns of a way wait in a state for a reason, and since when
// the oldest does.
type BurnAge struct {
	Way    string
	Status string
	Reason order.Reason
	Burns  int64
	Oldest time.Time
}

// Doubted selects burns that endpoints do not agree on.
type Doubted struct {
	Domain swap.Domain
	Signed bool       // those that the issuer signed, or the others
	Since  time.Time  // mined later, or in their state since
	After  order.Hash // their keys are above
}

// A Task is one decided call.
type Task struct {
	ID       int64
	Subject  order.Hash // an order's ID or a burn's key
	Kind     order.Kind
	Chain    swap.ChainID
	Progress order.Progress
	Basis    string
	Tag      time.Time // the time of the final block that a refund without cancel rests on
	Reserved swap.Amount
	Made     time.Time
	Loss     bool // it costs more than it earns, and counts for the daily budget
}

// A Mined is a task that is sent and whose nonce is used, by it or by foreign
// bytes.
type Mined struct {
	Task
	State NonceState
	Block uint64
}

// A Filter selects orders. A zero field selects all.
type Filter struct {
	State order.State
	Chain swap.ChainID // of the source or of the destination
	Until time.Time    // in its state since then or longer
	Limit int
}

// An Age is how many orders are in a state, and since when the oldest is.
type Age struct {
	State  order.State
	Orders int64
	Oldest time.Time
}

// Owed is what a pool still has to pay for the orders of one source.
type Owed struct {
	Dst, Src order.Pool
	Orders   int64
	Amount   swap.Amount
	Oldest   time.Time // since when one of them is in its state
}

// Reserved is the exposure of a task to commit.
type Reserved struct {
	Task   int64
	Amount swap.Amount
}

// A NonceState is where a nonce is.
type NonceState string

// The states of a nonce. It has no state before its first signature is
// committed, so a signer that fails leaves no gap.
const (
	NonceSent    NonceState = "sent"
	NonceMined   NonceState = "mined"
	NonceFinal   NonceState = "final"
	NonceForeign NonceState = "foreign" // used by bytes that are not in the journal
)

// A Nonce is a nonce of a key on a chain.
type Nonce struct {
	Chain  swap.ChainID
	Key    swap.Address
	Nonce  uint64
	State  NonceState
	Filler bool       // carries no task
	Mined  order.Hash // the attempt that was mined
	Block  uint64
	Hash   order.Hash // of the block
}

// An Attempt is a signed transaction. Only Sent, Sends and LastError change.
type Attempt struct {
	Hash      order.Hash
	Chain     swap.ChainID
	Key       swap.Address
	Nonce     uint64
	Raw       []byte
	Tip, Cap  swap.Amount
	Gas       uint64
	Made      time.Time
	Epoch     int64 // the writer's; set by the journal
	Sent      time.Time
	Sends     int64
	LastError string
}

// A Link says that a nonce carries a task.
type Link struct {
	Chain swap.ChainID
	Key   swap.Address
	Nonce uint64
	Task  int64
}

// A Wish is what an operator asks for.
type Wish struct {
	ID      order.Hash
	Subject order.ID
	Verb    order.Verb
	By      string
	At      time.Time
	Done    time.Time // zero while it is open
	Result  string
}

// A Cursor is how far a pass over a chain has come.
type Cursor struct {
	Chain  swap.ChainID
	Pass   string
	Number uint64
	Hash   order.Hash
}

// A Census compares a contract's own totals with the orders we know.
type Census struct {
	Contract   order.Pool
	Number     uint64
	Hash       order.Hash
	Orders     uint64
	Held, Sums swap.Amount
}

// A Holding is what the facts say that a source holds after a block.
type Holding struct {
	Orders uint64      // opened there
	Next   uint64      // one more than their highest running number
	Sum    swap.Amount // of the deposits that did not leave
}

// An Alarm is an alert that outlives the settler that raised it, until its cause
// is gone or an operator accepts it.
type Alarm struct {
	Chain    swap.ChainID // whose payments it stops; 0: of none
	Name     string
	Subject  order.Hash // the order, or the final block that was lost
	Since    time.Time
	Accepted time.Time // zero: not
}

// An Image is everything in a journal at one moment.
type Image struct {
	Epoch    int64
	Orders   []Order
	Facts    []Fact
	Burns    []Burn
	Tasks    []Task
	Nonces   []Nonce
	Links    []Link
	Attempts []Attempt
	Wishes   []Wish
	Cursors  []Cursor
	Census   []Census
	Alarms   []Alarm
}
