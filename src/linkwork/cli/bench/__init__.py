"""What ``linkwork bench`` measures: batches and rollouts on real robots, and chains and trees of any length, beside other libraries."""
