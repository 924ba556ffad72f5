"""Response writing: answers from tool results, and replies that need no tool."""
