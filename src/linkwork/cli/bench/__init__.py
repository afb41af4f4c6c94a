"""What ``linkwork bench`` measures: batches, rollouts, and chains and trees of any length, beside other libraries."""
