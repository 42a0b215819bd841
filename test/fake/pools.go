package fake

import (
	"bytes"
	"encoding/hex"
	"io"
	"math/big"
	"net/http"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"hubquote/contracts"
	"hubquote/internal/catalog"
	"hubquote/internal/contract"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/operator"
	"hubquote/internal/pools/atlas"
	"hubquote/swap"
)

// Pools are the contracts of a catalog, as a node shows them to the lens. At first
// they are as the catalog says, and have enough of everything.
type Pools struct {
	atlas *atlas.Atlas

	mu        sync.Mutex
	snapshots map[common.Address]*contract.Snapshot
	code      map[common.Address][]byte
	behind    map[swap.Address]swap.Address // implementations of proxies
	minFee    int64                         // of the messenger, in thousandths of a basis point
	answers   map[string]string             // of the lens since the last change, by data
}

// plenty is more of a token than any order takes.
var plenty = new(big.Int).Exp(big.NewInt(10), big.NewInt(26), nil)

// NewPools returns the contracts of a catalog, with the roles and caps of the
// reference deployment.
func NewPools(cat *catalog.Catalog) (*Pools, error) {
	lanes, err := lane.Of(cat)
	if err != nil {
		return nil, err
	}
	settings := operator.Reference(lanes)
	a, err := atlas.New(cat, &settings)
	if err != nil {
		return nil, err
	}
	p := &Pools{atlas: a}
	return p, p.Heal()
}

// Heal undoes all changes.
func (p *Pools) Heal() (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.snapshots, p.code, p.minFee = map[common.Address]*contract.Snapshot{}, map[common.Address][]byte{}, 0
	p.answers, p.behind = map[string]string{}, map[swap.Address]swap.Address{}
	for _, c := range p.atlas.Contracts {
		address := common.Address(c.Address)
		if p.code[address], err = codeOf(c); err != nil {
			return err
		}
		s := snapshotOf(c)
		s.CodeHash = crypto.Keccak256Hash(p.code[address])
		p.snapshots[address] = s
	}
	for _, l := range p.atlas.Legs {
		p.open(l)
	}
	return nil
}

// artifacts are those that were read before.
var artifacts sync.Map

func artifactOf(name contracts.Name) (*contracts.Artifact, error) {
	if known, ok := artifacts.Load(name); ok {
		return known.(*contracts.Artifact), nil
	}
	a, err := contracts.Load(name)
	artifacts.Store(name, a)
	return a, err
}

// codeOf is a contract's code as its constructor leaves it.
func codeOf(c *atlas.Contract) ([]byte, error) {
	artifact, err := artifactOf(contracts.Name(c.Code.Name))
	if err != nil {
		return nil, err
	}
	code, words := bytes.Clone(artifact.Runtime), c.Words(&c.Fixed)
	for name, spans := range artifact.Immutables {
		for _, span := range spans {
			word := words[name]
			copy(code[span[0]:], word[:])
		}
	}
	return code, nil
}

func snapshotOf(c *atlas.Contract) *contract.Snapshot {
	s := &contract.Snapshot{
		Fixed: c.Fixed, Liquidity: plenty, Totals: contract.Totals{Owed: new(big.Int), Held: new(big.Int)}, ShieldFee: big.NewInt(25),
		Limits:       contract.Limits{Min: c.Limits.Min.ToBig(), Max: c.Limits.Max.ToBig()},
		Destinations: make([]contract.Destination, len(c.Query.Destinations)), Sources: make([]contract.Source, len(c.Query.Sources)),
		Remotes: make([]contract.Remote, len(c.Query.Remotes)), Treasury: []bool{},
	}
	s.Admin, s.FeeBound = c.Operator.Admin, c.Operator.FeeBound
	caps := &c.Operator.Caps
	for i, dailyCap := range []*big.Int{caps.Payments, caps.Refunds, caps.Releases, caps.Treasury} {
		if dailyCap == nil {
			dailyCap = new(big.Int)
		}
		s.Caps[i] = contract.Bucket{Cap: dailyCap, Level: new(big.Int)}
		s.Spendable[i] = new(big.Int).Rsh(dailyCap, 1)
	}
	for range s.Sources {
		s.SpendableFrom = append(s.SpendableFrom, new(big.Int))
	}
	for range c.Query.Domains {
		s.Places = append(s.Places, new(big.Int))
	}
	return s
}

// open makes both ends of a route know each other.
func (p *Pools) open(l *atlas.Leg) {
	from, to := p.snapshots[common.Address(l.From.Address)], p.snapshots[common.Address(l.To.Address)]
	*l.Destination(from) = l.Terms
	if place := l.Place(from); place != nil {
		place.SetUint64(uint64(l.Route.Src.ID))
	}
	source, left := l.Source(to)
	dailyCap := l.To.Operator.Caps.Sources[l.From.Name]
	*source = contract.Source{State: contract.Open, Rate: big.NewInt(int64(l.Route.Rate)), Cap: dailyCap, Level: new(big.Int)}
	left.Rsh(dailyCap, 1)
	if remote := l.RemoteOf(to); remote != nil {
		*remote = l.Remote
	}
}

// Leg returns the route between two coins, such as USDC@1 and USDC@369.
func (p *Pools) Leg(from, to string) *atlas.Leg {
	for _, l := range p.atlas.Legs {
		if l.Route.From().String() == from && l.Route.To().String() == to {
			return l
		}
	}
	return nil
}

// Change changes a contract.
func (p *Pools) Change(c *atlas.Contract, change func(*contract.Snapshot)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.answers)
	change(p.snapshots[common.Address(c.Address)])
}

// SetCode replaces the code of a contract; the lens then sees its hash.
func (p *Pools) SetCode(c *atlas.Contract, code []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.answers)
	p.code[common.Address(c.Address)] = code
	p.snapshots[common.Address(c.Address)].CodeHash = crypto.Keccak256Hash(code)
}

// SetMinFee sets the least fee of every messenger, in thousandths of a basis point.
func (p *Pools) SetMinFee(rate int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.minFee = rate
}

// SetBehind sets the implementation of a proxy.
func (p *Pools) SetBehind(proxy, implementation swap.Address) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.behind[proxy] = implementation
}

// Behind returns the implementation of a proxy; zero for a contract that is none.
func (p *Pools) Behind(proxy swap.Address) swap.Address {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.behind[proxy]
}

// Code returns what is deployed at an address.
func (p *Pools) Code(at swap.Address) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return "0x" + hex.EncodeToString(p.code[common.Address(at)])
}

// Look answers a call of the lens, given its data without 0x.
func (p *Pools) Look(chain swap.ChainID, data string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.answers[data] == "" {
		p.answers[data] = p.look(chain, readQueries(data))
	}
	return p.answers[data]
}

func (p *Pools) look(chain swap.ChainID, queries []contract.Query) string {
	snapshots := make([]contract.Snapshot, len(queries))
	for i, q := range queries {
		snapshots[i] = *p.snapshots[q.Target]
		if len(snapshots[i].Roles) != len(q.Roles) {
			snapshots[i].Roles = slices.Repeat([]bool{true}, len(q.Roles))
		}
	}
	number := new(big.Int).SetUint64(uint64(chain))
	answer, err := contract.Lens.ABI().Methods["snapshot"].Outputs.Pack(number, big.NewInt(1), big.NewInt(1), snapshots)
	if err != nil {
		panic("fake: " + err.Error())
	}
	return "0x00" + hex.EncodeToString(answer)
}

// LooksAt reports whether a JSON-RPC request calls the lens about a contract, and
// not only about others that have to do with it.
func LooksAt(r *http.Request, a swap.Address) bool {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	_, rest, _ := bytes.Cut(body, []byte(`{"data":"0x`))
	data, rest, _ := bytes.Cut(rest, []byte(`"`))
	if len(rest) == 0 || rest[0] != '}' { // a call of the lens has no recipient
		return false
	}
	return slices.ContainsFunc(readQueries(string(data)), func(q contract.Query) bool { return q.Target == common.Address(a) })
}

// MinFee answers a call of the messenger.
func (p *Pools) MinFee() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return "0x" + hex.EncodeToString(common.BigToHash(big.NewInt(p.minFee)).Bytes())
}

// Inner returns the call of the lens inside the data of an eth_call, which is given
// without 0x.
func Inner(data string) []byte {
	artifact, err := artifactOf(contracts.LensCall)
	if err != nil {
		panic("fake: " + err.Error())
	}
	all, _ := hex.DecodeString(data)
	outer, err := contract.LensCall.ABI().Constructor.Inputs.Unpack(all[len(artifact.Creation):])
	if err != nil {
		panic("fake: " + err.Error())
	}
	return outer[0].([]byte)
}

// readQueries takes a call of the lens apart.
func readQueries(data string) []contract.Query {
	inner, err := contract.Lens.ABI().Methods["snapshot"].Inputs.Unpack(Inner(data)[4:])
	if err != nil {
		panic("fake: " + err.Error())
	}
	return *abi.ConvertType(inner[0], new([]contract.Query)).(*[]contract.Query)
}
