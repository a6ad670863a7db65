#include <cmath>

#include "tactus/ccd/first_contact.hpp"
#include "tactus/ccd/knoblauch.hpp"

namespace tactus::ccd {
using namespace detail;
namespace {

constexpr std::size_t kGrain = 128;

template <class Motion, class Answer>
void answer_all(std::span<const Motion> motions, std::vector<CcdResult>& out, int max_threads,
                const Answer& answer) {
  out.resize(motions.size());
  parallel_for(
      motions.size(), kGrain,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) out[i] = answer(motions[i]);
      },
      max_threads);
}

}  // namespace

std::string_view to_string(CcdMethod method) {
  constexpr std::string_view kNames[] = {"conservative", "bisection", "cardano"};
  return detail::name_in(kNames, method);
}

CcdResult vertex_face(const MovingVertexFace& motion, const CcdOptions& options) noexcept {
  if (options.method != CcdMethod::conservative) return knoblauch(motion, options);
  return first_contact(motion, options);
}

CcdResult edge_edge(const MovingEdges& motion, const CcdOptions& options) noexcept {
  if (options.method != CcdMethod::conservative) return knoblauch(motion, options);
  return first_contact(motion, options);
}

void vertex_face(std::span<const MovingVertexFace> motions, std::vector<CcdResult>& out,
                 const CcdOptions& options, int max_threads) {
  answer_all(motions, out, max_threads,
             [&](const MovingVertexFace& motion) { return vertex_face(motion, options); });
}

void edge_edge(std::span<const MovingEdges> motions, std::vector<CcdResult>& out,
               const CcdOptions& options, int max_threads) {
  answer_all(motions, out, max_threads,
             [&](const MovingEdges& motion) { return edge_edge(motion, options); });
}

}  // namespace tactus::ccd
