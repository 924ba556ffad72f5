"""`InventoryItem`: one collection with data of a student, in words for them."""

from dataclasses import dataclass

from services.i18n import gettext_noop
from services.identity.roles import address_key
from services.storage.documents import Document, Where
from services.storage.store import Store

UNTIL_DELETED = gettext_noop("Until you delete everything.")


@dataclass(frozen=True, kw_only=True)
class InventoryItem:
    """Collection of the inventory, in words for the student.

    field: of a collection that is shared, the field that names the student; None for one that is owned.
    by_address: that field holds their e-mail address without capitals, and counts while the provider vouches for it.
    excluded_fields: those that no export holds: secrets, hashes of secrets, and marks that only our processes read.
    is_exported: False for what says nothing that is not elsewhere, and for marks that exist for minutes.
    """

    collection: str
    title: str
    holds: str
    retention: str
    field: str | None = None
    by_address: bool = False
    excluded_fields: tuple[str, ...] = ()
    is_exported: bool = True

    def where(self, store: Store, student_id: str) -> Where:
        """What finds the student's documents in a shared collection; no document has an empty address."""
        if self.field is None:
            raise ValueError("An owned collection is reached through its student's view.")
        if not self.by_address:
            return {self.field: student_id}
        student = store.shared.get("students", student_id) or {}
        return {self.field: address_key(student["email"]) if student.get("email_verified") else ""}

    def documents(self, store: Store, student_id: str) -> list[Document]:
        """The student's documents as they are stored."""
        if self.field is None:
            return store.for_student(student_id).find(self.collection, {})
        return store.shared.find(self.collection, self.where(store, student_id))

    def count(self, store: Store, student_id: str) -> int:
        """Count the student's documents."""
        if self.field is None:
            return store.for_student(student_id).count(self.collection, {})
        return store.shared.count(self.collection, self.where(store, student_id))
