# Tests that are programs of their own: the command line (pytest), the consumer of an installed tree.

# A test for each file tests/<folder>/test_*.py, so that files run side by side; long before short (COST).
# Skipped tests are named in the log of ctest (-rs).
function(motmot_pytest folder label)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/test_*.py)
  foreach(file ${files})
    get_filename_component(name ${file} NAME_WE)
    string(REGEX REPLACE "^test_" "${folder}." name ${name})
    add_test(NAME ${name} COMMAND ${MOTMOT_PYTHON_EXECUTABLE} -m pytest -q -rs -p no:cacheprovider ${file})
    set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 900 COST 100
      ENVIRONMENT "MOTMOT_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY};PYTHONDONTWRITEBYTECODE=1;${ARGN}")
  endforeach()
endfunction()

motmot_pytest(cli fast)
motmot_pytest(scripts fast)
if(NOT MOTMOT_SANITIZE)
  add_test(NAME consumer COMMAND ${CMAKE_COMMAND} -DBUILD=${CMAKE_BINARY_DIR} -DWORK=${CMAKE_CURRENT_BINARY_DIR}/consumer
           -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/consumer -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/run.cmake)
  set_tests_properties(consumer PROPERTIES LABELS slow TIMEOUT 600 COST 50)
endif()
if(MOTMOT_BENCH AND NOT MOTMOT_SANITIZE)
  add_test(NAME transport_against_pot
           COMMAND ${MOTMOT_PYTHON_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/transport/test_pot.py
                   $<TARGET_FILE:transport_bench>)
  set_tests_properties(transport_against_pot PROPERTIES LABELS slow TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()
if(TARGET motmot_python AND TARGET motmot_app AND NOT MOTMOT_SANITIZE)
  add_executable(python_bits python/bits.cpp)
  target_link_libraries(python_bits PRIVATE motmot motmot_flags)
  motmot_pytest(python slow MOTMOT_PYTHON_BITS=$<TARGET_FILE:python_bits> PYTHONPATH=${CMAKE_BINARY_DIR}/python)
endif()

# MoMWGAN, where it is built.
if(TARGET motmot_gan_app)
  file(GLOB gan_sources CONFIGURE_DEPENDS gan/*_test.cpp)
  add_executable(gan_tests ${gan_sources} support/main.cpp support/support.cpp)
  target_include_directories(gan_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/gan/src ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(gan_tests PRIVATE motmot_gan motmot_flags GTest::gtest fmt::fmt hwy::hwy)
  # Torch's headers take half a minute: compiled once, with the library's options.
  target_compile_options(gan_tests PRIVATE -O2)
  target_precompile_headers(gan_tests REUSE_FROM motmot_gan)
  gtest_discover_tests(gan_tests DISCOVERY_MODE PRE_TEST PROPERTIES LABELS gan TIMEOUT 300
                       ENVIRONMENT OMP_NUM_THREADS=1)
  if(NOT MOTMOT_SANITIZE)
    motmot_pytest(gan gan)
  endif()
endif()

# Several ranks on this machine, where motmot-mpi is built; skipped where mpirun is not there.
if(TARGET motmot_mpi_app AND NOT MOTMOT_SANITIZE)
  motmot_pytest(mpi mpi)
endif()
