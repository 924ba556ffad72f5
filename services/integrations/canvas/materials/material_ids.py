"""`MaterialId`: the id of a material of Canvas, such as "canvas-101.file-7", taken apart."""
