package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"hubquote/internal/catalog"
	"hubquote/internal/command"
	"hubquote/internal/endpoints"
	"hubquote/internal/flags"
	"hubquote/internal/settle/burns"
	"hubquote/internal/settle/sign"
	"hubquote/internal/settle/sign/keystore"
	"hubquote/internal/settle/sign/remote"
	"hubquote/internal/settler"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// settings are what an operator decides. Each is a flag, an environment
// variable and a key of the configuration file, in that order of precedence.
type settings struct {
	catalogs    string
	rpc         endpoints.Setting
	trustOne    bool
	some        bool
	maxBlockAge string
	issuer      upstream.URL
	journal     secret
	keystores   string
	password    string
	signer      remote.Options
	feeCap      string
	exposure    string
	breakEven   string
	losses      uint64
	listen      string
	admin       string
	logLevel    slog.Level
	config      string
}

// define declares the settings as flags.
func (c *settings) define(f *flags.Set) {
	c.rpc.Program, c.rpc.Reads = "SETTLER", "Each chain with pools\nneeds three of different operators."
	f.StringVar(&c.catalogs, "catalog", "", "comma-separated `directories` of the catalogs of every deployment that may\nstill have orders, the oldest first, instead of the built-in one")
	c.rpc.Define(f)
	f.BoolVar(&c.trustOne, "trust-one-endpoint", false, "accept a chain with fewer than three endpoints, and believe each alone.\nOne that lies can then make the settler pay for deposits that do not exist")
	f.BoolVar(&c.some, "some-chains", false, "accept chains without an endpoint; orders to and from them wait")
	f.StringVar(&c.maxBlockAge, "rpc-max-block-age", "5m", "`time` after which an endpoint's newest block is too old to be believed, with\nothers for some chains: 5m,8453=1m. Negative for chains that make blocks on\ndemand, such as local ones")
	f.Secret(urlFlag{&c.issuer}, "issuer", "`URL` of the issuer's attestation API, such as https://iris-api.circle.com")
	c.defineJournal(f)
	f.StringVar(&c.keystores, "keystore", "", "comma-separated encrypted keystore `files`, one for each key. More keys\nsend more at once; all have one password")
	f.StringVar(&c.password, "password-file", "", "`file` with the password of the keystore files")
	f.StringVar(&c.signer.URL, "signer", "", "`URL` of a remote signer that speaks eth_signTransaction over mutual TLS,\ninstead of a keystore file")
	f.TextVar(&c.signer.Address, "signer-address", swap.Address{}, "`account` whose key the remote signer holds")
	f.StringVar(&c.signer.Cert, "signer-cert", "", "`file` with the client certificate for the remote signer")
	f.StringVar(&c.signer.Key, "signer-key", "", "`file` with the key of that certificate")
	f.StringVar(&c.signer.CA, "signer-ca", "", "`file` with the certificate of the remote signer's authority")
	f.StringVar(&c.feeCap, "fee-cap", "", "the most to pay for a unit of gas, in `gwei`, such as 100, with other\nfigures for some chains: 100,369=9000000. Required: it bounds what a\nstolen program can burn")
	f.StringVar(&c.exposure, "exposure", "", "how much may be paid for deposits that are not final, by `coin`, such as\nUSDC@8453=50000,USDG@4663=20000; nothing for the others")
	f.StringVar(&c.breakEven, "break-even", "", "the smallest deposit whose payment earns its gas, by `coin` and the chain of\nthe payment, such as USDC@369:1=40,WETH@369:1=0.02. Smaller ones are paid\nwithin --losses, or refunded after their deadline; without a figure all earn\nenough")
	f.Uint64Var(&c.losses, "losses", 50, "`number` of transactions a day and chain that may earn less than they cost")
	f.StringVar(&c.listen, "listen", "127.0.0.1:8090", "`address` of the read-only interface for the quote service; keep it\nprivate: it shares a process with the key")
	f.StringVar(&c.admin, "admin", "127.0.0.1:9091", "`address` for Prometheus metrics and profiles; empty for none")
	f.TextVar(&c.logLevel, "log-level", slog.LevelInfo, "`level` below which nothing is logged: DEBUG, INFO, WARN or ERROR")
	f.StringVar(&c.config, "config", "", "`file` to read settings from that neither flags nor environment give")
	f.NotInFile("config")
}

func (c *settings) defineJournal(f *flags.Set) {
	c.journal = "settler.db"
	f.Secret(&c.journal, "journal", "`file` of the journal, or postgres://user@host/database for several\nsettlers that stand by for each other (default settler.db)")
}

// secret is a flag that may hold a password.
type secret string

func (s *secret) String() string { return "" }

func (s *secret) Set(text string) error {
	if text == "" {
		return errors.New("name a file or a postgres:// URL")
	}
	*s = secret(text)
	return nil
}

// urlFlag is a flag: the address of an upstream.
type urlFlag struct{ *upstream.URL }

func (u urlFlag) Set(s string) error { return u.UnmarshalText([]byte(s)) }

func readSettings(command, about string, args []string, s command.Std) (*settings, error) {
	var c settings
	f := s.Flags(command, about)
	c.define(f)
	if err := f.Parse(args); err != nil {
		return &c, err
	}
	if err := f.CheckEnv(os.Environ()); err != nil || c.config == "" {
		return &c, err
	}
	return &c, f.ParseFile(c.config, c.rpc.Tables())
}

// options are the settings as the settler wants them.
func (c *settings) options(s command.Std) (o settler.Options, err error) {
	o = settler.Options{
		TrustOne: c.trustOne, Some: c.some, Issuer: c.issuer, Journal: string(c.journal), Usual: burns.UsualOf,
		Listen: c.listen, Admin: c.admin, Version: version, Commit: commit, Holder: holder(),
		Log: slog.New(slog.NewJSONHandler(s.Err, &slog.HandlerOptions{Level: c.logLevel})),
	}
	if o.Generations, err = c.generations(); err != nil {
		return o, err
	}
	chains, err := settler.Chains(o.Generations)
	if err != nil {
		return o, err
	}
	if o.RPC, err = c.rpc.List(chains, s.Env, os.Environ()); err != nil {
		return o, err
	}
	if o.MaxBlockAges, err = blockAges(c.maxBlockAge, chains); err != nil {
		return o, fmt.Errorf("rpc-max-block-age: %w", err)
	}
	if o.FeeCaps, err = feeCaps(c.feeCap, chains); err != nil {
		return o, fmt.Errorf("fee-cap: %w", err)
	}
	if o.Limits.Exposure, err = exposures(c.exposure, o.Generations); err != nil {
		return o, fmt.Errorf("exposure: %w", err)
	}
	if o.Limits.BreakEven, err = breakEvens(c.breakEven, o.Generations, chains); err != nil {
		return o, fmt.Errorf("break-even: %w", err)
	}
	o.Limits.Losses = map[swap.ChainID]uint64{}
	for _, id := range chains {
		o.Limits.Losses[id] = c.losses
	}
	o.Keys, err = c.keys()
	return o, err
}

func holder() string {
	host, err := os.Hostname()
	if err != nil {
		host = "settler"
	}
	return settler.Name(host, os.Getpid())
}

func (c *settings) generations() (list []*catalog.Catalog, err error) {
	if c.catalogs == "" {
		cat, err := catalog.Embedded()
		return []*catalog.Catalog{cat}, err
	}
	for dir := range strings.SplitSeq(c.catalogs, ",") {
		cat, err := catalog.Load(os.DirFS(strings.TrimSpace(dir)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		list = append(list, cat)
	}
	return list, nil
}

// keys opens the keystore files, or the remote signer, and refuses both.
func (c *settings) keys() (list []sign.Key, err error) {
	if (c.keystores == "") == (c.signer.URL == "") {
		return nil, errors.New("name either --keystore and --password-file, or --signer")
	}
	if c.signer.URL != "" {
		key, err := remote.New(c.signer)
		return []sign.Key{key}, err
	}
	for file := range strings.SplitSeq(c.keystores, ",") {
		key, err := keystore.Open(strings.TrimSpace(file), c.password)
		if err != nil {
			return nil, err
		}
		list = append(list, key)
	}
	return list, nil
}
