#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tactus/check.hpp"
#include "tactus/core/random.hpp"
#include "tactus/io/json/query_line.hpp"

namespace tactus::detail::fuzz {

/// How often a claim was made false, and how often the checker called it proved.
struct LieTally {
  std::uint64_t told = 0, proved = 0;
};

/// The checker's verdicts on one query's answer and on lies about it.
struct Trial {
  std::string group;                     ///< what was asked, and of which kind of pair
  bool answered = false;                 ///< there was an answer to lie about
  bool refuted = false;                  ///< the true answer, with its certificate or a damaged one
  bool unproved[kClaims] = {};           ///< claims of the true answer with its certificate
  std::map<std::string, LieTally> lies;  ///< by what was changed
  std::string failure;  ///< the first true answer that was refuted or lie that was proved
};

/// A query that asks what `query` does, or where that is `distance`, anything: the distance,
/// contacts, the verdict, or the end of a random motion.
io::Query ask_anything(io::Query query, Random& random);

/// Answers the query and changes one claim of the answer at a time to something false, by lengths
/// from the checker's stated rounding (docs/guide/proofs.md) to 1e-2 of the size; the certificate
/// is the answer's, another one's, truncated, damaged, made to fit, or none, and the status
/// anything. What is false is not asked of the checker: values lie outside of the bracket of the
/// answer; points have a distance from their shapes; turned normals are measured with the box of
/// the shape; moments are looked at with the distance. What these cannot show is not counted.
/// Also shows the true answer with damaged certificates. `attempts`: at most as many lies.
Trial try_lies(const io::Query& query, Random& random, int attempts);

/// A certificate with some of it changed: entries lost, numbers and indices replaced.
void damage(Certificate& certificate, Random& random);
/// Made to show a depth that is greater by `more`.
void exaggerate(Certificate& certificate, double more);

}  // namespace tactus::detail::fuzz
