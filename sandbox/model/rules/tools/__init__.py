"""Tool profiles: what each tool says of itself, by name, description and schema."""
