"""A pile of boxes falls and comes to rest; its motion, step by step, is an array."""

import numpy as np

import tactus


def main() -> None:
    world = tactus.World(time_step=1 / 60, sleep_time=0.5)
    world.add(tactus.HalfSpace([0, 0, 1], 0), type="fixed")
    random = np.random.default_rng(1)
    for i in range(12):
        turn = random.normal(size=4)
        world.add(tactus.Box([0.4, 0.3, 0.2]), pose=([*random.uniform(-0.3, 0.3, 2), 0.5 + 0.4 * i], turn / np.linalg.norm(turn)))

    motions = world.motions  # the memory of the world: shows each step, without a copy
    way = np.empty((120, len(world), 3))
    for k in range(len(way)):
        world.step()
        way[k] = motions["position"]
    speed = np.linalg.norm(motions["linear_velocity"], axis=1)
    print(f"after {world.time:.1f} s the fastest box moves at {speed.max():.4f}, the highest lies at {way[-1, :, 2].max():.3f}")
    assert way[0, 1:, 2].min() > way[-1, 1:, 2].min() > 0.05
    np.save("pile.npy", way)


if __name__ == "__main__":
    main()
