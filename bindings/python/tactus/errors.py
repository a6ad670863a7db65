"""The errors of the library."""


class InvalidInput(ValueError):
    """A value that a constructor or reader refuses. `field` names it as the caller wrote it, such as `parts[2].pose`; `reason` says why."""

    __module__ = "tactus"
    field: str = ""
    reason: str = ""

    def __init__(self, field: str = "", reason: str = "") -> None:
        super().__init__(f"{field}: {reason}" if field else reason)
        self.field, self.reason = field, reason

    def __reduce__(self):  # type: ignore
        return type(self), (self.field, self.reason)

    def within(self, prefix: str) -> "InvalidInput":
        """This error seen from one level further out: `prefix.field: reason`."""
        joint = "" if not self.field or self.field.startswith("[") else "."
        return type(self)(prefix + joint + self.field, self.reason)


class FileError(OSError):
    """A file that cannot be opened, read or written; the message names the file and, where known, the line."""

    __module__ = "tactus"
