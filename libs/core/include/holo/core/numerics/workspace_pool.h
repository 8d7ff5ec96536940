#pragma once
// Scratch memory for functions that several threads may call at once. A pool has as many workspaces as were in use at one time.

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace holo {

template <class Workspace>
class WorkspacePool {
 public:
  using Make = std::function<std::unique_ptr<Workspace>()>;

  // Makes workspaces as they are needed.
  explicit WorkspacePool(Make make) : make_(std::move(make)) {}
  WorkspacePool() : WorkspacePool([] { return std::make_unique<Workspace>(); }) {}

  // Makes as many as the machine runs threads, so that leases of so many allocate nothing.
  void fill() {
    const std::size_t count = std::max(1u, std::thread::hardware_concurrency());
    free_.reserve(count);
    for (; made_ < count; ++made_) free_.push_back(make_());
  }

  class Lease {
   public:
    explicit Lease(WorkspacePool& pool) : pool_(pool), workspace_(pool.take()) {}
    ~Lease() { pool_.give(std::move(workspace_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Workspace& operator*() { return *workspace_; }
    Workspace* operator->() { return workspace_.get(); }

   private:
    WorkspacePool& pool_;
    std::unique_ptr<Workspace> workspace_;
  };

 private:
  // The list of free workspaces grows here, so that giving one back never allocates.
  std::unique_ptr<Workspace> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      free_.reserve(++made_);
      return make_();
    }
    auto workspace = std::move(free_.back());
    free_.pop_back();
    return workspace;
  }
  void give(std::unique_ptr<Workspace> workspace) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(workspace));
  }

  Make make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> free_;
  std::size_t made_ = 0;
};

}  // namespace holo
