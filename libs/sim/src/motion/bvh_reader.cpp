#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>
#include <unordered_set>

#include "holo/core/error.h"
#include "holo/sim/motion/bvh.h"
#include "mesh/readers/mesh_scanner.h"
#include "motion/bvh_scanner.h"

namespace holo {

namespace {

// The names of channels in the order of BvhChannel.
const std::array<std::string, 6> channel_names = {"Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation"};

class HierarchyReader {
 public:
  HierarchyReader(BvhScanner& scanner, BvhMotion& motion) : scanner_(scanner), motion_(motion) {}

  // All trees, one after the other; returns the number of channels.
  int read() {
    scanner_.expect("HIERARCHY");
    if (!same_word(scanner_.peek(), "ROOT")) scanner_.expect("ROOT");
    while (same_word(scanner_.peek(), "ROOT")) {
      scanner_.word("'ROOT'");
      begin_joint(-1);
      read_block();
    }
    if (channel_count_ == 0) scanner_.fail("no joint has channels, a motion of at least one is required");
    return channel_count_;
  }

 private:
  // A joint whose block is open, and the entries that the block has had so far.
  struct Open {
    int joint;
    bool has_offset = false, has_channels = false, has_children = false;
    int end_sites = 0;
  };

  std::string quoted(int joint) const { return shown(motion_.joints[static_cast<std::size_t>(joint)].name); }

  void begin_joint(int parent) {
    const std::string name(scanner_.name());
    if (name.empty())
      scanner_.fail(parent < 0 ? std::string("the root has no name")
                               : fmt::format("a joint below {} has no name", quoted(parent)));
    add(name, parent, false);
  }

  void begin_end_site(Open& parent) {
    scanner_.expect("Site");
    const std::string base = motion_.joints[static_cast<std::size_t>(parent.joint)].name + ".end";
    ++parent.end_sites;
    add(parent.end_sites == 1 ? base : base + std::to_string(parent.end_sites), parent.joint, true);
  }

  void add(const std::string& name, int parent, bool is_end_site) {
    if (!names_.insert(name).second) scanner_.fail(fmt::format("there are two joints {}, names must differ", shown(name)));
    BvhJoint joint;
    joint.name = name;
    joint.parent = parent;
    joint.is_end_site = is_end_site;
    joint.first_channel = channel_count_;
    motion_.joints.push_back(std::move(joint));
    if (scanner_.peek() != "{") scanner_.fail_next(fmt::format("'{{' is missing after the name of joint {}", shown(name)));
    scanner_.word("'{'");
    open_.push_back({static_cast<int>(motion_.joints.size()) - 1});
  }

  // Until the block that was just opened is closed. Blocks within are not recursion: files nest as deep as they like.
  void read_block() {
    while (!open_.empty()) {
      const std::string what = fmt::format("'}}' of joint {}", quoted(open_.back().joint));
      const std::string_view keyword = scanner_.word(what.c_str());
      if (keyword == "}") {
        end_joint();
      } else if (same_word(keyword, "OFFSET")) {
        read_offset(open_.back());
      } else if (same_word(keyword, "CHANNELS")) {
        read_channels(open_.back());
      } else if (same_word(keyword, "JOINT")) {
        begin_child(false);
      } else if (same_word(keyword, "End")) {
        begin_child(true);
      } else {
        scanner_.fail(fmt::format("{} stands in the block of joint {}; allowed are OFFSET, CHANNELS, JOINT, End Site and '}}'",
                                  shown(keyword), quoted(open_.back().joint)));
      }
    }
  }

  void begin_child(bool is_end_site) {
    Open& parent = open_.back();
    if (motion_.joints[static_cast<std::size_t>(parent.joint)].is_end_site)
      scanner_.fail(
          fmt::format("the end site {} has a joint below it, it must be the last of its chain", quoted(parent.joint)));
    parent.has_children = true;
    is_end_site ? begin_end_site(parent) : begin_joint(parent.joint);
  }

  void end_joint() {
    const Open& open = open_.back();
    if (!open.has_offset) scanner_.fail(fmt::format("joint {} has no OFFSET", quoted(open.joint)));
    if (!open.has_channels && !motion_.joints[static_cast<std::size_t>(open.joint)].is_end_site)
      scanner_.fail(fmt::format("joint {} has no CHANNELS ('CHANNELS 0' where it has none)", quoted(open.joint)));
    open_.pop_back();
  }

  void read_offset(Open& open) {
    if (open.has_offset) scanner_.fail(fmt::format("joint {} has a second OFFSET", quoted(open.joint)));
    open.has_offset = true;
    for (int axis = 0; axis < 3; ++axis)
      motion_.joints[static_cast<std::size_t>(open.joint)].offset[axis] =
          scanner_.number(fmt::format("the offset {} of joint {}", "xyz"[axis], quoted(open.joint)));
  }

  void read_channels(Open& open) {
    BvhJoint& joint = motion_.joints[static_cast<std::size_t>(open.joint)];
    if (joint.is_end_site) scanner_.fail(fmt::format("the end site {} has CHANNELS, it cannot move", quoted(open.joint)));
    if (open.has_channels) scanner_.fail(fmt::format("joint {} has CHANNELS for the second time", quoted(open.joint)));
    if (open.has_children)
      scanner_.fail(fmt::format("joint {} has its CHANNELS after a joint below it, they must come before", quoted(open.joint)));
    open.has_channels = true;
    const std::int64_t count = scanner_.integer(fmt::format("the number of channels of joint {}", quoted(open.joint)), 0, 1000);
    for (std::int64_t i = 0; i < count; ++i) joint.channels.push_back(read_channel(joint, i, count));
    scanner_.finish_line(fmt::format("joint {} has {} channels by their number", quoted(open.joint), count));
    channel_count_ += static_cast<int>(count);
  }

  BvhChannel read_channel(const BvhJoint& joint, std::int64_t i, std::int64_t count) {
    if (!scanner_.more_on_line())
      scanner_.fail(
          fmt::format("joint {} has {} channels by their number, but {} names on the line", shown(joint.name), count, i));
    const std::string name(scanner_.word("a channel"));
    for (std::size_t c = 0; c < channel_names.size(); ++c) {
      if (!same_word(name, channel_names[c])) continue;
      const BvhChannel channel = static_cast<BvhChannel>(c);
      // A rotation may come twice (Z, X, Z); a position would be overwritten.
      if (c < 3 && std::find(joint.channels.begin(), joint.channels.end(), channel) != joint.channels.end())
        scanner_.fail(fmt::format("joint {} has the channel {} twice", shown(joint.name), channel_names[c]));
      return channel;
    }
    scanner_.fail(
        fmt::format("{} of joint {} is no channel; allowed are Xposition, Yposition, Zposition, Xrotation, Yrotation and "
                    "Zrotation.{}",
                    shown(name), shown(joint.name), suggestion(name, {channel_names.begin(), channel_names.end()})));
  }

  BvhScanner& scanner_;
  BvhMotion& motion_;
  std::vector<Open> open_;  // from the root down
  std::unordered_set<std::string> names_;
  int channel_count_ = 0;
};

// "joint 'Hips', Zrotation" of a channel's number.
std::string channel_place(const BvhMotion& motion, int channel) {
  for (const BvhJoint& joint : motion.joints)
    if (channel >= joint.first_channel && channel < joint.first_channel + static_cast<int>(joint.channels.size()))
      return fmt::format(
          "joint {}, {}", shown(joint.name),
          channel_names[static_cast<std::size_t>(joint.channels[static_cast<std::size_t>(channel - joint.first_channel)])]);
  return "no joint";
}

void read_frames(BvhScanner& scanner, BvhMotion& motion, int channels) {
  scanner.expect("MOTION");
  scanner.expect("Frames:");
  const std::int64_t frames = scanner.integer("the number of frames", 1, std::int64_t{1} << 31);
  scanner.expect("Frame");
  scanner.expect("Time:");
  motion.frame_time = scanner.number("the frame time");
  if (!(motion.frame_time > 0))
    scanner.fail(fmt::format("the frame time is {} s, a positive one is required", motion.frame_time));
  scanner.finish_line("the frames begin on the next");
  // A check before memory is allocated: each number takes at least a digit and a separator.
  const std::size_t most = (scanner.remaining() + 1) / (2 * static_cast<std::size_t>(channels));
  if (static_cast<std::size_t>(frames) > most)
    scanner.fail_next(
        fmt::format("{} frames of {} channels are announced, but what is left of the file holds at most {}: the number "
                    "of frames is wrong or the file is truncated",
                    frames, channels, most));
  motion.channels.resize(channels, static_cast<Eigen::Index>(frames));
  for (Eigen::Index frame = 0; frame < frames; ++frame) {
    if (scanner.peek().empty())
      scanner.fail_next(fmt::format("the file ends after {} frames of {}: it is truncated", frame, frames));
    for (int channel = 0; channel < channels; ++channel) {
      if (channel > 0 && !scanner.more_on_line())
        scanner.fail(fmt::format("frame {} of {} has {} numbers on its line, the joints have {} channels", frame, frames,
                                 channel, channels));
      try {
        motion.channels(channel, frame) = scanner.number("the number");
      } catch (const Error& error) {
        throw Error(error.failure(), fmt::format("{} (frame {}, {})", error.what(), frame, channel_place(motion, channel)));
      }
    }
    if (scanner.more_on_line())
      scanner.fail_next(fmt::format("frame {} of {} has more than {} numbers on its line, the joints have {} channels", frame,
                                    frames, channels, channels));
  }
  if (!scanner.peek().empty())
    scanner.fail_next(fmt::format("{} stands where the file should end: it has more than the {} frames that it announces",
                                  shown(scanner.peek()), frames));
}

}  // namespace

BvhMotion parse_bvh(const std::string& name, std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte-order mark
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw Error(Failure::input, fmt::format("{}: the file is empty, motion capture in the format BVH is required", name));
  BvhScanner scanner(name, text);
  BvhMotion motion;
  motion.source = name;
  const int channels = HierarchyReader(scanner, motion).read();
  read_frames(scanner, motion, channels);
  return motion;
}

BvhMotion read_bvh(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw Error(Failure::input, fmt::format("{}: there is no such file", path.string()));
  if (!std::filesystem::is_regular_file(status))
    throw Error(Failure::input, fmt::format("{}: this is no regular file; a BVH file is required", path.string()));
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::ifstream stream(path, std::ios::binary);
  if (error || !stream) throw Error(Failure::input, fmt::format("{}: the file cannot be read (permission?)", path.string()));
  std::string text(static_cast<std::size_t>(size), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(size));
  if (static_cast<std::uintmax_t>(stream.gcount()) != size)
    throw Error(Failure::input, fmt::format("{}: only {} of {} bytes could be read", path.string(), stream.gcount(), size));
  return parse_bvh(path.string(), text);
}

}  // namespace holo
