# Every command there is. `make` alone lists them. Needs only Node, npm and Go; everything else is brought.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

FOLDERS := api provider sdk stack drift service cli
# Read from disk at run time by folder, so the compiler does not see them.
DATA_FOLDERS := api/contract service/packs drift/report/html/assets

# Folders are listed beside files: removing a file changes only its folder.
SOURCES := $(shell find $(FOLDERS) \( -type d -o -name '*.ts' -o -name '*.json' -o -path '*/assets/*' \) -print 2>/dev/null)

INSTALLED := node_modules/.installed
BUILT := dist/.built
CACHE := node_modules/.cache
TSC := node_modules/.bin/tsc

.PHONY: help
help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: engine build ## a YAML stack from `up` to `destroy`, on the real engine and the embedded service
	@node examples/demo.mjs

.PHONY: test
test: $(INSTALLED) ## lint, build, every unit test and every story; ends with `N passed, N failed`
	@$(MAKE) --no-print-directory -j2 lint build engine
	@node_modules/.bin/jest

.PHONY: unit
unit: $(INSTALLED) ## the unit tests alone
	@node_modules/.bin/jest --selectProjects unit

.PHONY: stories
stories: build engine ## the stories on the real engine alone
	@node_modules/.bin/jest --selectProjects stories

# New stacks every time; `make soak SEED=…` repeats those of a run.
SEED := $(or $(SEED),$(shell date +%s))

.PHONY: soak
soak: export SEED := $(SEED)
soak: build engine ## the slow suites, whole: kill rounds of the service, a crash at every boundary, every story of the trial and of Ctrl-C in both dialects, random stacks, drift reviews of a thousand
	@echo "soak with SEED=$(SEED)"
	@ROUNDS=200 node_modules/.bin/jest --selectProjects unit --testPathPatterns test/soak
	@SOAK=1 STORY_DIALECTS=all node_modules/.bin/jest --selectProjects stories --testPathPatterns '/(trial-.*|interrupted|storefront|values|taking-over|owner-and-guest|yaml-options)\.test'
	@KILLS=30 node_modules/.bin/jest --selectProjects stories --testPathPatterns '/orphans\.test'
	@STACKS=200 RUNS=20000 node_modules/.bin/jest --selectProjects unit stories --testPathPatterns '/random-stacks\.test'
	@RUNS=1000 node_modules/.bin/jest --selectProjects unit --testPathPatterns '/(drift-stacks|accept-laws)\.test'
	@INTERLEAVINGS=1000 TAKEN_BACK=300 node_modules/.bin/jest --selectProjects unit --testPathPatterns '/(interleavings|taken-back)\.test'
	@CRASH_POINTS=all PACK_VERSIONS=4 node_modules/.bin/jest --selectProjects unit stories --testPathPatterns '/(crashes|pack-changes|tear-downs)\.test'
	@DESIGNS=200 node_modules/.bin/jest --selectProjects unit --testPathPatterns '/written-laws\.test'
	@FUZZ=20000 node_modules/.bin/jest --selectProjects unit --testPathPatterns 'service/http/fuzz\.test'

.PHONY: bench
bench: $(INSTALLED) ## measure, and write docs/bench.md; on a machine that does nothing else
	@node --require ./test/run-source.cjs test/bench/main.ts
	@$(MAKE) --no-print-directory bench-engine

.PHONY: bench-engine
bench-engine: build engine ## stacks of 100 and 1,000 resources on the real engine alone; BENCH_RESOURCES=100 BENCH_LATENCIES=0 for less
	@node --require ./test/run-source.cjs test/bench/engine/main.ts
	@node --expose-gc --require ./test/run-source.cjs test/bench/engine/host-memory.ts

.PHONY: look
look: $(INSTALLED) ## pictures of the drift page, to be looked at, by the Chromium of this machine; CHROMIUM=path for another
	@CHROMIUM="$(CHROMIUM)" node --require ./test/run-source.cjs test/look/main.ts

.PHONY: house
house: $(INSTALLED) ## what the repository weighs against its targets: files, lines, cycles, unused exports; `make house LIST=1` names the places
	@node --require ./test/run-source.cjs test/house/main.ts $(if $(LIST),--list)

.PHONY: lint
lint: lint-types lint-code lint-format ## types, ESLint and Prettier; changes nothing

.PHONY: lint-types lint-code lint-format
lint-types: $(INSTALLED)
	@mkdir -p $(CACHE)
	$(TSC) --noEmit --incremental --tsBuildInfoFile $(CACHE)/types.tsbuildinfo
lint-code: $(INSTALLED)
	node_modules/.bin/eslint --max-warnings 0 .
lint-format: $(INSTALLED)
	node_modules/.bin/prettier --check --log-level warn --cache .

.PHONY: format
format: $(INSTALLED) ## let Prettier and ESLint repair what they can
	node_modules/.bin/eslint --fix . || true
	node_modules/.bin/prettier --write --log-level warn .

.PHONY: build
build: $(BUILT) ## compile into dist/

.PHONY: engine
engine: ## provide Pulumi's own CLI; prints its path and version
	@node engine/provide.mjs

.PHONY: clean
clean: ## remove what was built and installed here (the engine stays: it is shared)
	rm -rf dist coverage node_modules

# npm writes its own copy of the lock file at the end of an installation: a newer one means that somebody has run `npm ci` already.
$(INSTALLED): package-lock.json
	@[ node_modules/.package-lock.json -nt package-lock.json ] || (set -x; npm ci --no-audit --no-fund)
	@touch $@

# A new folder every time, so that nothing removed lives on in dist/. A package.json in dist/ would make
# `require('pulumi-oneops/dynamic')` look for dist/dist/: code reads it as `pulumi-oneops/package.json` instead.
$(BUILT): $(INSTALLED) $(SOURCES) package.json tsconfig.json tsconfig.build.json
	rm -rf dist
	$(TSC) -p tsconfig.build.json
	@for folder in $(DATA_FOLDERS); do if [ -d "$$folder" ]; then find "$$folder" \( -name '*.json' -o -path '*/assets/*' \) -type f -print0; fi; done \
		| while IFS= read -r -d '' file; do mkdir -p "dist/$$(dirname "$$file")" && cp "$$file" "dist/$$file"; done
	@if [ -e dist/package.json ]; then echo 'dist/package.json must not exist: read it at run time, createRequire(__filename)("pulumi-oneops/package.json")' >&2; exit 1; fi
	@touch $@
