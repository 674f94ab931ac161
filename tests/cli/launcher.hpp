// SPDX-License-Identifier: BSD-3-Clause
// Starts the launcher as a user would, and small scenes to give it.
#pragma once

#include "tests/unit/io/temporary_directory.hpp"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace scree::test {

using Arguments = std::vector<std::string>;
using Json = nlohmann::json;

struct Outcome {
    int code = -1;    ///< Exit code; -1 when a signal ended it.
    int signal = 0;   ///< The signal that ended it.
    std::string out;  ///< Standard output.
    std::string err;  ///< Standard error.
};

/// A launcher that runs; its output goes to files in a directory of its own.
class Launcher {
public:
    /// `file_limit`: no file may grow beyond this [bytes], as on a full disk; 0: no limit.
    explicit Launcher(const Arguments& arguments, rlim_t file_limit = 0) {
        std::vector<std::string> words{SCREE_BINARY};
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<char*> pointers;
        for (std::string& word : words) pointers.push_back(word.data());
        pointers.push_back(nullptr);
        const std::string out = (files_ / "out").string(), err = (files_ / "err").string();
        pid_ = ::fork();
        if (pid_ != 0) return;
        ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
        ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
        // Test runners may ignore Ctrl-C; a launcher in the foreground does not.
        ::signal(SIGINT, SIG_DFL);
        if (file_limit > 0) {
            const rlimit limit{file_limit, file_limit};
            ::setrlimit(RLIMIT_FSIZE, &limit);
        }
        ::execv(pointers[0], pointers.data());
        ::_exit(127);
    }
    ~Launcher() {
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    Launcher(const Launcher&) = delete;
    Launcher& operator=(const Launcher&) = delete;

    void send(int number) const { ::kill(pid_, number); }
    [[nodiscard]] Outcome wait() {
        int status = 0;
        ::waitpid(pid_, &status, 0);
        pid_ = -1;
        Outcome outcome;
        if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
        if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
        outcome.out = content_of(files_ / "out");
        outcome.err = content_of(files_ / "err");
        return outcome;
    }

private:
    TemporaryDirectory files_;
    pid_t pid_ = -1;
};

inline Outcome scree(const Arguments& arguments) { return Launcher(arguments).wait(); }

/// Waits until `holds` does, for a minute at most.
template <class Condition>
bool wait_until(const Condition& holds) {
    for (int i = 0; i < 6000; ++i) {
        if (holds()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

/// Beads that fall into a box, bounce and settle; some leave through a hole in a long run.
inline std::string beads(const std::string& more = "") {
    return "name: beads\n"
           "time: {step: 2 ms, end: 0.4 s}\n"
           "output: {interval: 50 ms, series_interval: 10 ms, checkpoint_interval: 0.1 s, contacts: true}\n"
           "materials: {glass: {density: 2500}}\n"
           "pairs: [{between: [glass, glass], friction: 0.4, restitution: 0.5}]\n"
           "bodies:\n"
           "  - {name: beads, material: glass, random: {box: {lower: [0, 0, 0], upper: [5 cm, 5 cm, 8 cm]}, count: 80,"
           " sizes: {uniform: [3 mm, 5 mm]}, seed: 4}}\n"
           "  - {sphere: {name: ball, position: [2.5 cm, 2.5 cm, 10 cm], radius: 8 mm, velocity: [0, 0, -1]},"
           " material: glass}\n"
           "boundaries:\n"
           "  - {name: box, material: glass, box: {lower: [0, 0, 0], upper: [5 cm, 5 cm, 20 cm], open: [+z]}}\n"
           "probes:\n"
           "  - {name: load, kind: force, target: box}\n"
           "  - {name: ball, kind: body, target: ball}\n"
           "  - {name: energy, kind: energy}\n" +
           more;
}

/// A scene file and folders for its runs.
class Workplace {
public:
    explicit Workplace(const std::string& scene = beads()) { put(directory_ / "scene.yaml", scene); }

    [[nodiscard]] std::string scene() const { return (directory_ / "scene.yaml").string(); }
    [[nodiscard]] std::string folder(const std::string& name) const { return (directory_ / name).string(); }
    /// `scree run` with little output.
    [[nodiscard]] Outcome run(const std::string& name, const Arguments& more = {}) const {
        Arguments arguments{"run", scene(), "-o", folder(name), "--quiet", "--threads", "1"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return scree(arguments);
    }
    [[nodiscard]] Json summary(const std::string& name) const {
        return Json::parse(content_of(directory_ / (name + "/summary.json")));
    }
    [[nodiscard]] std::string hash(const std::string& name) const { return summary(name)["state_hash"]; }
    [[nodiscard]] std::string series(const std::string& name) const {
        return content_of(directory_ / (name + "/series.csv"));
    }
    [[nodiscard]] bool has(const std::string& file) const { return std::filesystem::exists(directory_ / file); }

private:
    TemporaryDirectory directory_;
};

/// The JSON values of an output, one a line.
inline std::vector<Json> json_lines(const std::string& text) {
    std::vector<Json> values;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) values.push_back(Json::parse(line));
    return values;
}

}  // namespace scree::test
