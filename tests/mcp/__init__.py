"""MCP servers for tests: real ones from npm (package.json), and a small one that misbehaves."""
