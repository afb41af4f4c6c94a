"""Motion: states carried through time, events on the way, and the recording of both."""
