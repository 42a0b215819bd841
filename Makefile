# The verbs of this repository. A fresh Debian machine with Go and Node needs
# nothing else: `make run` serves quotes, `make test` proves them.

VERSION := $(shell git describe --always --dirty 2>/dev/null || echo devel)
LDFLAGS := -s -w -X main.version=$(VERSION)
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

.PHONY: run build test e2e devnet bench lint tools update

run: build
	./bin/hubquote serve

build:
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/hubquote ./cmd/hubquote

# Everything there is to prove. Packages that share state between goroutines run
# under the race detector.
test: tools lint
	go test ./...
	go test -race ./internal/api ./internal/quoter ./internal/ratelimit ./internal/integrator ./internal/issuer ./internal/devnet/relay

# Every pair, signed, sent and landed on local chains; part of `make test` too.
e2e: tools
	go test -count=1 -v ./internal/devnet/world ./internal/devnet/relay ./cmd/devnet

# Local chains, a relayer and the service, in one command.
devnet:
	contracts/tools/install.sh
	go build -o bin/devnet ./cmd/devnet
	./bin/devnet

BENCHED := ./swap ./internal/api ./internal/calldata ./internal/fee ./internal/quoter ./internal/ratelimit ./internal/shield ./internal/wire

# Benchmarks beside the code, then servers side by side, one core each for the
# server and the load.
bench: build
	cd bench/node && npm ci --ignore-scripts --silent
	go test -run '^$$' -bench . -benchmem -benchtime 0.3s -count 6 $(BENCHED) | tee bench/latest.txt
	go tool -modfile=tools/go.mod benchstat bench/recorded.txt bench/latest.txt
	go build -o bin/bench ./bench
	taskset -c 1 ./bin/bench

lint:
	@test -z "$$(gofmt -s -l $$(git ls-files '*.go'))" || { gofmt -s -l $$(git ls-files '*.go'); echo 'run gofmt -s -w on these'; exit 1; }
	go mod tidy -diff
	go vet ./...
	go tool -modfile=tools/go.mod staticcheck ./...

# What the tests need besides Go and Node, from Debian. Quick when it is there.
tools:
	@command -v gcc >/dev/null || $(MAKE) --no-print-directory apt PACKAGE='gcc libc6-dev'
	@command -v redis-server >/dev/null || $(MAKE) --no-print-directory apt PACKAGE=redis-server
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
	go generate ./internal/devnet
	go test ./internal/catalog ./internal/api -update
	go test ./client ./docs -run 'TestVectors|TestDescriptors' -update
	npm --prefix clients/ts run types
