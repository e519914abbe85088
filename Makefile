# gscap: every task is one word. `make` alone lists them; the work itself is in Tools/.

PREFIX ?= /usr/local
PHOTOS ?= photos
PIPELINE ?= pipelines/proraw.txt

# GStreamer's gmodule asks for -pthread, which glibc no longer needs and SwiftPM warns about: it reads a copy without.
export PKG_CONFIG_PATH := $(CURDIR)/.build/pkgconfig:$(PKG_CONFIG_PATH)
export PREFIX DESTDIR PLUGINDIR

.PHONY: help run build test check portability conformance bench install uninstall deb deb-trial format docs goldens \
    clean swift packages

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo '  PREFIX=/usr/local, DESTDIR= and PLUGINDIR= steer install; PIPELINE= and PHOTOS= steer run.'

run: build ## take a photo with the built-in simulated camera, into photos/
	.build/release/gscap --pipeline $(PIPELINE) --output $(PHOTOS)

build: packages .build/pkgconfig/gmodule-no-export-2.0.pc ## build the command and the plugin, optimised
	swift build -c release --product gscap
	swift build -c release --product gstgscap

test: swift ## run every test
	Tools/packages test
	Tools/check tests examples inspect conformance

check: swift ## run all that CI runs and more: style, rules, tests, sanitizers, leaks, docs
	Tools/packages check
	Tools/check

portability: swift ## do `make run` and `make test` as a newcomer would, on fresh Debian 12 and 13 systems in chroots
	Tools/packages chroot
	Tools/portability $(RELEASES)

conformance: swift ## let independent readers and converters judge our files; installs darktable and RawTherapee
	Tools/packages render
	Tools/check conformance renders

bench: build ## compare with GStreamer's own elements, other codecs, mergers of bursts and converters, as ratios
	Tools/packages peers
	swift run -c release Benchmarks
	Tools/judges Benchmarks/requirements.txt
	.venv/bin/python Benchmarks/lossless_jpeg.py .build/release/Benchmarks
	.venv/bin/python Benchmarks/fusion.py .build/release/gscap
	.venv/bin/python Benchmarks/develop.py .build/release/gscap .build/release/Benchmarks

install: ## put command, plugin, pipelines and manual under PREFIX
	Tools/packages install
	Tools/install

uninstall: ## take them away again
	Tools/install --uninstall

deb: ## make the Debian packages in .build/deb, in a chroot of Debian 12 where this is another system
	Tools/deb

deb-trial: ## test the packages in clean chroots of Debian 12 and 13: install, photos, readers, upgrade, purge
	Tools/deb-trial

format: swift ## lay out every source file as the style asks
	swift format --in-place --parallel -r Package.swift $(wildcard Sources Tests Benchmarks examples Fuzz)

docs: swift ## write the library's reference to .build/docs
	Tools/packages run
	Tools/check docs

goldens: build ## accept the plugin's present interface as the right one
	Tools/packages test
	Tools/check --update inspect

clean: ## remove what was built
	rm -rf .build .venv

packages: swift
	@Tools/packages run

swift:
	@command -v swift >/dev/null || { cat Documentation/getting-swift.txt >&2; exit 1; }

.build/pkgconfig/gmodule-no-export-2.0.pc: | packages
	@mkdir -p $(@D)
	@sed 's/ -pthread//' "$$(pkg-config --variable=pcfiledir gmodule-no-export-2.0)/$(@F)" > $@
