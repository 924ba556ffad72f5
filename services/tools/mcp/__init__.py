"""Tools of MCP servers that the operator configured. Only here is anything async, behind one background loop."""
