// Package witness is a second opinion on every quote: the specification
// implemented once more, in JavaScript with ethers, by reading nothing of the
// service's own code. Its facts are copied by hand from published tables, so a
// wrong entry in the catalog shows as a difference too.
//
// The tests start the service and ask it over HTTP for random quotes over all 86
// pairs and every version of the API, and show them to the witness, which builds
// each answer itself and compares all of it. The encrypted recipient of a
// shielding swap cannot be foreseen; the witness holds the keys of the wallets
// that are paid, and opens it. Our own contracts' addresses cannot be known from
// any table and come from where the service publishes them.
//
//	go test ./test/witness -witness.count 1000000 -witness.workers 2 -timeout 1h
package witness
