# RUN prints one line, and that line stands in OUTPUT.
foreach(variable IN ITEMS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe)
  set(ENV{${variable}} 1) # of OpenMPI: a container has one user and few cores
endforeach()
set(ENV{PRTE_MCA_rmaps_default_mapping_policy} ":oversubscribe")
execute_process(COMMAND ${RUN} OUTPUT_VARIABLE row ERROR_VARIABLE errors RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "exit code ${code}: ${row}${errors}")
endif()
file(READ ${OUTPUT} table)
string(FIND "${table}" "${row}" at)
if(at EQUAL -1 OR NOT row MATCHES "^[^\n]+ x [^\n]+as unsplit\n$")
  message(FATAL_ERROR "the table has no such row:\n${row}")
endif()
