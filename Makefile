# Intelligence Data Service. Everything sets itself up: git, make, Node and npm are enough.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
# Every line uses the project's own Node and tools.
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)

# `serve` needs only the production packages, and every other target needs all packages. If all are installed, `serve`
# uses them.
PRODUCTION_MODULES := node_modules/.production.stamp
ALL_MODULES := node_modules/.all.stamp
ifeq ($(filter-out serve,$(MAKECMDGOALS)),)
MODULES := $(PRODUCTION_MODULES)
else
MODULES := $(ALL_MODULES)
endif
# No package needs an install script.
QUIETLY := --loglevel=error --ignore-scripts
# With the link, `npx ids` runs without npm's messages about the system's Node.
# Node's package contains 67 MB of headers for C add-ons, which the project does not have.
LINK := ln -sfn ../../bin/ids node_modules/.bin/ids && rm -rf node_modules/node-*/include
PROTO_DEPENDENCIES := .deps/proto/buf/validate/validate.proto
PREPARED := .deps/prepared.stamp
SAMPLES := .deps/samples.stamp
SDK_MESSAGES := .deps/sdk.stamp
CLIENTS := .deps/clients.stamp
NPM_CLIENT := .deps/npm-client.stamp
# The cache of compiled code depends on the flags of the program.
NODE_FLAGS := $(shell sed -n 's/^flags="\(.*\)"$$/\1/p' bin/ids)

.PHONY: help serve test test-more check types style budget unused lint packages generate samples examples notebooks generate-go check-generated bench proof simulate audit release-contract sbom release screenshot setup

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: $(MODULES) $(SAMPLES) $(PREPARED) $(CLIENTS) ## Start the service on PORT (8080) with sample data and an embedded database
	@[ "$${IDS_LOG_FORMAT:-}" = json ] || echo "Starting the service …"
	@grep -qs "^IDS_DATA=" .env || export IDS_DATA=$${IDS_DATA:-sample}; exec bin/ids serve

test: check ## Check everything and run the tests, each on one of the two databases (Postgres if it is installed)
	@IDS_TEST_DATABASES=one scripts/postgres-for-tests.sh -- vitest run --config test/vitest.config.ts

test-more: setup ## Browsers, kills (PROJECT=more), programs of others (PROJECT="before release"), other database of each test
	@IDS_TEST_DATABASES=one scripts/postgres-for-tests.sh -- vitest run --config test/vitest.more.ts $(if $(PROJECT),--project "$(PROJECT)")

check: setup ## Generated code, contract, style, budget of lines, unused code, types
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target check-generated types lint style budget unused packages

# Each further thread would check what files share again: all of them take twice the processor time.
types: setup
	@tsc --singleThreaded

style: setup
	@node scripts/check-style.ts

budget: setup
	@node scripts/check-budget.ts

unused: setup
	@knip --config scripts/knip.json --no-config-hints
	@knip --config scripts/knip.json --production --strict --dependencies

packages: setup
	@node scripts/check-lock.ts

lint: setup ## Contract and style
	@buf lint
	@buf breaking proto --against gen/released.binpb
	@biome check --error-on-warnings

generate: $(PROTO_DEPENDENCIES) $(SAMPLES) ## Write gen/ from proto/, and the tables in docs/ from the code
	@buf generate
	@buf generate --template test/contract/buf.gen.yaml
	@rm -f $(SDK_MESSAGES)
	@$(MAKE) --no-print-directory $(SDK_MESSAGES)
	@node scripts/write-python.ts
	@node src/main.ts openapi --out gen/openapi
	@node scripts/write-docs.ts
	@node scripts/write-notice.ts
	@node scripts/write-console.ts
	@scripts/generate-go.sh

samples: setup $(SAMPLES) ## Write sample/ from scripts/samples

examples: setup ## Write the examples of the OpenAPI document and the data dictionary from responses of the sample
	@IDS_TEST_DATABASES=one scripts/postgres-for-tests.sh -- vitest run --config test/vitest.more.ts --project more \
	  test/contract/openapi.more.test.ts test/docs/example-rows.more.test.ts -u -t 'the examples of data'
	@node src/main.ts openapi --out gen/openapi
	@node scripts/write-docs.ts

notebooks: setup ## Run examples/notebooks and write their charts to docs/ (IDS_PYTHON: a Python with Jupyter)
	@IDS_INSTALL_NOTEBOOKS=on IDS_WRITE_CHARTS=on IDS_TEST_DATABASES=one scripts/postgres-for-tests.sh -- \
	  vitest run --config test/vitest.more.ts --project "before release" test/docs/notebooks.more.test.ts -t 'with Jupyter'

generate-go: $(PROTO_DEPENDENCIES) ## Write only the Go code of gen/; without Go, print a message and do nothing
	@scripts/generate-go.sh

check-generated: setup
	@scripts/check-generated.sh

audit: ## Ask the registry for known faults of the packages that the service installs (needs a network)
	@npm audit --omit=dev --audit-level=high

release-contract: $(PROTO_DEPENDENCIES) ## Make the current contract the one that changes are compared with
	@buf build proto --exclude-source-info -o gen/released.binpb

sbom: setup ## Write bills of materials (CycloneDX) of the package and of the image to release/
	@node scripts/write-sbom.ts release

release: setup ## Write package, bills of materials, and their signed provenance to release/ (KEY=release.key)
	@rm -rf release && mkdir release
	@npm pack --silent --pack-destination release
	@node scripts/write-sbom.ts release
	@node scripts/write-provenance.ts release/*.tgz $(or $(KEY),release.key) release/*.cdx.json

screenshot: setup ## Write the picture in README from a running service (URL=http://127.0.0.1:8080)
	@node scripts/screenshot.ts $(or $(URL),http://127.0.0.1:8080)

bench: setup ## Ratios to bare node:http, in one alternating run
	@node bench/main.ts

proof: setup ## Run long fault and load tests and print their results
	@TMPDIR=$${TMPDIR:-/tmp} scripts/postgres-for-tests.sh -- vitest run --config test/vitest.proof.ts

# SEEDS=100 runs the first hundred seeds, and SEED=7 only the seventh.
simulate: setup ## Quotas, changes and alerts under a virtual clock and 1,000 seeded schedules (SEEDS=, SEED= to replay one)
	@IDS_TEST_SEEDS=$(or $(SEEDS),1000) IDS_TEST_SEED=$(SEED) scripts/postgres-for-tests.sh -- \
	  vitest run --config test/vitest.more.ts --project "before release" test/simulation

setup: $(MODULES) $(PROTO_DEPENDENCIES) $(SAMPLES) $(SDK_MESSAGES) $(PREPARED) $(CLIENTS) $(NPM_CLIENT) ## Install everything
	@if [ -d .git ]; then git config core.hooksPath scripts/hooks; fi

# Installed packages are not removed, because a running service may use them.
$(ALL_MODULES): package-lock.json package.json
	@echo "Installing packages (about a minute) …"
	@if [ -e $(PRODUCTION_MODULES) ]; then npm install --no-save $(QUIETLY); else npm ci $(QUIETLY); fi
	@$(LINK)
	@touch $(PRODUCTION_MODULES) $@

# A stamp that is newer than the lock file also covers a full install.
$(PRODUCTION_MODULES): package-lock.json package.json
	@echo "Installing packages (about a minute) …"
	@if [ -e $(ALL_MODULES) ]; then npm install --no-save $(QUIETLY) && touch $(ALL_MODULES); \
	  else npm ci --omit=dev $(QUIETLY); fi
	@$(LINK)
	@touch $@

$(PROTO_DEPENDENCIES): $(MODULES) scripts/proto-dependencies.ts scripts/proto-standards.ts
	@node scripts/proto-dependencies.ts

# The messages of the TypeScript client repeat those of gen/es without rules, so that git contains only gen/es.
$(SDK_MESSAGES): $(PROTO_DEPENDENCIES) sdk/typescript/buf.gen.yaml scripts/write-sdk.ts $(wildcard scripts/sdk/*.ts) \
    $(shell find proto -name '*.proto')
	@buf generate --template sdk/typescript/buf.gen.yaml
	@node scripts/write-sdk.ts
	@mkdir -p $(@D)
	@touch $@

# Archives of the clients, which git does not contain. Only the TypeScript client needs a compiler, so `serve` writes the
# others.
$(CLIENTS): $(MODULES) scripts/write-clients.ts go.mod package.json $(wildcard scripts/sdk/*.ts) \
    $(shell find sdk/go sdk/python sdk/r gen/go gen/es src/contract src/domains -type f -not -path '*/__pycache__/*')
	@echo "Writing the clients …"
	@NODE_COMPILE_CACHE=node_modules/.cache/ids node $(NODE_FLAGS) scripts/write-clients.ts
	@mkdir -p $(@D)
	@touch $@

$(NPM_CLIENT): $(SDK_MESSAGES) scripts/write-clients.ts $(wildcard scripts/sdk/*.ts) \
    $(wildcard sdk/typescript/*.* sdk/typescript/src/*.ts)
	@node scripts/write-clients.ts typescript
	@mkdir -p $(@D)
	@touch $@

# The sample is 26 MB of text that a seed determines, so it is written here and not stored in git.
$(SAMPLES): $(MODULES) scripts/write-samples.ts $(shell find scripts/samples -type f) \
    $(wildcard src/reference/*/* src/providers/comtrade/*.ts src/upstream/sample/*.ts)
	@echo "Writing the sample files …"
	@node scripts/write-samples.ts
	@mkdir -p $(@D)
	@touch $@

$(PREPARED): $(MODULES) bin/ids scripts/prepare.ts src/store/migrate.ts src/store/embedded/prepared-folder.ts \
    $(wildcard src/store/migrations/*.ts src/store/migrations/*/*.ts src/reference/places/*.ts src/reference/countries/*.ts)
	@echo "Preparing the database …"
	@NODE_COMPILE_CACHE=node_modules/.cache/ids node $(NODE_FLAGS) scripts/prepare.ts
	@touch $@
