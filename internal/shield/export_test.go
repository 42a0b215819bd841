package shield

// What the tests see of the inside: the payload of an address, an address that
// memory has corrupted, and the check that [Encrypt] makes before it answers.

const PayloadLen = payloadLen

func (a Address) Payload() [payloadLen]byte { return a.payload }

func (a Address) Corrupt(other Address) Address {
	a.viewing = other.viewing
	return a
}

var (
	Seal  = seal
	Check = check
)
