"""How a school's system gets registered: by an invite and its own registration service, or by hand with presets."""
