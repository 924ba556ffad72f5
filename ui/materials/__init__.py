"""Parts of the Materials page, and the reader that the chat has as well."""
