#pragma once

namespace tactus {

/// Adds the algorithms of the literature as they are written, for comparison: from now on
/// `QueryOptions::method` may ask for Method::epa_classic, mpr, chung_wang, separating_plane and
/// v_clip, and for sat of all polytopes, which answer Status::unsupported before. Nothing that
/// Method::automatic answers changes.
///
/// In a library of its own, tactus::classic, so that a program carries them only when it asks for
/// them. Call it at the start of the program; again does nothing. Never throws. Sources: see
/// docs/algorithms, a page each.
void enable_classic_methods();

}  // namespace tactus
