# The targets of this repository. `make` alone lists them.

.DEFAULT_GOAL := help
# What the tests need, by the target that runs them; scripts/need has the reasons.
NEEDS := postgresql locale browser axe curl python sshd vsftpd dovecot mariadb pdf-reader prometheus \
	acme-authority systemd root
INTEROP_NEEDS := postgresql locale duffel-client soap-client soap-client-node description-tools odata-clients \
	odata-client-go openapi-client-go webhook-clients python java csharp workbook-reader
TRIAL_NEEDS := $(NEEDS) refdata packages

.PHONY: help build build-oracle packages run needs vet test check trial interop size bench attack fuzz assets generate clean
SHELL := /bin/sh

# The program needs no C library; the race detector does. Symbols and notes for debuggers are left out (-s implies -w):
# stack traces do not need them, the program is a quarter smaller, and packages are compiled in less time. Tests, and
# what they build, get the same flags, so that the build cache has one copy of each package. Calls in pages are not
# inlined (-l), since people and templates take longer: the program is a megabyte smaller.
export CGO_ENABLED := 0
export GOFLAGS := $(GOFLAGS) -trimpath -gcflags=all=-dwarf=false \
	'-gcflags=gangway/internal/web/...=-dwarf=false -l' -ldflags=-s

# The compiler collects garbage less often than usual, which saves a fifth of its work; what is tested does not.
BUILD := env GOGC=400 go build
TEST := env GOGC=400 go test -exec 'env -u GOGC' -vet=off

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build bin/gangway
	$(BUILD) -o bin/gangway ./cmd/gangway

build-oracle: ## build bin/gangway-oracle, which reads Oracle databases too
	$(BUILD) -tags oracle -o bin/gangway-oracle ./cmd/gangway

packages: build ## build a Debian package and a container image in dist/
	scripts/need packages
	scripts/packages

run: build ## build and run the demo: a customer with people and a crewing system
	bin/gangway demo

# Status 69 says that something is missing, which is an answer here and no error of make's.
needs: ## show where the tests find what they need, and what is missing
	@scripts/need --look $(sort $(TRIAL_NEEDS) $(INTEROP_NEEDS) compiler) || [ $$? = 69 ]

# Many packages wait more than they work (for servers that were killed, for browsers), so twice as many are tested at a
# time as there are processors.
AT_A_TIME := $(shell expr 2 '*' $$(getconf _NPROCESSORS_ONLN))

# The packages that take longest begin first, so that none of them is left to run alone in the end.
LONGEST_FIRST := ./cmd/gangway ./internal/web/app ./internal/store ./internal/book ./internal/web/api ./...

vet: ## look for mistakes that the compiler does not see
	GOGC=400 go vet ./...

# With CI set, a test that lacks something fails instead of being skipped.
test: ## run every test, on SQLite and on PostgreSQL, with a real browser
	scripts/need $(NEEDS)
	CI=1 scripts/postgres $(TEST) -p $(AT_A_TIME) -timeout 60m $(LONGEST_FIRST)

check: vet ## what a change must pass: gofmt, vet, staticcheck, every test with the race detector
	scripts/formatted
	go tool staticcheck ./...
	scripts/need $(NEEDS) compiler
	CI=1 scripts/postgres env CGO_ENABLED=1 $(TEST) -race -timeout 60m ./...

# How often each fault of deliveries happens, how many lives of bookings are lived on each database, how many random
# queries the databases are asked, how many programs die while they pull (eight at a time), and for how many minutes a
# thousand customers work on three replicas. The trial runs every test: some try more in it, or on both databases.
FAULTS := 2
LIVES := 2000
QUERIES := 5000
DEATHS := 400
SCALE := 5
trial: interop build-oracle ## the gate before a release: every test, and what takes too long for every change
	scripts/need $(TRIAL_NEEDS)
	go vet -tags oracle ./internal/transport/database
	CI=1 $(TEST) -tags oracle ./internal/transport/database
	GANGWAY_TRIAL=1 GANGWAY_FAULTS=$(FAULTS) GANGWAY_LIVES=$(LIVES) GANGWAY_QUERIES=$(QUERIES) \
		GANGWAY_DEATHS=$(DEATHS) GANGWAY_SCALE=$(SCALE) CI=1 scripts/postgres \
		$(TEST) -p $(AT_A_TIME) -timeout 6h $(LONGEST_FIRST)

interop: ## try clients, validators and receivers that are not ours
	scripts/need $(INTEROP_NEEDS)
	GANGWAY_INTEROP=1 CI=1 scripts/postgres $(TEST) -run '^TestInterop' -timeout 60m ./...

size: ## count lines, files, exported names and types; internal/house/ceilings.txt has the most allowed
	@go run ./tools/size

bench: ## measure what customers wait for, beside a yardstick, and write docs/performance.md
	scripts/need postgresql locale
	scripts/postgres --sync go run ./internal/bench -write docs/performance.md

attack: ## try to fill the memory of the program, and measure how much it uses (Linux; half an hour)
	scripts/need postgresql locale
	scripts/postgres --sync go run ./internal/attack

# Without a bound for making inputs smaller it would do little else.
FUZZ := -run '^$$' -fuzztime 10m -fuzzminimizetime 20x
fuzz: ## look for requests to the report that are read wrongly, or break something (thirty minutes)
	go test ./internal/report/odata $(FUZZ) -fuzz FuzzParse
	go test ./internal/report/odata/odatatest $(FUZZ) -fuzz FuzzAnswer
	go test ./internal/web/reporting $(FUZZ) -fuzz FuzzRequest

assets: ## bundle the stylesheets and scripts again
	go generate ./internal/web/app

generate: ## make all generated files again
	go generate ./...

clean: ## remove what was built
	rm -rf bin dist
