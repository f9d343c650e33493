# Every command there is. `make` alone lists them. Needs only Node with npm, of any version, and Go; everything else is brought.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# An older Node gives way to a newer one, which every command below finds first.
ifneq ($(filter-out help clean,$(or $(MAKECMDGOALS),help)),)
export PATH := $(or $(shell engine/node.sh),$(error no Node that is new enough))
endif

# npm ci empties the folder behind a link before it installs.
ifeq ($(shell test -L node_modules && echo link),link)
$(error node_modules is a link to the packages of another tree, which npm ci would empty: remove the link and run make again)
endif

FOLDERS := api provider sdk stack drift preview policy service cli
# Read from disk at run time by folder, so the compiler does not see them.
DATA_FOLDERS := api/contract service/packs drift/report/html/assets

# Folders are listed beside files: removing a file changes only its folder.
SOURCES := $(shell find $(FOLDERS) \( -type d -o -name '*.ts' -o -name '*.json' -o -path '*/assets/*' \) -print 2>/dev/null)

TEMPLATES := $(shell find templates -type f -o -type d)

# Each plugin as one file without node_modules, because `setup` copies it into Pulumi's plugin cache, and npx removes its folder. It is made of the
# sources, of which esbuild leaves out what nothing uses; it cannot do so with the output of tsc. The templates for `pulumi new` lie with the language host
# for the same reason; npm packs no .gitignore, so the file has another name until it is in the cache.
PLUGINS := language resource converter
# Under which names they are released: the CLI asks for the converter by the name after --from.
RELEASED := language-oneops resource-oneops converter-oneops converter-boo
ESBUILD := node_modules/.bin/esbuild --bundle --platform=node --target=node22 --external:typescript --minify-whitespace --minify-syntax --log-level=warning
CACHE := node_modules/.cache
BUNDLE := $(ESBUILD) --alias:axios/dist/browser/axios.cjs=./$(CACHE)/axios.cjs
# axios looks for classes of a browser when it is loaded, and Node would load its fetch for them: a fifth of the time until the first request.
WITHOUT_BROWSER := --define:globalThis={} --define:FormData=undefined --define:Blob=undefined

# What a program and the host of dynamic providers load in each run, as one file each: that takes half of the time.
# Both stay where they are compiled to, so that each is there once. Messages must be instances of the project's own classes.
LOADED := sdk/index provider/faces/dynamic/index
OF_THE_PROJECT := --external:@pulumi/pulumi --external:@grpc/grpc-js --external:google-protobuf

INSTALLED := node_modules/.installed
BUILT := dist/.built
# Version 7 takes less than half of the time; tools that read types through the compiler need version 6, which has the command `tsc`, too.
TSC := node node_modules/typescript-7/bin/tsc

# Every package that is installed with this one or lies in a bundle. Without times and random ids, so that the bytes are the same each time.
define SBOM
const { readFileSync } = require('node:fs');
const [all, installed, ...bundles] = process.argv.slice(1).map((file) => JSON.parse(readFileSync(file, 'utf8')));
const inputs = bundles.flatMap((bundle) => Object.keys(bundle.inputs));
const bundled = new Set(inputs.map((path) => /.*node_modules\/((@[^/]+\/)?[^/]+)/.exec(path)?.[1]));
const used = new Set(installed.components.map((component) => component['bom-ref']));
const components = all.components.filter((each) => used.has(each['bom-ref']) || bundled.has(each.purl.replace(/^pkg:npm\/|@[^@]*$$/g, '').replace('%40', '@')));
const kept = new Set([...components, all.metadata.component].map((component) => component['bom-ref']));
const dependencies = all.dependencies.filter(({ ref }) => kept.has(ref)).map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
const { timestamp, component, ...metadata } = all.metadata;
const { serialNumber, ...rest } = all;
console.log(JSON.stringify({ ...rest, metadata: { ...metadata, component: { ...component, name: 'pulumi-oneops' } }, components, dependencies }, null, 2));
endef
export SBOM

.PHONY: help
help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: engine build ## what `npx pulumi-oneops demo` shows: a web shop from `up` to a drift review and its repair
	@PATH="$$(node -p 'JSON.parse(process.argv[1]).root' "$$(node engine/provide.mjs --json)")/bin:$$PATH" node bin/pulumi-oneops demo --no-open

TIERS := node test/tiers/main.cjs

.PHONY: test
test: compiled ## what a change usually breaks: lint, build, everything in process, a few stories on the engine; ends with `N passed, N failed`
	@$(TIERS) lint test

.PHONY: verify
verify: build engine ## what `make test` leaves out: every other story on the engine, other dialects and seeds
	@$(TIERS) verify

.PHONY: ci
ci: compiled ## `make test`, `make verify` and `make matrix-oldest`, as the build machine runs them
	@$(TIERS) lint test verify matrix-oldest

.PHONY: compiled
compiled: $(INSTALLED)
	@$(MAKE) --no-print-directory -j2 build engine

.PHONY: unit
unit: $(INSTALLED) ## the tests in process alone; `make unit ONLY=provider/kinds` those whose path matches
	@node_modules/.bin/jest --selectProjects unit $(if $(ONLY),--testPathPatterns '$(ONLY)')

.PHONY: stories
stories: build engine ## the stories on the engine alone; `make stories ONLY=values` those whose path matches
	@node_modules/.bin/jest --selectProjects stories $(if $(ONLY),--testPathPatterns '$(ONLY)')

.PHONY: matrix matrix-oldest
matrix: build engine ## the package as users get it, on the oldest and newest Node, SDK and CLI; about half an hour
	@$(TIERS) matrix
matrix-oldest: build engine ## the part of it that CI runs: the oldest Node and SDK with the newest CLI
	@$(TIERS) matrix-oldest

.PHONY: kind-test
kind-test: export NAME := $(NAME)
kind-test: $(INSTALLED) ## what judges one kind, in one to two minutes: `make kind-test NAME=Component`
	@$(if $(NAME),,echo 'Say which kind: make kind-test NAME=Component' >&2; exit 2)
	@$(TIERS) kind-test

KEPT := test/fixtures/state/unreleased

.PHONY: kept-state
kept-state: build engine ## writes the state that later releases must read, again: after a new kind
	@rm -f $(KEPT)/program.json $(KEPT)/every-kind.json $(KEPT)/file.json
	@WRITE_STATE=unreleased node_modules/.bin/jest --selectProjects stories --testPathPatterns engine/conformance --testNamePattern 'state of every release'

# Other stacks every time; `make soak SEED=…` repeats those of a run.
SEED := $(or $(SEED),$(shell date +%s))
SOAK := soak-crashes soak-stories soak-stacks soak-service soak-drift soak-outages soak-ownership

.PHONY: soak
soak: export SEED := $(SEED)
soak: build engine ## all parts of the soak, one after the other; each takes at most 25 minutes
	@echo "soak with SEED=$(SEED)"
	@$(TIERS) $(SOAK)

.PHONY: $(SOAK)
$(SOAK): export SEED := $(SEED)
$(SOAK): build engine
	@echo "$@ with SEED=$(SEED)"
	@$(TIERS) $@
soak-crashes: ## a kill at every boundary in process, and at many on the engine
soak-stories: ## every story of edits, failures, clouds and Ctrl-C in both dialects
soak-stacks: ## random stacks; RUNS=… in process, STACKS=… on the engine
soak-service: ## kill rounds of the service, random designs, random requests
soak-drift: ## drift reviews of random stacks, edits of several people at a time
soak-outages: ## sequences of another user's writes, and whether a review sees what they take away; OUTAGES=…
soak-ownership: ## histories of two stacks and another user; HISTORIES=… in process, HISTORIES_ON_ENGINE=…

.PHONY: bench
bench: build ## measure, and write docs/bench.md; on a machine that does nothing else; BENCH_BEFORE=PATH measures another checkout beside it
	@node --require ./test/run-source.cjs test/bench/main.ts
	@$(MAKE) --no-print-directory bench-engine

.PHONY: bench-engine
bench-engine: build engine ## stacks of 100 and 1,000 resources on the real engine alone; BENCH_RESOURCES=100 BENCH_LATENCIES=0 for less
	@node --require ./test/run-source.cjs test/bench/engine/main.ts

.PHONY: mutants
mutants: $(INSTALLED) ## small faults in provider, stack and drift, at random, and whether a suite notices each: MUTANTS=60 SEED=… LIST=…
	@node --require ./test/run-source.cjs test/mutants/main.ts

.PHONY: house
house: $(INSTALLED) ## what the repository weighs against its goals; `make house LIST=1` names the places
	@node --require ./test/run-source.cjs test/house/main.ts $(if $(LIST),--list)

.PHONY: lint
lint: lint-types lint-code lint-format ## types, ESLint and Prettier; changes nothing

.PHONY: lint-types lint-code lint-format
lint-types: $(INSTALLED)
	@mkdir -p $(CACHE)
	$(TSC) --noEmit --singleThreaded --incremental --tsBuildInfoFile $(CACHE)/types.tsbuildinfo
# Only files that changed are looked at again. Of one that did not, a rule that asks for types of others can be out of
# date; a clean clone, as the build machine has it, looks at all.
lint-code: $(INSTALLED)
	node_modules/.bin/eslint --max-warnings 0 --cache --cache-strategy content --cache-location $(CACHE)/eslint/ .
lint-format: $(INSTALLED)
	node_modules/.bin/prettier --check --log-level warn --cache .

.PHONY: format
format: $(INSTALLED) ## let Prettier and ESLint repair what they can
	node_modules/.bin/eslint --fix . || true
	node_modules/.bin/prettier --write --log-level warn .

.PHONY: build
build: $(BUILT) ## compile into dist/

# Plugins are scripts for Node, the same for every platform; the CLI asks for its own by name.
RELEASE := release
# Archives are the same on each machine: everybody may read all of it, and enter folders.
ONE_OWNER := --owner=0 --group=0 --numeric-owner
ONE_MODE := --mode=u=rwX,go=rX
.PHONY: release
release: build ## what a release needs, in release/: npm tarball, plugins, SBOM, checksums; the same bytes each time
	@rm -rf $(RELEASE); mkdir -p $(RELEASE)
	@rm -rf $(CACHE)/packed; mkdir -p $(CACHE)/packed
	@npm pack --ignore-scripts --silent --pack-destination $(CACHE)/packed > /dev/null
# npm keeps the modes of files, which differ with the umask of each checkout.
	@release=$$(realpath $(RELEASE)); cd $(CACHE)/packed; packed=$$(ls *.tgz); tar -xzf $$packed; \
	find package -type f -print0 | LC_ALL=C sort -z | tar --null --no-recursion -T - --format=ustar --mtime=@499162500 $(ONE_OWNER) $(ONE_MODE) -cf - | gzip -n9 > $$release/$$packed
	@version=$$(node -p 'require("./package.json").version'); \
	for plugin in $(RELEASED); do \
		kind=$${plugin%%-*}; \
		tar --transform "s/pulumi-$$kind-oneops/pulumi-$$plugin/" --transform 's,/gitignore$$,/.gitignore,' --sort=name --mtime=@0 $(ONE_OWNER) $(ONE_MODE) -C dist/plugins/$$kind -cf - $$(ls dist/plugins/$$kind) \
			| gzip -n9 > $(RELEASE)/pulumi-$$plugin-v$$version-linux-amd64.tar.gz; \
	done
	@npm sbom --package-lock-only --sbom-format cyclonedx > $(CACHE)/sbom-all.json 2> $(CACHE)/sbom.log
	@npm sbom --package-lock-only --sbom-format cyclonedx --omit dev > $(CACHE)/sbom-installed.json 2> $(CACHE)/sbom.log
	@node -e "$$SBOM" $(CACHE)/sbom-all.json $(CACHE)/sbom-installed.json $(PLUGINS:%=$(CACHE)/bundled-%.json) > $(RELEASE)/sbom.cdx.json
	@cd $(RELEASE) && sha256sum * > SHA256SUMS && cat SHA256SUMS

.PHONY: sdks
sdks: build engine ## SDKs and examples in Go, Node, Python, Java and .NET, in sdks/, by Pulumi's generators; compiles those whose tools are here
	@node --require ./test/run-source.cjs test/languages/main.ts

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
$(BUILT): $(INSTALLED) $(SOURCES) $(TEMPLATES) $(wildcard bin/*) schema.json package.json tsconfig.json tsconfig.build.json
	rm -rf dist
	$(TSC) -p tsconfig.build.json
	@for folder in $(DATA_FOLDERS); do if [ -d "$$folder" ]; then find "$$folder" \( -name '*.json' -o -path '*/assets/*' \) -type f -print0; fi; done \
		| while IFS= read -r -d '' file; do mkdir -p "dist/$$(dirname "$$file")" && cp "$$file" "dist/$$file"; done
	@if [ -e dist/package.json ]; then echo 'dist/package.json must not exist: read it at run time, createRequire(__filename)("pulumi-oneops/package.json")' >&2; exit 1; fi
	@mkdir -p $(CACHE)
	@$(ESBUILD) $(WITHOUT_BROWSER) node_modules/axios/dist/browser/axios.cjs --outfile=$(CACHE)/axios.cjs
	@for kind in $(PLUGINS); do \
		name=pulumi-$$kind-oneops; folder=dist/plugins/$$kind; \
		sed "s|'../dist/\(.*\).js'|'./\1'|" bin/$$name \
			| $(BUNDLE) --banner:js='"use strict";' --sourcefile=$$name --outfile=$$folder/$$name --metafile=$(CACHE)/bundled-$$kind.json; chmod 755 $$folder/$$name; \
		printf '@node "%%~dpn0" %%*\r\n' > $$folder/$$name.cmd; \
		cp LICENSE schema.json $$folder; \
		if [ $$kind = language ]; then cp -r templates $$folder; find $$folder -name .gitignore -execdir mv {} gitignore ';'; fi; \
		node -p 'const { name, version, license } = require("./package.json"); JSON.stringify({ name, version, license, exports: { "./*": "./*" } }, null, 2)' > $$folder/package.json; \
	done
	@$(BUNDLE) $(OF_THE_PROJECT) $(LOADED:%=%.ts) --outdir=dist --outbase=. --allow-overwrite
	@touch $@
