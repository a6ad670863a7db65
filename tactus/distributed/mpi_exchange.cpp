#include "tactus/distributed/mpi_exchange.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <thread>
#include <utility>

namespace tactus::detail {
namespace {

/// MPI counts bytes in ints, so that a message goes in pieces: all but the last are so long, and
/// the last one is shorter, if need be empty.
constexpr std::size_t kPiece = std::size_t{1} << 16;
constexpr int kContent = 1;  // tag of messages
/// Sleep of a rank that waits where ranks share processors, for each rank of a processor: so that
/// looks for messages leave most of it to those that compute.
constexpr std::chrono::microseconds kNap{10};
/// Ranks of a processor that wait without sleep: at 2 they are three times as fast as with it, at 8
/// alike.
constexpr int kCrowded = 8;

/// Ranks of this machine for each of its processors.
int crowd_of(MPI_Comm ranks) {
  MPI_Comm here = MPI_COMM_NULL;
  MPI_Comm_split_type(ranks, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  int count = 1;
  MPI_Comm_size(here, &count);
  MPI_Comm_free(&here);
  return count / static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
}

void send(const std::string& message, int to, MPI_Comm ranks, std::vector<MPI_Request>& requests) {
  for (std::size_t at = 0; at <= message.size(); at += kPiece) {
    const std::size_t length = std::min(kPiece, message.size() - at);
    MPI_Isend(message.data() + at, static_cast<int>(length), MPI_CHAR, to, kContent, ranks,
              &requests.emplace_back());
  }
}

}  // namespace

struct MpiExchange::Channel {
  MPI_Comm ranks = MPI_COMM_NULL;
  int crowd = 1;  ///< ranks of a processor

  /// Until `done`, which lets MPI go on.
  template <class Done>
  void wait(const Done& done) const {
    while (!done())
      if (crowd > kCrowded) std::this_thread::sleep_for(kNap * crowd);
  }
  void finish(std::vector<MPI_Request>& requests) const {
    wait([&] {
      int flag = 0;
      MPI_Testall(static_cast<int>(requests.size()), requests.data(), &flag, MPI_STATUSES_IGNORE);
      return flag != 0;
    });
  }
  /// Waits for a question to all.
  void finish(MPI_Request request) const {
    std::vector<MPI_Request> requests{request};
    finish(requests);
  }
  /// The receiver asks how long a piece is; pieces of one sender come in their order.
  std::string receive(int from) const {
    std::string message;
    for (std::size_t length = kPiece; length == kPiece;) {
      MPI_Status status;
      wait([&] {
        int flag = 0;
        MPI_Iprobe(from, kContent, ranks, &flag, &status);
        return flag != 0;
      });
      int count = 0;
      MPI_Get_count(&status, MPI_CHAR, &count);
      length = static_cast<std::size_t>(count);
      const std::size_t at = message.size();
      message.resize(at + length);
      MPI_Recv(message.data() + at, count, MPI_CHAR, from, kContent, ranks, MPI_STATUS_IGNORE);
    }
    return message;
  }
};

/// Adds the time until its end to that of talk with other ranks.
class MpiExchange::Waiting {
 public:
  explicit Waiting(MpiExchange& exchange) : exchange_(exchange), since_(MPI_Wtime()) {}
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() { exchange_.count_seconds(MPI_Wtime() - since_); }

 private:
  MpiExchange& exchange_;
  double since_;
};

MpiExchange::MpiExchange() : channel_(new Channel) {
  int there = 0;
  MPI_Initialized(&there);
  if (there == 0) {
    int level = 0;
    // Other threads of the program compute; this one alone talks.
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
    started_ = true;
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &channel_->ranks);
  MPI_Comm_rank(channel_->ranks, &rank_);
  MPI_Comm_size(channel_->ranks, &ranks_);
  channel_->crowd = crowd_of(channel_->ranks);
}

MpiExchange::~MpiExchange() {
  MPI_Comm_free(&channel_->ranks);
  if (started_) MPI_Finalize();
  delete channel_;
}

/// Empty messages are not sent: who sends any is agreed first.
void MpiExchange::trade(std::vector<std::string>& messages) {
  const auto ranks = static_cast<std::size_t>(ranks_);
  std::vector<std::string> sent = std::exchange(messages, std::vector<std::string>(ranks));
  const auto me = static_cast<std::size_t>(rank_);
  messages[me] = std::exchange(sent[me], {});
  std::vector<char> to(ranks), from(ranks);
  for (std::size_t r = 0; r < ranks; ++r) to[r] = sent[r].empty() ? 0 : 1;
  count_question();
  const Waiting waiting(*this);
  MPI_Request question;
  MPI_Ialltoall(to.data(), 1, MPI_CHAR, from.data(), 1, MPI_CHAR, channel_->ranks, &question);
  channel_->finish(question);
  std::vector<MPI_Request> requests;
  for (std::size_t r = 0; r < ranks; ++r)
    if (to[r] != 0) send(sent[r], static_cast<int>(r), channel_->ranks, requests);
  for (std::size_t r = 0; r < ranks; ++r)
    if (from[r] != 0) messages[r] = channel_->receive(static_cast<int>(r));
  channel_->finish(requests);
}

void MpiExchange::trade(std::span<const int> to, std::span<const int> from,
                        std::vector<std::string>& messages) {
  const std::vector<std::string> sent =
      std::exchange(messages, std::vector<std::string>(from.size()));
  std::vector<MPI_Request> requests;
  for (std::size_t k = 0; k < to.size(); ++k) {
    count(sent[k].size());
    send(sent[k], to[k], channel_->ranks, requests);
  }
  const Waiting waiting(*this);
  for (std::size_t k = 0; k < from.size(); ++k) messages[k] = channel_->receive(from[k]);
  channel_->finish(requests);
}

/// Short messages are gathered at once; of long ones each is handed on to all, in pieces.
std::vector<std::string> MpiExchange::gather(const std::string& mine) {
  const auto ranks = static_cast<std::size_t>(ranks_);
  const std::uint64_t length = mine.size();
  std::vector<std::uint64_t> lengths(ranks);
  count_question();
  const Waiting waiting(*this);
  MPI_Request question;
  MPI_Iallgather(&length, 1, MPI_UINT64_T, lengths.data(), 1, MPI_UINT64_T, channel_->ranks,
                 &question);
  channel_->finish(question);
  std::vector<std::string> messages(ranks);
  const std::uint64_t whole = std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
  if (whole > std::min<std::uint64_t>(ranks * kPiece, std::numeric_limits<int>::max())) {
    for (std::size_t r = 0; r < ranks; ++r) {
      std::string& message = messages[r];
      if (static_cast<int>(r) == rank_) message = mine;
      message.resize(lengths[r]);
      for (std::size_t at = 0; at < message.size(); at += kPiece)
        MPI_Bcast(message.data() + at, static_cast<int>(std::min(kPiece, message.size() - at)),
                  MPI_CHAR, static_cast<int>(r), channel_->ranks);
    }
    return messages;
  }
  const std::vector<int> counts(lengths.begin(), lengths.end());
  std::vector<int> at(ranks);
  std::exclusive_scan(counts.begin(), counts.end(), at.begin(), 0);
  std::string all(static_cast<std::size_t>(at.back() + counts.back()), '\0');
  MPI_Iallgatherv(mine.data(), static_cast<int>(length), MPI_CHAR, all.data(), counts.data(),
                  at.data(), MPI_CHAR, channel_->ranks, &question);
  channel_->finish(question);
  for (std::size_t r = 0; r < ranks; ++r)
    messages[r] = all.substr(static_cast<std::size_t>(at[r]), lengths[r]);
  return messages;
}

std::vector<std::string> MpiExchange::gather_on_first(const std::string& mine) {
  count_question();
  const Waiting waiting(*this);
  if (rank_ > 0) {
    std::vector<MPI_Request> requests;
    send(mine, 0, channel_->ranks, requests);
    channel_->finish(requests);
    return {};
  }
  std::vector<std::string> messages{mine};
  for (int r = 1; r < ranks_; ++r) messages.push_back(channel_->receive(r));
  return messages;
}

double MpiExchange::most(double mine) {
  double result = mine;
  count_question();
  const Waiting waiting(*this);
  MPI_Request question;
  MPI_Iallreduce(&mine, &result, 1, MPI_DOUBLE, MPI_MAX, channel_->ranks, &question);
  channel_->finish(question);
  return result;
}

void MpiExchange::abort(int code) noexcept {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();
}

}  // namespace tactus::detail
