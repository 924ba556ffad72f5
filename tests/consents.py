"""Consents for tests: terms that everybody has agreed to before they came, and terms that are asked about."""

from services.safety.consent import ModelProvider
from services.safety.consent_terms import ConsentTerms

PUBLIC_URL = "https://homeroom.example"
GIVEN = ConsentTerms(ModelProvider(name="Anthropic"), public_url=PUBLIC_URL, are_given=True)
ASKED = ConsentTerms(ModelProvider(name="Anthropic"), public_url=PUBLIC_URL)
