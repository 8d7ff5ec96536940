#include "export/browser.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "holo/core/error.h"

namespace holo {

using nlohmann::json;

namespace {

constexpr int reader = 3, writer = 4;  // the browser's descriptors
constexpr std::chrono::seconds patience{120};

// The bytes of a base64 text [RFC 4648].
std::string decoded(const std::string& text) {
  std::array<int, 256> value;
  value.fill(-1);
  int next = 0;
  for (const char letter : std::string("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
    value[static_cast<unsigned char>(letter)] = next++;
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char letter : text) {
    const int six = value[static_cast<unsigned char>(letter)];
    if (six < 0) break;
    bits = bits << 6 | static_cast<unsigned>(six);
    count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 0xff);
  }
  return bytes;
}

std::vector<std::string> command_of(const std::filesystem::path& program, const std::filesystem::path& profile) {
  std::vector<std::string> words = {program.string(),
                                    "--headless=new",
                                    "--use-gl=angle",
                                    "--use-angle=swiftshader",
                                    "--enable-unsafe-swiftshader",
                                    "--disable-quic",
                                    "--no-first-run",
                                    "--disable-background-networking",
                                    "--disable-component-update",
                                    "--disable-sync",
                                    "--hide-scrollbars",
                                    "--force-color-profile=srgb",
                                    "--disable-dev-shm-usage",
                                    "--remote-debugging-pipe",
                                    "--user-data-dir=" + profile.string()};
  if (geteuid() == 0) words.push_back("--no-sandbox");  // the browser refuses to start as root otherwise
  words.push_back("about:blank");
  return words;
}

}  // namespace

Browser::Browser(const std::filesystem::path& program, const std::filesystem::path& profile) : program_(program) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0) fail(std::strerror(errno));
  if (pipe2(out, O_CLOEXEC) != 0) {
    for (const int end : in) close(end);
    fail(std::strerror(errno));
  }
  // Above the browser's descriptors, so that none is overwritten before it is copied.
  const int read_end = fcntl(in[0], F_DUPFD_CLOEXEC, 10), write_end = fcntl(out[1], F_DUPFD_CLOEXEC, 10);
  to_ = in[1];
  from_ = out[0];
  close(in[0]);
  close(out[1]);
  const std::vector<std::string> words = command_of(program, profile);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, read_end, reader);
  posix_spawn_file_actions_adddup2(&actions, write_end, writer);
  const int problem = posix_spawn(&process_, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(read_end);
  close(write_end);
  if (problem == 0) return;
  process_ = -1;
  close(to_);
  close(from_);
  fail(std::strerror(problem));
}

Browser::~Browser() {
  close(to_);  // it ends when its pipe does
  close(from_);
  for (int i = 0; i < 100; ++i) {
    if (waitpid(process_, nullptr, WNOHANG) != 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

void Browser::fail(const std::string& what) const {
  throw Error(Failure::environment, fmt::format("the browser {} failed: {}", program_.string(), what));
}

// Messages are JSON, each ended by a zero byte.
std::string Browser::receive() {
  const auto end_of_patience = std::chrono::steady_clock::now() + patience;
  std::size_t end = received_.find('\0');
  while (end == std::string::npos) {
    pollfd ready = {from_, POLLIN, 0};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_of_patience - std::chrono::steady_clock::now());
    const int count = left.count() <= 0 ? 0 : poll(&ready, 1, static_cast<int>(left.count()));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(fmt::format("it does not answer within {} s", patience.count()));
    char bytes[65536];
    const ssize_t size = read(from_, bytes, sizeof bytes);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) fail("it ended; run it yourself with --headless to see why");
    const std::size_t before = received_.size();
    received_.append(bytes, static_cast<std::size_t>(size));
    end = received_.find('\0', before);
  }
  std::string message = received_.substr(0, end);
  received_.erase(0, end + 1);
  return message;
}

json Browser::send(const std::string& method, const json& parameters) {
  json message = {{"id", ++last_id_}, {"method", method}, {"params", parameters}};
  if (!session_.empty()) message["sessionId"] = session_;
  const std::string text = message.dump() + '\0';
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t size = ::write(to_, text.data() + sent, text.size() - sent);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) fail("it ended; run it yourself with --headless to see why");
    sent += static_cast<std::size_t>(size);
  }
  while (true) {
    const json reply = json::parse(receive(), nullptr, false);
    if (reply.is_discarded()) fail("its answer is no JSON");
    if (reply.value("id", 0) != last_id_) continue;  // an event
    if (reply.contains("error")) fail(fmt::format("{}: {}", method, reply["error"].value("message", "")));
    return reply.at("result");
  }
}

void Browser::open(const std::string& address, int width, int height) {
  const std::string target = send("Target.createTarget", {{"url", "about:blank"}}).at("targetId");
  session_ = send("Target.attachToTarget", {{"targetId", target}, {"flatten", true}}).at("sessionId").get<std::string>();
  send("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
  const json result = send("Page.navigate", {{"url", address}});
  if (result.contains("errorText")) fail(fmt::format("{}: {}", address, result["errorText"].get<std::string>()));
  const auto end = std::chrono::steady_clock::now() + patience;
  while (evaluate("document.title") != "READY") {
    if (std::chrono::steady_clock::now() > end) fail(fmt::format("the page is not drawn within {} s", patience.count()));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

json Browser::evaluate(const std::string& expression) {
  const json result = send("Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}, {"awaitPromise", true}});
  if (result.contains("exceptionDetails"))
    fail(fmt::format("the page's script: {}", result["exceptionDetails"].value("text", "")));
  return result.at("result").value("value", json());
}

std::string Browser::picture() { return decoded(send("Page.captureScreenshot", {{"format", "png"}}).at("data")); }

}  // namespace holo
