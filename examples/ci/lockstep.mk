# `make lockstep` for a project that is built with make: include this file and say what to check.
#
#   LOCKSTEP_SOURCES    the files of the program; or nothing, and LOCKSTEP_FLAGS has -p BUILD_DIR
#   LOCKSTEP_FLAGS      more options, for example $(CPPFLAGS)
#   LOCKSTEP_BASELINE   findings that are accepted, if the file is there; `make lockstep-accept` writes it
#
# A new bug (10), a wrong call (1) or an internal error (6) fails the build; no answer within the time (5) and bounds
# (11) do not.
LOCKSTEP ?= lockstep
LOCKSTEP_TIMEOUT ?= 5m
LOCKSTEP_BASELINE ?= lockstep.baseline
LOCKSTEP_REPORT ?= lockstep.json

lockstep_check = $(LOCKSTEP) check --timeout=$(LOCKSTEP_TIMEOUT) $(LOCKSTEP_FLAGS)

.PHONY: lockstep lockstep-accept
lockstep: $(LOCKSTEP_SOURCES)
	@$(lockstep_check) --explain --json=$(LOCKSTEP_REPORT) \
	  $(if $(wildcard $(LOCKSTEP_BASELINE)),--baseline=$(LOCKSTEP_BASELINE)) $(LOCKSTEP_SOURCES); \
	code=$$?; case $$code in 0 | 5 | 11) ;; *) exit $$code ;; esac

lockstep-accept: $(LOCKSTEP_SOURCES)
	@$(lockstep_check) -q --write-baseline=$(LOCKSTEP_BASELINE) $(LOCKSTEP_SOURCES); \
	code=$$?; case $$code in 0 | 5 | 10 | 11) ;; *) exit $$code ;; esac
