"""The exact second opinion on answers of `tactus query --certificate`, in standard Python alone."""
