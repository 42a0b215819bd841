package record

import (
	"errors"

	"hubquote/internal/abi"
	"hubquote/swap"
)

// A Log is an event as a node returns it.
type Log struct {
	Address swap.Address
	Topics  []swap.Hash
	Data    []byte
}

const order = "(uint256,address,address,uint256,uint8,uint256,uint256,address,address,uint32,bytes32,uint8,bytes,uint48)"

// The first topics of the events that name an order.
var (
	TopicOpened    = topic("OrderOpened(bytes32,address,uint256,address,uint256,uint256," + order + ")")
	TopicFulfilled = topic("OrderFulfilled(bytes32,bytes32,address,uint256,address,uint256,uint256,uint256,uint256,bool)")
	TopicCancelled = topic("OrderCancelled(bytes32)")
	TopicRefunded  = topic("OrderRefunded(bytes32,address,uint256,uint8)")
	TopicReclaimed = topic("OrderReclaimed(bytes32,address,uint256,uint8)")
	TopicCredited  = topic("Credited(address,bytes32,uint256)")
	TopicClaimed   = topic("Claimed(address,address,address,uint256)")
	TopicBurn      = topic("BurnReceived(bytes32,bytes32,uint32,bytes32,uint256,uint256)")
)

// The first topics of the issuer's events.
var (
	TopicMessageSent     = topic("MessageSent(bytes)")
	TopicMessageReceived = topic("MessageReceived(address,uint32,bytes32,bytes32,uint32,bytes)")
)

func topic(signature string) swap.Hash { return keccak([]byte(signature)) }

var errLog = errors.New("the log is not the event it should be")

// An Opened is what an OrderOpened log says.
type Opened struct {
	ID      swap.Hash
	Deposit swap.Amount
	Order   *swap.Order
}

// ReadOpened reads an OrderOpened log. The order must hash to the ID in it.
func ReadOpened(l *Log) (*Opened, error) {
	if len(l.Topics) != 4 || l.Topics[0] != TopicOpened {
		return nil, errLog
	}
	r := abi.NewPackedReader(l.Data)
	r.Address()
	r.Amount()
	out := &Opened{ID: l.Topics[1], Deposit: r.Amount()}
	r.Constant(4 * abi.WordSize)
	out.Order = readOrder(r)
	if r.Err() != nil || ID(out.Order) != out.ID {
		return nil, errLog
	}
	return out, nil
}

// A Payment is what an OrderFulfilled log says.
type Payment struct {
	ID        swap.Hash
	Recipient swap.Address // zero for a note
	Received  swap.Amount
	Paid      bool // false: the recipient has a claim to it
}

// ReadPayment reads an OrderFulfilled log.
func ReadPayment(l *Log) (*Payment, error) {
	if len(l.Topics) != 4 || l.Topics[0] != TopicFulfilled {
		return nil, errLog
	}
	r := abi.NewPackedReader(l.Data)
	r.Amount()
	r.Address()
	p := &Payment{ID: l.Topics[1], Received: r.Amount()}
	copy(p.Recipient[:], l.Topics[3][12:])
	for range 3 {
		r.Amount()
	}
	p.Paid = narrow(r, 1) == 1
	if r.Err() != nil {
		return nil, errLog
	}
	return p, nil
}

// A Return is what an OrderRefunded or OrderReclaimed log says.
type Return struct {
	ID     swap.Hash
	To     swap.Address
	Amount swap.Amount
	How    uint8 // [Sent], [Owed], [BurnedBack] or [SentHere]
}

// How a deposit went back.
const (
	Sent       = 0
	Owed       = 1 // a claim
	BurnedBack = 2 // to the network it came from
	SentHere   = 3 // by the receiver, to an account that the owner named
)

// ReadReturn reads an OrderRefunded or OrderReclaimed log.
func ReadReturn(l *Log) (*Return, error) {
	if len(l.Topics) != 3 || l.Topics[0] != TopicRefunded && l.Topics[0] != TopicReclaimed {
		return nil, errLog
	}
	r := abi.NewPackedReader(l.Data)
	out := &Return{ID: l.Topics[1], Amount: r.Amount(), How: uint8(narrow(r, 8))} // narrow
	copy(out.To[:], l.Topics[2][12:])
	if r.Err() != nil {
		return nil, errLog
	}
	return out, nil
}
