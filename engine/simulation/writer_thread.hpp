// SPDX-License-Identifier: BSD-3-Clause
// One thread that writes files while the solver goes on.
//
// Invariants:
// 1. Tasks run one at a time, in the order of submit(): what a task touches needs no lock.
// 2. The queue is bounded: a slow disk slows the run down, it never fills the memory.
// 3. After a task has failed no other runs; the next submit() or drain() throws its error.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace scree::simulation {

class WriterThread {
public:
    using Task = std::function<void()>;

    explicit WriterThread(std::size_t capacity = 4);
    /// Finishes what was submitted; errors are lost, so call drain() before.
    ~WriterThread();
    WriterThread(const WriterThread&) = delete;
    WriterThread& operator=(const WriterThread&) = delete;

    /// Waits for room in the queue. Throws the error of an earlier task.
    void submit(Task task);
    /// Waits until all tasks are done. Throws the error of an earlier task.
    void drain();

private:
    void loop();

    std::size_t capacity_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> queue_;
    bool busy_ = false, ending_ = false;
    std::exception_ptr error_;
    std::thread thread_;
};

}  // namespace scree::simulation
