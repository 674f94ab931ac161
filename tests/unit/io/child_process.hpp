// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/model/error.hpp"

#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <exception>

namespace scree::test {

/// How work in a child process ended.
enum class Outcome : int { fine = 0, environment_error = 4, other_error = 5, crash = 6 };

/// Runs `work` in a child that may not write files larger than `bytes`: a full disk for tests.
template <class Work>
Outcome with_file_size_limit(std::uint64_t bytes, Work work) {
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, bytes};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        auto outcome = Outcome::fine;
        try {
            work();
        } catch (const model::Error& error) {
            outcome = error.kind() == model::ErrorKind::environment ? Outcome::environment_error : Outcome::other_error;
        } catch (const std::exception&) {
            outcome = Outcome::other_error;
        }
        ::_exit(static_cast<int>(outcome));
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? static_cast<Outcome>(WEXITSTATUS(status)) : Outcome::crash;
}

}  // namespace scree::test
