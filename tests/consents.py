"""Consents for tests: terms that everybody has agreed to before they came, and terms that are asked about."""

from collections.abc import Mapping

from services.connections.connection import Connection
from services.safety.consent import ModelProvider
from services.safety.consent_terms import ConsentTerms

PUBLIC_URL = "https://homeroom.example"
GIVEN = ConsentTerms(ModelProvider(name="Anthropic"), public_url=PUBLIC_URL, are_given=True)
ASKED = ConsentTerms(ModelProvider(name="Anthropic"), public_url=PUBLIC_URL)


class GivenConsents:
    """`AccountConsents` of students who have agreed to everything."""

    def for_model(self, connections: Mapping[str, Connection]) -> dict[str, Connection]:
        return dict(connections)
