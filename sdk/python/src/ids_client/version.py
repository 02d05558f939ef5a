"""Version of the package, which is that of the contract."""

VERSION = "1.0.0"
