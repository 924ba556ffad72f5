"""Client of the language model: the Messages API of Anthropic, its errors, and what each model can take and costs."""
