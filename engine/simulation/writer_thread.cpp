// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/writer_thread.hpp"

#include <csignal>
#include <utility>

namespace scree::simulation {

WriterThread::WriterThread(std::size_t capacity) : capacity_(capacity) {
    // Signals are for the thread that started the run: it polls them between steps.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { loop(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

WriterThread::~WriterThread() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void WriterThread::submit(Task task) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return queue_.size() < capacity_ || error_; });
    if (error_) std::rethrow_exception(error_);
    queue_.push_back(std::move(task));
    changed_.notify_all();
}

void WriterThread::drain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return (queue_.empty() && !busy_) || error_; });
    if (error_) std::rethrow_exception(error_);
}

void WriterThread::loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return !queue_.empty() || ending_; });
        if (queue_.empty()) return;
        Task task = std::move(queue_.front());
        queue_.pop_front();
        busy_ = true;
        lock.unlock();
        std::exception_ptr error;
        try {
            task();
        } catch (...) {
            error = std::current_exception();
        }
        task = nullptr;
        lock.lock();
        busy_ = false;
        if (error && !error_) error_ = error;
        if (error_) queue_.clear();
        changed_.notify_all();
    }
}

}  // namespace scree::simulation
