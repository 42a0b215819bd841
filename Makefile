# The verbs of this repository. A fresh Debian machine with Go and Node needs
# nothing else: `make run` serves quotes, `make test` proves them.

VERSION := $(shell git describe --always --dirty 2>/dev/null || echo devel)
COMMIT := $(shell git rev-parse HEAD 2>/dev/null || echo unknown)$(shell [ -z "$$(git status --porcelain -uno 2>/dev/null)" ] || echo -dirty)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

.PHONY: run build test race e2e devnet bench fuzz soak mutate mutate-contracts witness reproduce lint tools update

run: build
	./bin/hubquote serve

# The same commit gives the same bytes, wherever it is built: no paths, no times.
build:
	CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags '$(LDFLAGS)' -o bin/hubquote ./cmd/hubquote

# Everything there is to prove, except what takes hours: see fuzz, soak, mutate
# and witness.
test: tools lint
	go test -timeout 30m ./...
	go -C test/tools test ./...
	$(MAKE) --no-print-directory race
	$(MAKE) --no-print-directory fuzz FUZZTIME=5000x
	test/tools/reproduce.sh

# Packages that share state between goroutines.
race:
	go test -race -timeout 20m ./internal/service ./internal/listen ./internal/conn ./internal/logqueue ./internal/api/... ./internal/quoter ./internal/ratelimit/... ./internal/upstream ./internal/quorum/... ./internal/integrator ./internal/issuer ./test/devnet/relay

# Every pair, signed, sent and landed on local chains; part of `make test` too.
e2e: tools
	go test -count=1 -v ./test/devnet/stack ./test/devnet/relay ./test/devnet/cmd

# Local chains, a relayer and the service, in one command.
devnet:
	contracts/tools/install.sh
	go build -o bin/devnet ./test/devnet/cmd
	./bin/devnet

BENCHED := ./swap ./internal/api ./internal/api/dialect ./internal/calldata ./internal/fee ./internal/quoter ./internal/ratelimit/... ./internal/shield ./internal/wire/printer

# Benchmarks beside the code, then servers side by side, one core each for the
# server and the load, then what we aim for, and where the time goes.
bench: build
	cd test/bench/node && npm ci --ignore-scripts --silent
	go test -run '^$$' -bench . -benchmem -benchtime 0.3s -count 6 $(BENCHED) | tee test/bench/latest.txt
	go tool -modfile=test/tools/go.mod benchstat test/bench/recorded.txt test/bench/latest.txt
	go build -o bin/bench ./test/bench
	taskset -c 1 ./bin/bench -benchmarks test/bench/latest.txt -profile test/bench/latest.pprof
	go tool pprof -top -cum -nodecount 40 bin/hubquote test/bench/latest.pprof

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

# Whether the tests notice that the code is wrong.
MUTATED := swap internal/fee internal/abi internal/calldata internal/deposit internal/shield internal/catalog internal/judge internal/pinned internal/spans internal/strictjson client
mutate:
	go -C test/tools run ./mutants $(MUTATED)

# The same for the contracts. It goes on where it stopped, and takes hours.
mutate-contracts:
	contracts/tools/install.sh
	cd contracts && node tools/mutate.mjs --minutes $(MINUTES)

# Builds the commit in two places, one without any cache, and compares the bytes.
reproduce:
	test/tools/reproduce.sh fresh

lint:
	@test -z "$$(gofmt -s -l $$(git ls-files '*.go'))" || { gofmt -s -l $$(git ls-files '*.go'); echo 'run gofmt -s -w on these'; exit 1; }
	go mod tidy -diff
	go vet ./...
	go -C test/tools vet ./...
	go mod verify
	go tool -modfile=test/tools/go.mod staticcheck ./...

# What the tests need besides Go and Node, from Debian. Quick when it is there.
tools:
	@command -v gcc >/dev/null || $(MAKE) --no-print-directory apt PACKAGE='gcc libc6-dev'
	@command -v redis-server >/dev/null || $(MAKE) --no-print-directory apt PACKAGE=redis-server
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || $(MAKE) --no-print-directory apt PACKAGE=postgresql
	@command -v chromium >/dev/null || $(MAKE) --no-print-directory apt PACKAGE='chromium fonts-dejavu-core'

.PHONY: apt
apt:
	$(SUDO) apt-get update -qq
	DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $(PACKAGE)

# Rewrites everything that is made from something else. Read the diff: it is what
# changes for clients.
update:
	contracts/tools/install.sh
	npm --prefix contracts run build
	test/tools/readdress.sh
	go test ./internal/catalog ./internal/api -update
	go test ./client ./docs -run 'TestVectors|TestDescriptors|TestReferencePages' -update
	go test ./test/mutations -run TestTable -update
	npm --prefix client/ts ci --ignore-scripts
	npm --prefix client/ts run types
	npm --prefix client/ts run page
	go generate ./web
