"""Description files: readers and writers, each knowing only the linkage."""
