#pragma once
// Headless Chromium, driven over a pipe by the Chrome DevTools protocol; its twin for tests is scripts/browser.mjs.

#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace holo {

class Browser {
 public:
  // Starts the program; `profile` is a folder for its files. Throws Error(environment) here and below when it fails, or does
  // not answer within two minutes.
  Browser(const std::filesystem::path& program, const std::filesystem::path& profile);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  // Opens a page in a window of this size and waits until it says that it is drawn.
  void open(const std::string& address, int width, int height);
  // The value of a JavaScript expression in the page, once it is there.
  nlohmann::json evaluate(const std::string& expression);
  std::string picture();  // PNG of the window

 private:
  nlohmann::json send(const std::string& method, const nlohmann::json& parameters);
  std::string receive();
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path program_;
  pid_t process_ = -1;
  int to_ = -1, from_ = -1;  // ends of the pipes
  std::string session_, received_;
  int last_id_ = 0;
};

}  // namespace holo
