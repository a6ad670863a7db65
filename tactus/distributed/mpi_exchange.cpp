#include "tactus/distributed/mpi_exchange.hpp"

#include <mpi.h>

#include <cstdlib>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace tactus::detail {
namespace {

/// MPI counts bytes in ints.
int length_of(const std::string& message) {
  if (message.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw std::runtime_error("a message to another rank is longer than MPI can send at once");
  return static_cast<int>(message.size());
}

constexpr int kContent = 1;  // tag of messages

}  // namespace

struct MpiExchange::Channel {
  MPI_Comm ranks = MPI_COMM_NULL;
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
}

MpiExchange::~MpiExchange() {
  MPI_Comm_free(&channel_->ranks);
  if (started_) MPI_Finalize();
  delete channel_;
}

void MpiExchange::trade(std::vector<std::string>& messages) {
  const auto ranks = static_cast<std::size_t>(ranks_);
  std::vector<int> out(ranks), in(ranks), out_at(ranks), in_at(ranks);
  std::string sent;
  for (std::size_t r = 0; r < ranks; ++r) {
    out[r] = length_of(messages[r]);
    out_at[r] = static_cast<int>(sent.size());
    sent += messages[r];
    length_of(sent);
  }
  count_question();
  const Waiting waiting(*this);
  MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, channel_->ranks);
  std::exclusive_scan(in.begin(), in.end(), in_at.begin(), 0);
  std::string taken(static_cast<std::size_t>(in_at.back()) + static_cast<std::size_t>(in.back()),
                    '\0');
  MPI_Alltoallv(sent.data(), out.data(), out_at.data(), MPI_CHAR, taken.data(), in.data(),
                in_at.data(), MPI_CHAR, channel_->ranks);
  for (std::size_t r = 0; r < ranks; ++r)
    messages[r] = taken.substr(static_cast<std::size_t>(in_at[r]), static_cast<std::size_t>(in[r]));
}

/// The receiver asks how long a message is.
void MpiExchange::trade(std::span<const int> to, std::span<const int> from,
                        std::vector<std::string>& messages) {
  std::vector<MPI_Request> sends(to.size());
  const std::vector<std::string> sent = std::move(messages);
  messages.assign(from.size(), {});
  for (std::size_t k = 0; k < to.size(); ++k) {
    count(sent[k].size());
    MPI_Isend(sent[k].data(), length_of(sent[k]), MPI_CHAR, to[k], kContent, channel_->ranks,
              &sends[k]);
  }
  const Waiting waiting(*this);
  for (std::size_t k = 0; k < from.size(); ++k) {
    MPI_Status status;
    MPI_Probe(from[k], kContent, channel_->ranks, &status);
    int length = 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    messages[k].resize(static_cast<std::size_t>(length));
    MPI_Recv(messages[k].data(), length, MPI_CHAR, from[k], kContent, channel_->ranks,
             MPI_STATUS_IGNORE);
  }
  MPI_Waitall(static_cast<int>(sends.size()), sends.data(), MPI_STATUSES_IGNORE);
}

std::vector<std::string> MpiExchange::gather(const std::string& mine) {
  const auto ranks = static_cast<std::size_t>(ranks_);
  std::vector<int> lengths(ranks), at(ranks);
  const int length = length_of(mine);
  count_question();
  const Waiting waiting(*this);
  MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, channel_->ranks);
  std::size_t whole = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    at[r] = static_cast<int>(whole);
    whole += static_cast<std::size_t>(lengths[r]);
  }
  if (whole > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw std::runtime_error("the ranks' messages together are longer than MPI can gather at once");
  std::string all(whole, '\0');
  MPI_Allgatherv(mine.data(), length, MPI_CHAR, all.data(), lengths.data(), at.data(), MPI_CHAR,
                 channel_->ranks);
  std::vector<std::string> messages(ranks);
  for (std::size_t r = 0; r < ranks; ++r)
    messages[r] = all.substr(static_cast<std::size_t>(at[r]), static_cast<std::size_t>(lengths[r]));
  return messages;
}

double MpiExchange::most(double mine) {
  double result = mine;
  count_question();
  const Waiting waiting(*this);
  MPI_Allreduce(&mine, &result, 1, MPI_DOUBLE, MPI_MAX, channel_->ranks);
  return result;
}

void MpiExchange::abort(int code) noexcept {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();
}

}  // namespace tactus::detail
