// Factorizations and solutions of block-tridiagonal systems, by block size, number of blocks and batch. The methods take turns,
// so that the ratios are those of one run on one machine.
//
// "over GEMM" is the processor time of the serial method on one thread, with equilibration and checks, over the time that its
// (7/3 B^3 (D - 1) + B^3/3) multiplications and additions take at the fastest rate of dgemm in this run. The columns of methods
// are wall times over the serial one's, also on one thread.
#include <fmt/format.h>

#include <random>

#include "command_line.h"
#include "holo/core/numerics/blas.h"
#include "holo/core/numerics/parallel.h"
#include "holo/opt/block_tridiagonal/block_tridiagonal_solver.h"
#include "measuring.h"

extern "C" void dgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n, const int* k,
                       const double* alpha, const double* a, const int* lda, const double* b, const int* ldb,
                       const double* beta, double* c, const int* ldc);

namespace holo::benchmark {
namespace {

using Method = BlockTridiagonalMethod;

constexpr double most_bytes = 4e8;  // of a matrix; larger shapes are left out
constexpr double gate = 3, goal = 1.5;

struct Settings {
  bool quick = false;
  int seconds = 120;  // in all, about
  int threads = 0;
};

// The fastest rate of C -= A B^T of squares with 64 to 768 rows [multiplications and additions per s of processor time].
double measure_gemm_rate() {
  prepare_blas();
  double fastest = 0;
  for (int size : {64, 96, 128, 192, 384, 768}) {
    const std::size_t entries = std::size_t(size) * std::size_t(size);
    std::vector<double> a(entries, 0.5), b(entries, 0.25), c(entries, 0.0), times;
    const double factor = -1e-9, one = 1;
    const int calls = std::max(1, int(3e7 / (double(entries) * size)));
    for (int turn = 0; turn < 5; ++turn)
      times.push_back(seconds_of(thread_seconds, [&] {
        for (int i = 0; i < calls; ++i)
          dgemm_("N", "T", &size, &size, &size, &factor, a.data(), &size, b.data(), &size, &one, c.data(), &size);
      }));
    fastest = std::max(fastest, 2.0 * double(entries) * size * calls / median(times));
  }
  return fastest;
}

// A quarter of the unknowns of a block are multipliers; H is diagonally dominant, A dense.
struct Problem {
  BlockTridiagonalMatrix matrix;
  std::vector<signed char> signs;
};
Problem make_problem(const BlockTridiagonalShape& shape) {
  Problem problem{BlockTridiagonalMatrix(shape), {}};
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int size = shape.block_size, unknowns = size - size / 4, ld = shape.leading_dimension();
  for (int row = 0; row < size * shape.blocks; ++row) problem.signs.push_back(row % size < unknowns ? 1 : -1);
  const auto fill = [&](double* block, bool is_diagonal) {
    for (int column = 0; column < size; ++column)
      for (int row = is_diagonal ? column : 0; row < size; ++row) {
        const bool is_hessian = row < unknowns && column < unknowns, is_zero = row >= unknowns && column >= unknowns;
        block[column * ld + row] = is_zero ? 0 : is_hessian ? 0.2 * uniform(random) / size : uniform(random);
        if (is_diagonal && row == column && is_hessian) block[column * ld + row] = 1;
      }
  };
  for (int system = 0; system < shape.systems; ++system)
    for (int block = 0; block < shape.blocks; ++block) {
      fill(problem.matrix.diagonal_block(system, block), true);
      if (block + 1 < shape.blocks) fill(problem.matrix.subdiagonal_block(system, block), false);
    }
  return problem;
}

struct Coding {
  std::string name;
  std::unique_ptr<BlockTridiagonalSolver> solver;
  std::vector<double> factor_times, solve_times, processor_times;
};

struct Cell {
  BlockTridiagonalShape shape;
  double over_gemm = 0, factor_ms = 0, solve_ms = 0;  // of the serial method on one thread
  std::vector<std::string> names;
  std::vector<double> factor_ratios, solve_ratios;  // to the serial method
  double worst_error = 0;
};

// The first factorization brings back to the caches what the other methods displaced.
void take_turn(Coding& coding, const Problem& problem, const std::vector<double>& b, std::vector<double>& x) {
  bool is_right = coding.solver->factor(problem.matrix);
  coding.processor_times.push_back(seconds_of(thread_seconds, [&] {
    coding.factor_times.push_back(seconds_of(wall_seconds, [&] { is_right &= coding.solver->factor(problem.matrix); }));
  }));
  coding.solve_times.push_back(seconds_of(wall_seconds, [&] { is_right &= coding.solver->solve(b, x); }));
  if (!is_right) throw Error(Failure::internal, coding.name + ": the system " + to_string(coding.solver->report(0)));
}

// Turns of all methods for about `seconds`, at least two; LU, which is far slower, takes part where its flops allow.
Cell measure(const BlockTridiagonalShape& shape, double rate, double seconds, int threads) {
  const Problem problem = make_problem(shape);
  std::vector<Coding> codings;
  const bool has_lu = double(shape.systems) * shape.blocks * std::pow(shape.block_size, 3) * 200 / rate < seconds / 4;
  for (Method method : {Method::serial, Method::two_ended, Method::partitioned, Method::cyclic_reduction, Method::sparse_lu})
    if (method != Method::sparse_lu || has_lu) {
      BlockTridiagonalOptions options;
      options.method = method;
      codings.push_back({to_string(method), make_block_tridiagonal_solver(shape, problem.signs, options), {}, {}, {}});
    }
  std::vector<double> b(shape.rows(), 1.0), x(shape.rows());
  const double end = wall_seconds() + seconds;
  for (int turn = 0; turn < 2 || (wall_seconds() < end && turn < 100); ++turn)
    for (Coding& coding : codings) {
      const ThreadLimit limit(coding.name == "serial" ? 1 : threads);
      take_turn(coding, problem, b, x);
    }
  Cell cell;
  cell.shape = shape;
  cell.over_gemm = median(codings.front().processor_times) * rate / codings.front().solver->factorization_flops();
  cell.factor_ms = 1e3 * median(codings.front().factor_times);
  cell.solve_ms = 1e3 * median(codings.front().solve_times);
  for (const Coding& coding : codings) {
    cell.names.push_back(coding.name);
    cell.factor_ratios.push_back(median_ratio(coding.factor_times, codings.front().factor_times));
    cell.solve_ratios.push_back(median_ratio(coding.solve_times, codings.front().solve_times));
    for (int i = 0; i < shape.systems; ++i)
      cell.worst_error = std::max(cell.worst_error, coding.solver->report(i).backward_error);
  }
  return cell;
}

std::vector<BlockTridiagonalShape> shapes_of(bool quick) {
  std::vector<BlockTridiagonalShape> shapes;
  for (int size : quick ? std::vector{48, 96} : std::vector{96, 80, 48, 32, 16, 164})
    for (int blocks : quick ? std::vector{8, 20} : std::vector{8, 20, 40, 128, 512})
      for (int systems : quick ? std::vector{1, 2} : std::vector{1, 2, 8, 64}) {
        const BlockTridiagonalShape shape{size, blocks, systems};
        if (16.0 * double(shape.diagonal_entries()) <= most_bytes) shapes.push_back(shape);
      }
  return shapes;
}

void print_header(double rate) {
  fmt::print("dgemm: {:.1f} Gflop/s on one thread. Factorization and solution of each method over those of the serial one:\n",
             1e-9 * rate);
  fmt::print("{:>4} {:>4} {:>4} | {:>9} {:>9} {:>9} | {:^14} {:^14} {:^14} {:^14} | fastest\n", "B", "D", "sys.", "over GEMM",
             "factor ms", "solve ms", "two-ended", "partitioned", "cyclic red.", "sparse LU");
}

void print(const Cell& cell) {
  fmt::print("{:>4} {:>4} {:>4} | {:>9.2f} {:>9.3f} {:>9.3f} |", cell.shape.block_size, cell.shape.blocks, cell.shape.systems,
             cell.over_gemm, cell.factor_ms, cell.solve_ms);
  for (std::size_t i = 1; i < 5; ++i)
    if (i < cell.names.size())
      fmt::print(" {:>7.2f} {:>6.2f}", cell.factor_ratios[i], cell.solve_ratios[i]);
    else
      fmt::print(" {:>7} {:>6}", "-", "-");
  const auto fastest = std::min_element(cell.factor_ratios.begin(), cell.factor_ratios.end()) - cell.factor_ratios.begin();
  fmt::print(" | {}\n", cell.names[std::size_t(fastest)]);
  std::fflush(stdout);
}

nlohmann::json to_json(const Cell& cell) {
  return {{"block_size", cell.shape.block_size},
          {"blocks", cell.shape.blocks},
          {"systems", cell.shape.systems},
          {"over_gemm", cell.over_gemm},
          {"factor_ms", cell.factor_ms},
          {"solve_ms", cell.solve_ms},
          {"methods", cell.names},
          {"factor_ratios", cell.factor_ratios},
          {"solve_ratios", cell.solve_ratios},
          {"backward_error", cell.worst_error}};
}

int run(int argc, char** argv) {
  namespace po = boost::program_options;
  std::string json_path;
  Settings settings;
  po::options_description description(
      "Times block-tridiagonal solvers by shape.\nExit code 3: the gate of blocks with 80 and 96 rows is missed.\nOptions");
  description.add_options()("quick", po::bool_switch(&settings.quick), "few shapes")(
      "seconds", whole_number("seconds", settings.seconds, 1), "of all shapes, about")(
      "threads", whole_number("threads", settings.threads, 0), "of the parallel methods; 0: all of the machine")(
      "json", po::value(&json_path), "write the results to this file");
  if (!read_options(argc, argv, description)) return 0;
  const double rate = measure_gemm_rate();
  const std::vector<BlockTridiagonalShape> shapes = shapes_of(settings.quick);
  nlohmann::json json{{"benchmark", "block_tridiagonal"}, {"gemm_flops_per_second", rate}};
  print_header(rate);
  bool holds = true;
  double worst = 0;
  const double end = wall_seconds() + settings.seconds;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const BlockTridiagonalShape& shape = shapes[i];
    const double left = end - wall_seconds();
    if (left < 0) {
      fmt::print("the time is over: {} shapes are left out; --seconds allows more\n", shapes.size() - i);
      break;
    }
    const Cell cell = measure(shape, rate, left / double(shapes.size() - i), settings.threads);
    print(cell);
    const bool is_judged = shape.block_size == 80 || shape.block_size == 96;
    if (is_judged) worst = std::max(worst, cell.over_gemm);
    holds &= !is_judged || cell.over_gemm <= gate;
    json["shapes"].push_back(to_json(cell));
  }
  fmt::print(
      "serial factorization over its flops at the rate of dgemm, blocks of 80 and 96 rows: at most {:.2f}, gate <= {:g} {}, "
      "goal {:g} {}\n",
      worst, gate, holds ? "holds" : "MISSED", goal, worst <= goal ? "reached" : "not reached");
  write_json_file(json_path, json);
  return holds ? 0 : 3;
}

}  // namespace
}  // namespace holo::benchmark

int main(int argc, char** argv) {
  return holo::benchmark::run_program("benchmark_block_tridiagonal", argc, argv, holo::benchmark::run);
}
