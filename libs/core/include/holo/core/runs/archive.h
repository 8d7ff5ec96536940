#pragma once
// A state as the bytes of a checkpoint, and back: the same visits write and read it, so that the two cannot disagree.
//
//   void visit(Archive& archive, State& state) { archive.visit(state.time); archive.visit(state.step, 1e9); }
//   Archive out("my_study", 1);          visit(out, copy_of_state);  std::string bytes = out.take_bytes();
//   Archive in("my_study", 1, bytes);    visit(in, state);           in.require_end();

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holo {

class Archive {
 public:
  // Writes. The bytes begin with the kind of state and the version of its layout, which counts from 1.
  Archive(std::string_view kind, int version);
  // Reads; `bytes` must outlive the archive. Throws Error(input) for those of another kind or version, and in each visit for
  // bytes that end too early or have a count outside of its range.
  Archive(std::string_view kind, int version, std::string_view bytes);

  // Bit for bit, NaN too.
  void visit(double& value) { visit(Eigen::Map<Eigen::VectorXd>(&value, 1)); }
  // The size is known to both sides and is not written.
  void visit(Eigen::Ref<Eigen::MatrixXd> values);
  // A whole number from `least` to `most`; both within +-2^53.
  template <class Integer>
  void visit(Integer& value, double most, double least = 0) {
    double as_double = static_cast<double>(value);
    visit(as_double);
    require_whole(as_double, least, most);
    value = static_cast<Integer>(as_double);
  }
  // The length of a list, each of whose items is visited as `numbers` numbers or more. A length that cannot be true is refused,
  // before the caller makes memory for it.
  void visit_length(std::size_t& length, std::size_t numbers = 1);
  // With their sizes.
  void visit_sized(Eigen::MatrixXd& values);
  void visit_sized(Eigen::VectorXd& values);
  // At most `most` numbers, each from 0 to `most`.
  void visit(std::vector<int>& numbers, double most);
  void visit(std::vector<double>& numbers);
  // At most `most` bytes.
  void visit(std::string& text, double most);

  bool is_reading() const { return is_reading_; }
  std::string take_bytes() { return std::move(bytes_); }
  // Throws Error(input) where bytes are left that nothing has read.
  void require_end() const;
  // Throws Error(input): the bytes are not those of this state, for this reason.
  [[noreturn]] static void refuse(const std::string& reason);

 private:
  void require_header(std::string_view kind, int version);
  static void require_whole(double value, double least, double most);
  std::string_view take(std::size_t size);

  std::string bytes_;      // written so far
  std::string_view from_;  // still to be read
  bool is_reading_ = false;
};

}  // namespace holo
