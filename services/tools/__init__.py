"""What a tool is, where tools are found, and who may use which."""
