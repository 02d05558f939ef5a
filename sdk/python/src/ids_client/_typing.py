"""Names that `typing` has since Python 3.11."""

import sys

if sys.version_info >= (3, 11):
    from typing import NotRequired, Unpack
else:
    from typing_extensions import NotRequired, Unpack

__all__ = ["NotRequired", "Unpack"]
