package swap

import (
	"errors"
	"strings"
	"time"
)

// A Code is the kind of an [Error]: one stable word a client may branch on. The
// list only grows.
type Code string

// Codes of problems that the caller can fix.
const (
	QueryMalformed     Code = "QUERY_MALFORMED"           // the query string does not parse
	ParamMissing       Code = "PARAM_MISSING"             // a required parameter is absent or empty
	ParamRepeated      Code = "PARAM_REPEATED"            // a parameter is given more than once
	ParamTooLong       Code = "PARAM_TOO_LONG"            // a value is longer than any valid one
	ParamMisspelt      Code = "PARAM_MISSPELT"            // a known name in another letter case
	ParamInvalid       Code = "PARAM_INVALID"             // a value is not one of those allowed
	AmountInvalid      Code = "AMOUNT_INVALID"            // not a positive integer in its one spelling
	AmountTooLow       Code = "AMOUNT_TOO_LOW"            // below the limit
	AmountTooHigh      Code = "AMOUNT_TOO_HIGH"           // above the limit
	ChainInvalid       Code = "CHAIN_INVALID"             // not a decimal chain ID
	ChainUnsupported   Code = "CHAIN_UNSUPPORTED"         // no route starts or ends there
	TokenInvalid       Code = "TOKEN_INVALID"             // neither a symbol nor an address
	TokenUnsupported   Code = "TOKEN_UNSUPPORTED"         // not listed on that chain
	PairUnsupported    Code = "PAIR_UNSUPPORTED"          // both ends are known, the pair is not served
	HashInvalid        Code = "HASH_INVALID"              // not a transaction hash
	AddressChecksum    Code = "ADDRESS_CHECKSUM_MISMATCH" // mixed case that is not EIP-55
	RecipientInvalid   Code = "RECIPIENT_INVALID"         // neither an EVM nor a 0zk address
	RecipientZero      Code = "RECIPIENT_ZERO"            // the zero address
	RecipientContract  Code = "RECIPIENT_IS_CONTRACT"     // a pool, receiver, messenger or token: funds would be stranded
	RecipientMismatch  Code = "RECIPIENT_TYPE_MISMATCH"   // an EVM address where a 0zk is needed, or the reverse
	RefundToInvalid    Code = "REFUND_TO_INVALID"         // not an EVM address
	RefundToZero       Code = "REFUND_TO_ZERO"            // the zero address
	RefundToContract   Code = "REFUND_TO_IS_CONTRACT"     // a pool, receiver, messenger or token: the refund would be stranded
	RefundUnsupported  Code = "REFUND_TO_UNSUPPORTED"     // a burn, or a version of the API, that has no such parameter
	IntegratorInvalid  Code = "INTEGRATOR_INVALID"        // not an integrator ID
	IntegratorUnknown  Code = "INTEGRATOR_NOT_REGISTERED" // the registry does not list it
	IntegratorInactive Code = "INTEGRATOR_INACTIVE"       // listed, but switched off
	IntegratorRefused  Code = "INTEGRATOR_NOT_SUPPORTED"  // this version of the API has no integrators
)

// Codes of a 0zk address that is invalid, in the order of the checks.
const (
	ZKNotASCII     Code = "ZK_NON_ASCII"
	ZKLength       Code = "ZK_LENGTH"
	ZKMixedCase    Code = "ZK_MIXED_CASE"
	ZKBech32       Code = "ZK_BECH32"
	ZKPrefix       Code = "ZK_PREFIX"
	ZKCharset      Code = "ZK_CHARSET"
	ZKChecksum     Code = "ZK_CHECKSUM"
	ZKPadding      Code = "ZK_PADDING"
	ZKVersion      Code = "ZK_VERSION"
	ZKMasterKey    Code = "ZK_MASTER_KEY_RANGE"
	ZKViewingPoint Code = "ZK_VIEWING_KEY_POINT"
	ZKNonCanonical Code = "ZK_VIEWING_KEY_NONCANONICAL"
	ZKSmallOrder   Code = "ZK_VIEWING_KEY_SMALL_ORDER"
	ZKTorsion      Code = "ZK_VIEWING_KEY_TORSION"
	ZKChain        Code = "ZK_CHAIN_MISMATCH"
)

// Codes of problems that the caller cannot fix.
const (
	RateLimited          Code = "RATE_LIMITED"           // too many requests from this address
	RegistryUnavailable  Code = "REGISTRY_UNAVAILABLE"   // the integrator cannot be proved either way
	IssuerFeeUnavailable Code = "ISSUER_FEE_UNAVAILABLE" // the issuer's fee is unknown or too old
	StatusUnavailable    Code = "STATUS_UNAVAILABLE"     // no settler is configured, or it does not answer
	PoolPaused           Code = "POOL_PAUSED"            // a pool of the route takes or pays nothing now
	PoolShort            Code = "POOL_SHORT"             // the paying pool has less than the amount
	PoolCapped           Code = "POOL_CAPPED"            // the paying pool has paid what it may pay in a day
	PoolUnknown          Code = "POOL_UNKNOWN"           // the state of the pools is not known, and must be
	RouteClosed          Code = "ROUTE_CLOSED"           // the contracts take no orders of this kind now
	DeploymentDiffers    Code = "DEPLOYMENT_DIFFERS"     // a contract is not ours, or would pay less than quoted
	NotFound             Code = "NOT_FOUND"              // no such path
	MethodNotAllowed     Code = "METHOD_NOT_ALLOWED"     // the path exists, the method does not
	URITooLong           Code = "URI_TOO_LONG"           // longer than any valid request
	Internal             Code = "INTERNAL"               // our fault; details are in the log only
)

// An Error is a failure the client can act on.
type Error struct {
	Code    Code
	Param   string  // the query parameter at fault, if there is one
	Message string  // for the client: says what to do, repeats no input, ends without a period
	Limits  *Limits // for [AmountTooLow] and [AmountTooHigh]: what would be accepted
	Token   *Token  // the token that Limits and Available count, when they are set
	Err     error   // for the log; never shown

	// Available is, for [PoolShort] and [PoolCapped], what one swap could be paid
	// now. After is when the amount fits again for [PoolCapped]; zero when that
	// is not known.
	Available *Amount
	After     time.Time
}

func (e *Error) Error() string {
	s := string(e.Code) + ": " + e.Message
	if e.Param != "" {
		s = e.Param + ": " + s
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// Missing is the problem of a required parameter that is absent or empty.
func Missing(param string) *Error {
	return &Error{Code: ParamMissing, Param: param, Message: "this parameter is required"}
}

// Refuse is the problem of a parameter whose value a parser refused with err. An
// err that is an [*Error] is returned as it is; a checksum has a code of its own.
func Refuse(param string, code Code, err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if errors.Is(err, ErrChecksum) {
		code = AddressChecksum
	}
	return &Error{Code: code, Param: param, Message: err.Error()}
}

// CodeOf returns the code of the first [*Error] in err's tree, or [Internal].
func CodeOf(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return Internal
}

// Errors are all the problems of one request, at most one for each parameter.
type Errors []*Error

func (es Errors) Error() string {
	var lines []string
	for _, e := range es {
		lines = append(lines, e.Error())
	}
	return strings.Join(lines, "; ")
}

func (es Errors) Unwrap() []error {
	var errs []error
	for _, e := range es {
		errs = append(errs, e)
	}
	return errs
}

// Add appends e unless its parameter has a problem already: the first one
// found is the one to fix first.
func (es *Errors) Add(e *Error) {
	for _, old := range *es {
		if old.Param == e.Param && e.Param != "" {
			return
		}
	}
	*es = append(*es, e)
}

// Join adds the problems err carries. It returns err itself when it is not of
// that kind, and nil otherwise.
func (es *Errors) Join(err error) error {
	if err == nil {
		return nil
	}
	if many, ok := errors.AsType[Errors](err); ok {
		for _, e := range many {
			es.Add(e)
		}
		return nil
	}
	if one, ok := errors.AsType[*Error](err); ok {
		es.Add(one)
		return nil
	}
	return err
}

// OrNil returns es as an error, or nil when there are no problems.
func (es Errors) OrNil() error {
	if len(es) == 0 {
		return nil
	}
	return es
}
