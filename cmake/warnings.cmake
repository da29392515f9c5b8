# motmot_flags: what every target of the project is compiled with.
# Where whole rooms are one file, a name may hide one of the file beside it, and a class may hold what an unnamed namespace has.
if(MOTMOT_UNITY AND NOT CMAKE_BUILD_TYPE STREQUAL Release)
  set(alone $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
else()
  set(alone -Wshadow)
endif()
add_library(motmot_flags INTERFACE)
target_compile_features(motmot_flags INTERFACE cxx_std_20)
target_compile_options(motmot_flags INTERFACE
  -Wall -Wextra -Wpedantic ${alone} -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual
  # GCC 12 sees overlaps and overruns inside std::string where there are none (GCC bug 105329).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds>
  # The same source gives the same bits: no fused multiply-add unless a kernel asks for one.
  -ffp-contract=off
  # Values are unchanged by these two; they let the compiler vectorise sqrt and comparisons.
  -fno-math-errno -fno-trapping-math)
if(MOTMOT_WERROR)
  target_compile_options(motmot_flags INTERFACE -Werror)
endif()
if(MOTMOT_SANITIZE)
  target_compile_options(motmot_flags INTERFACE -fsanitize=${MOTMOT_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(motmot_flags INTERFACE -fsanitize=${MOTMOT_SANITIZE})
endif()

# Files of one target that are compiled as one share what they instantiate of fmt, JSON and CLI11. A batch is small
# enough to keep two cores busy. The core groups its rooms itself (src/CMakeLists.txt).
function(motmot_unity target batch)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${MOTMOT_UNITY} UNITY_BUILD_BATCH_SIZE ${batch})
endfunction()
