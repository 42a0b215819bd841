package problem

import (
	"net/http"
	"slices"
	"strings"

	"hubquote/swap"
)

// A kind is how one code looks over HTTP.
type kind struct {
	status    int
	title     string
	retryable bool // the same request may succeed later
}

// kinds is the one table from codes to statuses.
var kinds = map[swap.Code]kind{
	swap.QueryMalformed:     {400, "The query string is malformed", false},
	swap.ParamMissing:       {400, "A required parameter is missing", false},
	swap.ParamRepeated:      {400, "A parameter is given more than once", false},
	swap.ParamTooLong:       {400, "A value is too long", false},
	swap.ParamMisspelt:      {400, "A parameter's name is in the wrong letter case", false},
	swap.ParamInvalid:       {400, "A value is not one of those allowed", false},
	swap.AmountInvalid:      {400, "The amount is not a positive integer", false},
	swap.AmountTooLow:       {400, "The amount is below the limit", false},
	swap.AmountTooHigh:      {400, "The amount is above the limit", false},
	swap.ChainInvalid:       {400, "Not a chain ID", false},
	swap.ChainUnsupported:   {400, "The chain is not served", false},
	swap.TokenInvalid:       {400, "Not a token", false},
	swap.TokenUnsupported:   {400, "The token is not served on that chain", false},
	swap.PairUnsupported:    {400, "The pair is not served", false},
	swap.HashInvalid:        {400, "Not a transaction hash", false},
	swap.AddressChecksum:    {400, "The address does not match its checksum", false},
	swap.RecipientInvalid:   {400, "Not a recipient", false},
	swap.RecipientZero:      {400, "The recipient is the zero address", false},
	swap.RecipientContract:  {400, "The recipient is a contract of the swap itself", false},
	swap.RecipientMismatch:  {400, "The recipient does not fit the route", false},
	swap.RefundToInvalid:    {400, "Not an address for refunds", false},
	swap.RefundToZero:       {400, "The address for refunds is the zero address", false},
	swap.RefundToContract:   {400, "The address for refunds is a contract of the swap itself", false},
	swap.RefundUnsupported:  {400, "This swap has no address for refunds", false},
	swap.IntegratorInvalid:  {400, "Not an integrator ID", false},
	swap.IntegratorUnknown:  {400, "The integrator is not registered", false},
	swap.IntegratorInactive: {400, "The integrator is not active", false},
	swap.IntegratorRefused:  {400, "This version knows no integrators", false},

	swap.ZKNotASCII:     {400, "The 0zk address has characters that are not ASCII", false},
	swap.ZKLength:       {400, "The 0zk address has the wrong length", false},
	swap.ZKMixedCase:    {400, "The 0zk address mixes capital and small letters", false},
	swap.ZKBech32:       {400, "The 0zk address is not bech32", false},
	swap.ZKPrefix:       {400, "The address does not start with 0zk", false},
	swap.ZKCharset:      {400, "The 0zk address has a character bech32 does not use", false},
	swap.ZKChecksum:     {400, "The 0zk address does not match its checksum", false},
	swap.ZKPadding:      {400, "The 0zk address is padded wrongly", false},
	swap.ZKVersion:      {400, "The 0zk address is of an unknown version", false},
	swap.ZKMasterKey:    {400, "The 0zk address has an impossible master key", false},
	swap.ZKViewingPoint: {400, "The 0zk address has an impossible viewing key", false},
	swap.ZKNonCanonical: {400, "The 0zk address spells its viewing key in a second way", false},
	swap.ZKSmallOrder:   {400, "The 0zk address has a viewing key that hides nothing", false},
	swap.ZKTorsion:      {400, "The 0zk address has a viewing key its owner could not use", false},
	swap.ZKChain:        {400, "The 0zk address is for another network", false},

	swap.NotFound:             {404, "No such path", false},
	swap.MethodNotAllowed:     {405, "No such method here", false},
	swap.URITooLong:           {414, "The address is too long", false},
	swap.RateLimited:          {429, "Too many requests", true},
	swap.Internal:             {500, "Internal error", false},
	swap.RegistryUnavailable:  {503, "The integrator cannot be verified now", true},
	swap.StatusUnavailable:    {503, "The status is not known now", true},
	swap.IssuerFeeUnavailable: {503, "The issuer's fee is not known now", true},
	swap.PoolPaused:           {503, "A pool of this route is paused", true},
	swap.PoolShort:            {503, "The paying pool has too little now", true},
	swap.PoolCapped:           {503, "The paying pool has paid what it may pay in a day", true},
	swap.PoolUnknown:          {503, "The state of the pools is not known now", true},
	swap.RouteClosed:          {503, "The route is closed on chain", true},
	swap.DeploymentDiffers:    {503, "A contract of this route is not as it should be", true},
}

// A Row explains one code, for the page about them.
type Row struct {
	Code, Anchor, Title string
	Advice              string // Fix, Wait or Report
	Remedy              string // what to do, in a sentence or two
	Status              int
}

// Rows explain every code, in alphabetical order.
func Rows() (rows []Row) {
	for code, k := range kinds {
		rows = append(rows, Row{string(code), anchor(code), k.title, k.advice(), remedies[code], k.status})
	}
	slices.SortFunc(rows, func(a, b Row) int { return strings.Compare(a.Code, b.Code) })
	return rows
}

func (k kind) advice() string {
	switch {
	case k.retryable:
		return "Wait"
	case k.status >= http.StatusInternalServerError:
		return "Report"
	default:
		return "Fix"
	}
}

// anchor is where the page of explanations has a code.
func anchor(c swap.Code) string { return strings.ToLower(strings.ReplaceAll(string(c), "_", "-")) }
