/// What commands do differently where several ranks do the work.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "motmot/communicator.hpp"

namespace motmot::app {

/// All: refuses ranks that run another version or other kernels, or that find other bytes under the names of
/// the samples. Large files are held against each other by their size and 66 pieces of them. Standard input
/// is refused: mpirun gives it to one rank.
void require_same_everywhere(Communicator& ranks, const std::vector<std::string>& samples);

/// What this rank says when the job is ended from outside: the first one speaks for all. `kept` says where
/// one can go on, if anywhere.
void prepare_last_words(const Communicator& ranks, const std::string& command, const std::string& kept);

/// All: what precedes a study on every rank: check() where the ranks are alike, last words, and on one rank
/// alone a Ctrl-C that lets cells finish.
void begin_study(Communicator& ranks, const std::string& output, const std::function<void()>& check);

/// Only the first rank writes: the others forget the names of outputs.
void leave_writing_to_the_first(const Communicator& ranks, std::initializer_list<std::string*> outputs);

}  // namespace motmot::app
