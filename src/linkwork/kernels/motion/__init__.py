"""Motion through time: integrators, compiled steps, rollouts."""
