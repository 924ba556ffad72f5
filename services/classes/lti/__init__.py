"""LTI 1.3, the tool's side: registrations, login, launch, deep linking, names and roles (IMS/1EdTech)."""
