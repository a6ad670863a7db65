#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tactus {

/// A value that a constructor or reader refuses: negative radius, NaN, empty point set,
/// non-rotation. `field()` names the offending field as the user wrote it, e.g. `radius` or
/// `parts[2].pose`.
class InvalidInput : public std::runtime_error {
 public:
  InvalidInput(std::string field, const std::string& reason)
      : std::runtime_error(field.empty() ? reason : field + ": " + reason),
        field_(std::move(field)),
        reason_(reason) {}

  const std::string& field() const noexcept { return field_; }
  const std::string& reason() const noexcept { return reason_; }

  /// This error seen from one level further out: `prefix.field: reason`.
  InvalidInput within(const std::string& prefix) const {
    if (field_.empty()) return {prefix, reason_};
    return {prefix + (field_.front() == '[' ? "" : ".") + field_, reason_};
  }

 private:
  std::string field_;
  std::string reason_;
};

/// A file that cannot be opened, read or written; the message names the file and, where known, the
/// line.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace detail {
/// The name at the place of a value; empty beyond the last.
template <class E, std::size_t N>
constexpr std::string_view name_in(const std::string_view (&names)[N], E value) {
  const auto place = static_cast<std::size_t>(value);
  return place < N ? names[place] : std::string_view();
}
}  // namespace detail

/// The value of an enumeration of this library that `to_string` calls `name`; none where no value
/// is called so. `to_string` of a number that is no value is empty. Cost: a comparison for each
/// value.
template <class E>
constexpr std::optional<E> from_string(std::string_view name) {
  static_assert(std::is_enum_v<E>);
  for (std::underlying_type_t<E> i = 0;; ++i) {
    const std::string_view known = to_string(static_cast<E>(i));
    if (known.empty()) return std::nullopt;
    if (known == name) return static_cast<E>(i);
  }
}

/// How a query ended. Whatever the status, the bracket of the result holds.
enum class Status : std::uint8_t {
  converged,        ///< the bracket is as narrow as the options asked
  iteration_limit,  ///< a cap was reached first; the bracket is wider than asked
  precision_limit,  ///< rounding stopped the progress; the bracket is wider than asked
  invalid_input,    ///< a pose was not finite; the bracket is unbounded
  unsupported,      ///< this pair or method has no answer; the bracket is unbounded
  local_minimum,    ///< a depth not proved the least: `distance` is a true way out
};

constexpr std::string_view to_string(Status status) {
  constexpr std::string_view kNames[] = {"converged",     "iteration_limit", "precision_limit",
                                         "invalid_input", "unsupported",     "local_minimum"};
  return detail::name_in(kNames, status);
}

/// A value, or why there is none: what stands for an exception where exceptions are not wanted.
template <class T>
class Outcome {
 public:
  Outcome(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  /// `field` as in InvalidInput, or empty.
  static Outcome failure(std::string field, std::string message) {
    Outcome outcome;
    outcome.field_ = std::move(field);
    outcome.message_ = std::move(message);
    return outcome;
  }

  bool has_value() const noexcept { return value_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }
  /// Only of an outcome that has a value.
  const T& operator*() const noexcept { return *value_; }
  const T* operator->() const noexcept { return &*value_; }
  /// Message of the exception that was caught; empty with a value.
  const std::string& error() const noexcept { return message_; }
  const std::string& field() const noexcept { return field_; }

 private:
  Outcome() = default;
  std::optional<T> value_;
  std::string field_, message_;
};

/// Calls `action`: gives its value, or the error of the InvalidInput or FileError that it throws.
/// For readers and constructors without exceptions, `attempt([&] { return io::read_mesh(file); })`.
/// Other exceptions (std::bad_alloc) end the program.
template <class Action>
auto attempt(const Action& action) noexcept -> Outcome<std::invoke_result_t<Action>> {
  using Made = Outcome<std::invoke_result_t<Action>>;
  try {
    return Made(action());
  } catch (const InvalidInput& error) {
    return Made::failure(error.field(), error.what());
  } catch (const FileError& error) {
    return Made::failure({}, error.what());
  }
}

/// The constructor of T without exceptions: `make<Sphere>(radius)`, `make<Convex>(points)`.
template <class T, class... Arguments>
Outcome<T> make(Arguments&&... arguments) noexcept {
  return attempt([&] { return T(std::forward<Arguments>(arguments)...); });
}

/// The threads of a program that has some of its own: derive, and name it by `use_executor`.
class Executor {
 public:
  virtual ~Executor() = default;
  /// Calls `chunk(i)` once for every i in [0, chunks), possibly at the same time on several
  /// threads, `max_threads` at most (the caller's included; 0 leaves it open), and returns when all
  /// are done. Chunks never throw, and may call `run` again.
  virtual void run(std::size_t chunks, const std::function<void(std::size_t)>& chunk,
                   int max_threads) = 0;
};
/// From now on the library does all its parallel work on this executor, kept by address; null
/// leaves it to the library's own threads again. Call it at the start of the program, before
/// anything runs in parallel. What is computed does not depend on it.
void use_executor(Executor* executor) noexcept;

/// Which thread takes which chunks.
enum class Schedule {
  any,     ///< whoever is free
  steady,  ///< as far as the backend can, neighbours go to one thread, and to the same one in every
           ///< call: for loops that run over the same data again and again
};
constexpr std::string_view to_string(Schedule schedule) {
  constexpr std::string_view kNames[] = {"any", "steady"};
  return detail::name_in(kNames, schedule);
}

namespace detail {

/// Calls `call(body, chunk)` once for every chunk in [0, chunks). The backend behind it is chosen
/// when the library is built (CMake option TACTUS_THREADS).
void run_chunks(std::size_t chunks, void (*call)(void* body, std::size_t chunk), void* body,
                int max_threads, Schedule schedule);
/// How many threads such a call may have: for loops that are faster when a thread has several of
/// their chunks at hand.
std::size_t most_threads(int max_threads);

}  // namespace detail

/// Calls `body(begin, end)` for consecutive chunks of [0, count), possibly at the same time on
/// several threads.
///
/// The chunks are [0, grain), [grain, 2 grain), ... whatever the number of threads, so a body that
/// writes only to the places of its own indices (or of its chunk, `begin / grain`) gives the same
/// bits on every machine. Chunks must not depend on each other; nothing is promised about their
/// order. A `grain` of 0 counts as 1. Choose it so that a chunk takes some 10 us or more.
///
/// `max_threads` limits the threads, the caller's included; 0 takes all processors. The schedule
/// changes the speed alone.
/// Errors: every chunk is run; then, when some threw, the exception of the first of them in index
/// order is thrown. Cost: oneTBB some microseconds, std::thread some 20 us per thread (it starts
/// them anew), serial nothing.
/// @code{.cpp}
/// std::vector<double> squares(1000);
/// parallel_for(squares.size(), 256, [&](std::size_t begin, std::size_t end) {
///   for (std::size_t i = begin; i < end; ++i) squares[i] = double(i) * double(i);
/// });
/// assert(squares[30] == 900.0);
/// @endcode
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, Body&& body, int max_threads = 0,
                  Schedule schedule = Schedule::any) {
  struct Loop {
    std::size_t count, grain;
    std::remove_reference_t<Body>* body;
  };
  Loop loop{count, grain == 0 ? 1 : grain, std::addressof(body)};
  const std::size_t chunks = count / loop.grain + (count % loop.grain != 0 ? 1 : 0);
  detail::run_chunks(
      chunks,
      [](void* erased, std::size_t chunk) {
        const Loop& l = *static_cast<const Loop*>(erased);
        const std::size_t begin = chunk * l.grain;
        (*l.body)(begin, l.count - begin < l.grain ? l.count : begin + l.grain);
      },
      &loop, max_threads, schedule);
}

}  // namespace tactus
