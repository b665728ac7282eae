# Tests with lockstep for a project that is built with CMake:
#
#   include (lockstep.cmake)
#   lockstep_check (TARGET [option...])      adds the test lockstep-TARGET, run by ctest
#
# The sources, include directories and definitions are those of the target.  The test passes when nothing new was found
# and is skipped when there was no answer within the time.  LOCKSTEP_BASELINE names a file with accepted findings, if it
# is there.
find_program (LOCKSTEP lockstep)
set (LOCKSTEP_TIMEOUT 5m CACHE STRING "how long lockstep may work on one target")
set (LOCKSTEP_BASELINE ${CMAKE_SOURCE_DIR}/lockstep.baseline CACHE FILEPATH "findings of lockstep that are accepted")

function (lockstep_check target)
  get_target_property (sources ${target} SOURCES)
  get_target_property (folder ${target} SOURCE_DIR)
  list (TRANSFORM sources PREPEND ${folder}/ REGEX "^[^/$]")
  set (includes $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  set (definitions $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  if (EXISTS ${LOCKSTEP_BASELINE})
    set (baseline --baseline=${LOCKSTEP_BASELINE})
  endif ()
  add_test (NAME lockstep-${target} COMMAND_EXPAND_LISTS
            COMMAND ${LOCKSTEP} check --explain --timeout=${LOCKSTEP_TIMEOUT}
                     --json=lockstep-${target}.json ${baseline} ${ARGN}
                    "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
                    "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" ${sources})
  set_tests_properties (lockstep-${target} PROPERTIES
                        PASS_REGULAR_EXPRESSION "VERDICT: (SAFE|NO BUG WITHIN BOUNDS)"
                        SKIP_REGULAR_EXPRESSION "VERDICT: UNKNOWN")
endfunction ()
