#pragma once

#include <string>
#include <vector>

namespace tactus::app {

/// The known word that a misspelt one was meant for: the nearest one by letters that are wrong, too
/// many, too few, or two that are exchanged, if these are at most a third of its letters (and one
/// is allowed always); else empty. The first of several that are as near. Cost: the product of the
/// lengths for each word.
/// It is the distance of optimal string alignment, after Damerau and Levenshtein.
std::string nearest_word(const std::string& word, const std::vector<std::string>& known);

}  // namespace tactus::app
