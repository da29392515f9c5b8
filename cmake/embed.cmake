# Files that become part of the library: motmot_embed(target function file) defines
# std::string_view motmot::assets::<function>() with the bytes of the file, in a source made at build time.
# Run as a script (-DFUNCTION -DINPUT -DOUTPUT), this file writes that source.
function(motmot_embed target function input)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/assets/${function}.cpp)
  add_custom_command(OUTPUT ${output} VERBATIM COMMENT "Embedding ${input}"
    COMMAND ${CMAKE_COMMAND} -DFUNCTION=${function} -DINPUT=${input} -DOUTPUT=${output}
            -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${input} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  target_sources(${target} PRIVATE ${output})
  # clang-tidy has nothing to say about 200 000 numbers.
  set_source_files_properties(${output} PROPERTIES SKIP_LINTING ON SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endfunction()

if(DEFINED OUTPUT)
  file(READ ${INPUT} text)
  if(text MATCHES "</[sS][cC][rR][iI][pP][tT]")
    message(FATAL_ERROR "${INPUT} contains </script>, which would end the element it is embedded in")
  endif()
  file(READ ${INPUT} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
         bytes "${bytes}")
  file(WRITE ${OUTPUT} "// Made by cmake/embed.cmake.\n#include \"report/assets.hpp\"\n\n"
    "namespace motmot::assets {\nnamespace {\nconstexpr unsigned char bytes[] = {\n${bytes}};\n}\n\n"
    "std::string_view ${FUNCTION}() noexcept { return {reinterpret_cast<const char*>(bytes), sizeof bytes}; }\n"
    "}  // namespace motmot::assets\n")
endif()
