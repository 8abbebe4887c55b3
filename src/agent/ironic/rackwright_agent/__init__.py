"""Deploy steps that make a CoreOS live system install itself."""
