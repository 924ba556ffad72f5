"""Our own MCP server: a student's tools for their own AI program, behind the same keys, limits and approvals."""
