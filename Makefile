# The verbs of this repository. A fresh Debian machine with Go and Node needs
# nothing else: `make run` serves quotes, `make test` proves them.

VERSION := $(shell git describe --always --dirty 2>/dev/null || echo devel)
COMMIT := $(shell git rev-parse HEAD 2>/dev/null || echo unknown)$(shell [ -z "$$(git status --porcelain -uno 2>/dev/null)" ] || echo -dirty)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)

# Lints, tests and programs are compiled in one way, so that each package is
# compiled once, and what is tested is what is shipped: no C, no paths.
export CGO_ENABLED := 0
export GOFLAGS := $(filter-out -trimpath,$(GOFLAGS)) -trimpath

.PHONY: contracts modules pools run build test race quick e2e devnet bench fuzz soak mutate mutate-contracts witness reproduce release lint tools update image settle-bench settle-chaos mutate-settler

run: build
	./bin/hubquote serve

# The same commit gives the same bytes, wherever it is built: no paths, no times.
build:
	go build -buildvcs=false -ldflags '$(LDFLAGS)' -o bin/ ./cmd/hubquote ./cmd/settler

# Everything there is to prove, except what takes hours: see fuzz, soak, mutate
# and witness.
test: tools
	@$(MAKE) --no-print-directory -j2 lint contracts modules
	test/tools/reproduce.sh
	test/tools/fuzz.sh 5000x
	go -C test/tools run ./tally -C ../.. -first '$(LONGEST)' -waiting '$(WAITING)' $(RACED)

# What Go has downloaded is what go.sum says.
modules:
	go mod verify

# The contracts and their tests, compiled: two minutes on one core when it is the
# first time, beside what is read from the network then.
contracts:
	test/tools/npm.sh contracts
	cd contracts && npx --no-install forge build --silent

# Packages that share state between goroutines: tested with the race detector,
# and only with it. The tag gofuzz keeps signatures in Go, as they are shipped.
RACED := ./internal/service ./internal/listen ./internal/conn ./internal/logqueue ./internal/api/... ./internal/quoter ./internal/ratelimit/... ./internal/upstream ./internal/quorum/... ./internal/integrator ./internal/issuer ./internal/pools ./internal/settle/send ./internal/settle/dispatch ./internal/settle/alert ./internal/settle/writer
race:
	CGO_ENABLED=1 go test -race -tags gofuzz -timeout 20m $(RACED)

# The packages that take longest: started last, they would leave one of two cores
# without work.
LONGEST := ./test/page ./test/devnet/backend ./test/devnet/stack ./client/ts ./contracts ./test/devnet/examples ./test/witness ./internal/pools ./internal/ratelimit/redis ./internal/api ./internal/settle/send ./internal/integrator

# Those that mostly wait, for chains and clocks: they run beside the others.
WAITING := ./test/devnet/pools ./internal/settle/watch ./cmd/hubquote ./internal/settle/burns ./test/soak

# What to run before each commit: no browser, no local chains, no databases, no
# programs, no image, no second implementation, and a part of the changed bytes.
SLOW := /cmd/(hubquote|settler)$$|/test/devnet|/test/(image|page|soak|witness)|/test/fake/mempool$$|/client/ts|/contracts$$|/internal/settle/(burns|journal|send|track|watch)$$|/internal/ratelimit/redis$$
quick: lint
	go test -short -vet=off -ldflags='-s -w' $$(go list ./... | grep -Ev '$(SLOW)')
	test/tools/npm.sh contracts
	cd contracts && npx --no-install forge test --silent --no-match-path 'test/{proofs,events}/*' --no-match-contract 'Gas|Invariant' --no-match-test fuzz

# Every pair, signed, sent and landed on local chains; part of `make test` too.
e2e: tools
	go test -count=1 -v ./test/devnet/stack ./test/devnet/backend ./test/devnet/cmd

# Local chains, the settler and the service, in one command. With
# ARGS='--listen 127.0.0.1:0' it picks a free port.
ARGS :=
devnet:
	test/tools/npm.sh contracts
	go build -o bin/devnet ./test/devnet/cmd
	./bin/devnet $(ARGS)

BENCHED := ./swap ./internal/api ./internal/api/dialect ./internal/calldata ./internal/fee ./internal/pools ./internal/quoter ./internal/ratelimit/... ./internal/shield ./internal/wire/printer

# Benchmarks beside the code, then servers side by side, one core each for the
# server and the load, then what we aim for, and where the time goes.
bench: SHELL := /bin/bash
bench: .SHELLFLAGS := -o pipefail -c
bench: build
	test/tools/npm.sh test/bench/node
	go test -run '^$$' -bench . -benchmem -benchtime 0.3s -count 6 $(BENCHED) | tee test/bench/latest.txt
	go tool -modfile=test/tools/go.mod benchstat test/bench/recorded.txt test/bench/latest.txt
	go build -o bin/bench ./test/bench
	taskset -c 1 ./bin/bench -benchmarks test/bench/latest.txt -profile test/bench/latest.pprof
	go tool pprof -top -cum -nodecount 40 bin/hubquote test/bench/latest.pprof

# How fast the settler pays, what it asks its endpoints, what a hundred thousand
# orders cost it, and what it answers about swaps; each with met or missed.
settle-bench: tools
	go test -run '^$$' -bench . -benchtime 1x -timeout 1h ./test/settlebench
	go build -o bin/settlebench-status ./test/settlebench/status
	./bin/settlebench-status

# Ten minutes for each fuzz target in the tree, one after the other.
FUZZTIME := 10m
fuzz:
	test/tools/fuzz.sh $(FUZZTIME)

# Two replicas behind a proxy, restarted in turn, under good clients, hostile
# ones and failing upstreams, all at once.
MINUTES := 10
soak: tools build
	go build -o bin/soak ./test/soak
	./bin/soak -for $(MINUTES)m

# A million random requests, answered the same by a second implementation.
witness:
	go test -count=1 -v -timeout 2h ./test/witness -witness.count 1000000 -witness.workers 2

# Ten thousand quotes on local chains whose pools change all the time; each that is
# executed is paid or refunded, and none is paid less.
QUOTES := 10000
pools: tools
	go test -count=1 -v -timeout 1h ./test/devnet/pools -run TestPools/no_quote_is_paid_less -args -pools.quotes $(QUOTES)

# Orders of every kind on three local chains while everything around the settler
# fails: kills, reorganisations, wrong answers, failing issuers and signers, and
# random commands of an operator. RACE=1 builds the settler with the race detector.
ORDERS := 5000
KILLS := 500
REORGS := 200
SEED := 1
settle-chaos: MINUTES := 45
settle-chaos: tools
	$(if $(RACE),CGO_ENABLED=1) go test $(if $(RACE),-race) -count=1 -v -timeout 4h ./test/devnet/backend -run '^TestNoneLostNonePaidTwice$$|^TestReplicas$$' \
		-args -chaos.orders $(ORDERS) -chaos.kills $(KILLS) -chaos.reorgs $(REORGS) -chaos.minutes $(MINUTES) -chaos.seed $(SEED)

# Whether the tests notice that the code is wrong.
MUTATED := swap internal/fee internal/abi internal/calldata internal/deposit internal/shield internal/catalog internal/judge internal/pinned internal/spans internal/strictjson client
mutate:
	go -C test/tools run ./mutants $(MUTATED)

# Whether they notice that the settler has lost one of its rules.
mutate-settler: tools
	go test -count=1 -v -timeout 4h ./test/rules -run '^TestEveryMutantIsKilled$$' -args -rules.break

# The same for the contracts. It goes on where it stopped, and takes hours.
mutate-contracts:
	test/tools/npm.sh contracts
	cd contracts && node tools/mutate.mjs --minutes $(MINUTES)

# The image of the programs, as an OCI archive: nothing is pulled.
image:
	deploy/image.sh bin/image.tar

# Builds the commit in two places, one without any cache, and compares the bytes.
reproduce:
	test/tools/reproduce.sh fresh

# Everything to publish, into dist. The version has a section in CHANGELOG.md.
release:
	@[ "$(origin VERSION)" = "command line" ] || { echo 'say which: make release VERSION=1.0.0' >&2; exit 1; }
	test/tools/release.sh $(VERSION) dist

# staticcheck is not called with `go tool`, which ignores -trimpath and so would
# compile Go's own packages once more.
lint:
	@test -z "$$(gofmt -s -l $$(git ls-files '*.go'))" || { gofmt -s -l $$(git ls-files '*.go'); echo 'run gofmt -s -w on these'; exit 1; }
	go mod tidy -diff
	go vet ./...
	go -C test/tools vet ./...
	go run -modfile=test/tools/go.mod honnef.co/go/tools/cmd/staticcheck ./...

# What the tests need besides Go and Node, from Debian; and what npm will install for
# them. Quick when it is there.
tools:
	@test/tools/debian.sh
	@git ls-files '*/package-lock.json' ':!test/bench' | xargs -r dirname | xargs -r test/tools/npm.sh -n

# Rewrites everything that is made from something else. Read the diff: it is what
# changes for clients.
update:
	test/tools/npm.sh contracts
	npm --prefix contracts run build
	test/tools/readdress.sh
	go test ./internal/catalog ./internal/api -update
	go test ./client ./docs -run 'TestVectors|TestDescriptors|TestReferencePages' -update
	go test ./test/mutations -run TestTable -update
	test/tools/npm.sh client/ts
	npm --prefix client/ts run types
	npm --prefix client/ts run page
	go generate ./web
