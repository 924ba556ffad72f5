"""What the tests of the parts of screens share."""

from tests.component_manifests import component_manifests  # noqa: F401 - fixture
