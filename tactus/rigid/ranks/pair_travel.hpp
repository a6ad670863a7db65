#pragma once

#include "tactus/rigid/contact/contact_set.hpp"
#include "tactus/rigid/exchange/parcel.hpp"

namespace tactus::detail {

/// Writes the memory of a pair, for the rank that owns it from now on.
void write_pair(const ContactLists& lists, const ContactPair& pair, Parcel& parcel);

/// Takes over pairs that other ranks have written, as guests.
class PairArrivals {
 public:
  explicit PairArrivals(ContactLists& lists) : lists_(lists) {}
  void read(ParcelReader& reader);
  /// Puts all pairs in order again.
  void end();

 private:
  ContactLists& lists_;
  bool any_ = false;
};

}  // namespace tactus::detail
