# The tasks of gscap. `make` alone lists them; the scripts are in Tools/.

PREFIX ?= /usr/local
PHOTOS ?= photos
PIPELINE ?= pipelines/proraw.txt
SOAK_SECONDS ?= 3600

# SwiftPM warns about the flag -pthread of gmodule-no-export-2.0.pc and, since Debian 13, of sysprof-capture-4.pc, which
# glibc no longer needs. SwiftPM therefore reads copies of these files without the flag.
export PKG_CONFIG_PATH := $(CURDIR)/.build/pkgconfig:$(PKG_CONFIG_PATH)
export PREFIX DESTDIR PLUGINDIR

.PHONY: help run command build test quick check portability conformance bench soak install uninstall deb deb-trial \
    format names docs goldens clean swift packages

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo '  PREFIX=/usr/local, DESTDIR= and PLUGINDIR= apply to install; PIPELINE= and PHOTOS= apply to run.'

run: command ## build the command and take a photo with the simulated camera, stored in photos/
	.build/release/gscap --pipeline $(PIPELINE) --output $(PHOTOS)

command: packages .build/pkgconfig/gmodule-no-export-2.0.pc
	swift build -c release --product gstgscap
	swift build -c release --product gscap
	swift build -c release --product gscap-libraw

build: command ## build the command, the plugin and the C library
	Tools/build/clib

test: swift ## run every test; CHECKS= names further steps of Tools/check
	Tools/build/packages test
	Tools/check tests examples inspect conformance $(CHECKS)

quick: swift .build/pkgconfig/gmodule-no-export-2.0.pc ## test one module, built without optimisation: MODULE=Fusion
	@Tools/build/quick "$(MODULE)"

check: export GSCAP_EXHAUSTIVE = 1 # tests over random bursts use all seeds
check: swift ## run all checks: those of CI, and sanitizers, leaks and documentation
	Tools/build/packages check
	Tools/check

portability: swift ## run `make run` and `make test` on fresh Debian 12 and 13 systems in chroots
	Tools/build/packages chroot
	Tools/systems/portability $(RELEASES)

conformance: swift ## check gscap's files with independent readers and converters; installs darktable and RawTherapee
	Tools/build/packages render
	Tools/check conformance renders

rig: build ## use the plugin with the cameras of a real kernel, in a virtual machine; needs root, 10 to 30 minutes
	Tests/Rig/run

bench: build ## compare the speed with GStreamer's elements and other codecs, burst mergers and raw converters
	Tools/build/packages peers
	swift run -c release Benchmarks
	.build/release/Benchmarks digests
	.build/release/Benchmarks press
	.build/release/Benchmarks busy
	.build/release/Benchmarks live
	.build/release/Benchmarks constituents
	Tools/checks/judges Benchmarks/requirements.txt
	.venv/bin/python Benchmarks/lossless_jpeg.py .build/release/Benchmarks
	.venv/bin/python Benchmarks/fusion.py .build/release/gscap
	.venv/bin/python Benchmarks/develop.py .build/release/gscap .build/release/Benchmarks
	/usr/bin/python3 Benchmarks/embedding.py .build/release

soak: build ## ten thousand random sequences, an hour of captures and movies, rapid presses, their lag, 500 Live Photos
	Tools/build/packages check
	GSCAP_SEQUENCES=10000 swift test -c release --disable-xctest \
	    --filter 'everyTicketEndsOnce|everySequenceKeepsTheContract'
	swift build -c release --product Benchmarks
	.build/release/Benchmarks rapid
	rm -f .build/soak.mp4
	.build/release/Benchmarks soak $(SOAK_SECONDS) $(CURDIR)/.build/soak.mp4
	GSCAP_CLIB_ROUNDS=1000 GSCAP_CLIB_CYCLES=1000 GSCAP_PYTHON_ROUNDS=200 GSCAP_CLIB_LIMIT=3600 Tools/check clib
	/usr/bin/python3 Benchmarks/lag.py .build/release
	PATH=$(CURDIR)/.build/release:$$PATH GST_PLUGIN_PATH=$(CURDIR)/.build/release \
	    /usr/bin/python3 Tests/Conformance/judge_live.py --captures 500
	.build/release/Benchmarks movie 3600 $(CURDIR)/.build/soak.mp4

install: ## install the command, plugin, C and Python library, pipelines and manual under PREFIX
	Tools/build/packages install
	Tools/build/install

uninstall: ## remove the installed files
	Tools/build/install --uninstall

deb: ## build the Debian packages in .build/deb, in a chroot of Debian 12 on other systems; ARCH=arm64 for arm64
	Tools/debian/deb

deb-trial: ## test the packages in clean chroots of Debian 12 and 13: install, photos, readers, upgrade, purge
	Tools/debian/deb-trial

format: swift ## format every source file
	swift format --in-place --parallel -r Package.swift $(wildcard Sources Tests Benchmarks examples Fuzz)

docs: swift ## generate the library's reference in .build/docs
	Tools/build/packages run
	Tools/check docs

goldens: build ## replace the reference of the plugin's interface with the current one
	Tools/build/packages test
	Tools/check --update inspect

names: swift ## write what the C library, the Python module and the pages have of the table of settings
	GSCAP_MODULE=GSCapture GSCAP_UPDATE=1 swift test --scratch-path .build/quick --disable-xctest \
	    --filter theDumpHasTheRowsOfTheTable
	Tools/generate/names --update

clean: ## remove all build products
	rm -rf .build .venv

packages: swift
	@Tools/build/packages run

swift:
	@Tools/build/toolchain

.build/pkgconfig/gmodule-no-export-2.0.pc: | packages
	@mkdir -p $(@D)
	@for name in sysprof-capture-4 gmodule-no-export-2.0; do \
	    file=$$(pkg-config --variable=pcfiledir $$name)/$$name.pc; \
	    [ ! -e $$file ] || sed 's/ -pthread//' $$file > $(@D)/$$name.pc; \
	done
