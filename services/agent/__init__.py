"""One turn: prompt, model, tools, events, and the runner that outlives the browser."""
