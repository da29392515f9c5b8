# libtorch as Debian ships it (libtorch-dev); sets MOTMOT_TORCH_FOUND and makes motmot_torch. Not by Torch's own
# CMake package: that one asks for the whole of Caffe2's build dependencies.
find_path(MOTMOT_TORCH_INCLUDE torch/csrc/api/include/torch/torch.h)
find_library(MOTMOT_TORCH_LIBRARY torch)
find_library(MOTMOT_TORCH_CPU_LIBRARY torch_cpu)
find_library(MOTMOT_C10_LIBRARY c10)
find_package(PNG QUIET)
find_package(JPEG QUIET)
set(MOTMOT_TORCH_FOUND FALSE)
if(MOTMOT_TORCH_INCLUDE AND MOTMOT_TORCH_LIBRARY AND MOTMOT_TORCH_CPU_LIBRARY AND MOTMOT_C10_LIBRARY AND PNG_FOUND
   AND JPEG_FOUND)
  set(MOTMOT_TORCH_FOUND TRUE)
  add_library(motmot_torch INTERFACE)
  target_include_directories(motmot_torch SYSTEM INTERFACE ${MOTMOT_TORCH_INCLUDE}/torch/csrc/api/include)
  target_link_libraries(motmot_torch INTERFACE ${MOTMOT_TORCH_LIBRARY} ${MOTMOT_TORCH_CPU_LIBRARY} ${MOTMOT_C10_LIBRARY})
endif()
