"""Linkwork beside other libraries: batches, rollouts, and chains and trees of any length."""
