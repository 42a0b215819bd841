// Package pace is how often the settler asks the endpoints of public chains, and
// how old an answer may be. All such times are here, because what a settler costs
// its endpoints is their sum; docs/settling.md says how much that is.
package pace

import "time"

// What is asked while nothing happens.
const (
	Head      = 6 * time.Second  // the head of a chain with contracts, and its logs: two calls to one endpoint
	Sweep     = 2 * time.Minute  // the final block, its logs and the contracts: about ten calls to two or three endpoints
	Source    = 30 * time.Second // the head of a network with burns, and its logs: two calls to one endpoint
	Confirmed = 5 * time.Minute  // the heads that all endpoints of such a network have: one call to each
	Resweep   = time.Hour        // the burns of the last hours, at the next endpoint
	Idle      = 10 * time.Minute // fees and purse of a key that has nothing under way: three calls to two endpoints
	Proof     = 10 * time.Minute // which chain an endpoint serves: one call to each
)

// What is asked while something is under way.
const (
	Lane    = 2 * time.Second  // whether there is a new block, for transactions in no block
	Relook  = 6 * time.Second  // transactions in no block, also without a new one
	Recheck = time.Minute      // transactions in a block, which a reorganisation may take away
	Tag     = 10 * time.Second // the final block, where no watcher tells it
	Plan    = time.Minute      // fees and purse, for a plan
	Fresh   = 5 * time.Second  // fees, for a signature
)
