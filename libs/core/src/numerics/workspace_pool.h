#pragma once
// Scratch memory for functions that several threads may call at once. A pool has as many workspaces as were in use at one time.

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace holo {

template <class Workspace>
class WorkspacePool {
 public:
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
      return std::make_unique<Workspace>();
    }
    auto workspace = std::move(free_.back());
    free_.pop_back();
    return workspace;
  }
  void give(std::unique_ptr<Workspace> workspace) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(workspace));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> free_;
  std::size_t made_ = 0;
};

}  // namespace holo
