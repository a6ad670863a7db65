"""Structured arrays as columns of numbers, as tables want them."""

from typing import Any, Dict

import numpy as np


def columns(array: Any) -> Dict[str, Any]:
    """The fields of a structured array as plain columns: `distance`, `normal_x`, `normal_y`, `normal_z`, `proof_lower`, ...

    `pandas.DataFrame(tactus.columns(tactus.distances(...)))` is a table. Columns of single numbers are views.
    """
    if array.dtype.names is None:
        raise ValueError("array: must have named fields, as those of distances, overlaps and contact_array")
    out: Dict[str, Any] = {}
    for name in array.dtype.names:
        one = array[name]
        if one.dtype.names is not None:
            out.update({f"{name}_{inner}": value for inner, value in columns(one).items()})
        elif one.ndim == array.ndim:
            out[name] = one
        else:
            flat = one.reshape(array.shape + (-1,))
            ends = "xyz" if flat.shape[-1] <= 3 else [str(i) for i in range(flat.shape[-1])]
            out.update({f"{name}_{ends[i]}": flat[..., i] for i in range(flat.shape[-1])})
    return {name: np.asarray(value) for name, value in out.items()}
