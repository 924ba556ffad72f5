"""Tests of the training of the detector, without training."""
