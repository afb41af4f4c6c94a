"""Points on surfaces."""
