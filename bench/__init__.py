"""Speed, scale and memory, as ratios within one run."""
