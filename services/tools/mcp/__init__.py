"""Client of the MCP servers that the operator configured: their tools, asynchronous behind one blocking portal."""
