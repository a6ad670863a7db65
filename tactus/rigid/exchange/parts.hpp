#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "tactus/rigid/exchange/exchange.hpp"
#include "tactus/rigid/exchange/parcel.hpp"

namespace tactus::detail {

/// Places of a list, from `begin` on before `end`.
struct ListPart {
  std::size_t begin = 0, end = 0;
};

/// Places of a list of `count` that fall to a rank: parts in the order of ranks, which differ in
/// length by one at most.
inline ListPart part_of(std::size_t count, int rank, int ranks) {
  const auto r = static_cast<std::size_t>(rank), n = static_cast<std::size_t>(ranks);
  const std::size_t each = count / n, more = count % n;
  const auto begin = [&](std::size_t k) { return k * each + std::min(k, more); };
  return {begin(r), begin(r + 1)};
}

/// Values of a list, each made by one rank: all ranks get all of them, in order. `make_part(part)`
/// makes those of a part, in order: of the whole list where `exchange` is null. Values have
/// `write(value, parcel)` and `read(reader, value)`. A call for all ranks.
template <class T, class MakePart>
std::vector<T> make_in_parts(Exchange* exchange, std::size_t count, const MakePart& make_part) {
  if (exchange == nullptr) return make_part(ListPart{0, count});
  Parcel parcel;
  for (const T& value : make_part(part_of(count, exchange->rank(), exchange->ranks())))
    write(value, parcel);
  std::vector<T> all;
  all.reserve(count);
  for (const std::string& message : exchange->gather(parcel.take())) {
    ParcelReader reader(message);
    while (!reader.at_end()) read(reader, all.emplace_back());
  }
  return all;
}

}  // namespace tactus::detail
