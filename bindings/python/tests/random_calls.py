"""Calls what the module has with arguments drawn at random: `random_calls.py SEED COUNT`.

Errors are welcome, the end of the interpreter is not. The last line of the output names the last call. Half of the arguments fit
the signature, and objects that calls return become arguments and receivers of later ones, so that calls reach deep.
"""

import faulthandler
import random
import re
import resource
import sys

import numpy as np

import tactus

KEPT = 30  # objects of one type
MEMORY = 4 << 30  # bytes: sizes are drawn at random, too
# Listens, draws, ends the program or runs for minutes.
LEFT_OUT = ("serve", "show", "view", "main", "Campaign")
SPECIAL = ("__getitem__", "__setitem__", "__len__", "__iter__", "__contains__", "__eq__", "__hash__", "__repr__", "__reduce__",
           "__getstate__", "__copy__", "__deepcopy__")


class Caller:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.objects = {}
        self.tops = [(name, value) for module in (tactus, tactus.fit, tactus.planar, tactus.ccd, tactus.soft, tactus.io)
                     for name, value in sorted(vars(module).items()) if not name.startswith("_") and callable(value)]

    def keep(self, value):
        for one in value[:3] if isinstance(value, (list, tuple)) else [value]:
            if type(one).__module__.startswith("tactus") or isinstance(one, np.ndarray):
                same = self.objects.setdefault(type(one).__name__, [])
                same.append(one)
                if len(same) > KEPT:
                    same.pop(self.random.randrange(KEPT))

    def numbers(self, *shape):
        return np.random.default_rng(self.random.randrange(99)).uniform(-1, 1, size=shape)

    def number(self):
        usual = self.random.uniform(-2, 2)
        return self.random.choice([0, 1, -1, 3, 0.5, 1e-300, 1e300, float("nan"), float("inf"), -0.0, usual, abs(usual), 2**31, 2**70])

    def anything(self, depth=0):
        pick = self.random.randrange(10)
        if pick < 2:
            return self.number()
        if pick < 4:
            return self.numbers(self.random.choice([0, 1, 2, 3, 3, 4, 7]))
        if pick < 5:
            return self.numbers(self.random.choice([0, 1, 2, 5, 8]), self.random.choice([2, 3, 3, 4, 7]))
        if pick < 6:
            return self.random.choice(["", "x", "{}", "auto", None, True, b"a", lambda *values: 1.0])
        if pick < 7 and depth < 3:
            return [self.anything(depth + 1) for _ in range(self.random.randrange(4))]
        return self.random.choice(self.objects[self.random.choice(list(self.objects))]) if self.objects else None

    def fitting(self, kind):
        """A value of a type that a signature names."""
        known = [name for name in re.findall(r"[A-Za-z_]\w*", kind) if name in self.objects]
        if known and self.random.random() < 0.85:
            return self.random.choice(self.objects[self.random.choice(known)])
        if self.random.random() < 0.2:
            return self.anything()
        for name, make in (("float", lambda: self.random.uniform(-1, 1)), ("int", lambda: self.random.randrange(6)),
                           ("bool", lambda: self.random.random() < 0.5), ("str", lambda: self.random.choice(["x", "auto", ""])),
                           ("Vec3", lambda: self.numbers(3)), ("rray", lambda: self.numbers(self.random.choice([1, 4, 8]), self.random.choice([3, 7])))):
            if name in kind:
                return make()
        return self.anything()

    def arguments(self, function):
        signatures = re.findall(r"\w+\((.*?)\) ?->", function.__doc__ or "")
        if not signatures or self.random.random() < 0.15:
            return [self.anything() for _ in range(self.random.randrange(5))], {}
        values, named, by_name = [], {}, False
        for part in re.split(r",(?![^\[(]*[\])])", self.random.choice(signatures)):
            name, _, kind = part.strip().partition(":")
            if name in ("self", "") or name.startswith("*"):
                by_name = by_name or name == "*"
            elif " = " in kind and self.random.random() < 0.6:
                by_name = True
            elif by_name:
                named[name] = self.fitting(kind)
            else:
                values.append(self.fitting(kind))
        return values, named

    def target(self):
        """The name of a call and its function; None for a field, which is read and perhaps set."""
        if set(self.objects) <= {"ndarray"} or self.random.random() < 0.4:
            return self.random.choice(self.tops)
        kind = self.random.choice([kind for kind in self.objects if kind != "ndarray"])  # numpy lets arrays forget their bounds
        owner = self.random.choice(self.objects[kind])
        name = self.random.choice([name for name in dir(owner) if not name.startswith("__") or name in SPECIAL])
        member = getattr(owner, name)
        if callable(member):
            return f"{kind}.{name}", member
        self.keep(member)
        if self.random.random() < 0.3:
            setattr(owner, name, self.fitting(type(member).__name__))
        return None

    def call(self):
        found = self.target()
        if found is None or any(word in found[0] for word in LEFT_OUT):
            return
        values, named = self.arguments(found[1])
        print(found[0], *(type(value).__name__ for value in values), *named, flush=True)
        self.keep(found[1](*values, **named))


def main(seed, count):
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    caller = Caller(seed)
    reached = 0
    for _ in range(count):
        try:
            caller.call()
            reached += 1
        except Exception as error:  # all that Python can catch is right here
            print("  ", type(error).__name__, flush=True)
    print("calls that returned:", reached)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
