"""HTTP API, its middleware, and the MCP server."""
