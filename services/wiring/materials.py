"""Course materials: the library and its reading job, made once and shared."""

from dataclasses import dataclass

from services.classes.class_repository import ClassRepository
from services.connections.connections import Connections
from services.files.limits import MEGABYTE
from services.i18n import gettext_noop
from services.identity.students import Students
from services.integrations.base import Integrations
from services.materials.connected_sources import ConnectedSources
from services.materials.embeddings.library_vectors import LibraryVectors
from services.materials.embeddings.own_vectors import OwnVectors
from services.materials.embeddings.voyage import LABEL, VoyageEmbeddings, VoyageVectors
from services.materials.ingestion.ingester import Ingester, pack_document
from services.materials.ingestion.reading_job import ReadingJob
from services.materials.ingestion.reading_pool import ReadingPool
from services.materials.library import LibraryParts, MaterialLibrary
from services.materials.library_search import LibrarySearch
from services.materials.limits import LibraryLimits, LibraryMeter
from services.materials.listings import Listings
from services.materials.own_courses import OwnCourses
from services.materials.page_access import PageAccess
from services.materials.question_search import QuestionSearch
from services.materials.retention import Retention
from services.materials.store.class_libraries import ClassLibraries
from services.materials.store.original_file_cache import OriginalFileCache
from services.materials.store.uploads import Uploads
from services.runtime.clock import Clock
from services.safety.consent import ConsentStatus, Recipient
from services.safety.consent_terms import ConsentTerms
from services.settings import Settings
from services.settings.embeddings_provider import HERE, EmbeddingsSettings
from services.wiring.repositories import Repositories


@dataclass(frozen=True, kw_only=True)
class MaterialServices:
    materials: MaterialLibrary
    material_reading: ReadingJob
    material_retention: Retention


def library_of(
    repositories: Repositories,
    offered: Integrations,
    connections: Connections,
    clock: Clock,
    *,
    settings: Settings,
    terms: ConsentTerms,
) -> MaterialServices:
    """Make the library, the job that reads ahead for it, and what deletes in time what nobody uses."""
    classes = ClassRepository(repositories.store, clock)
    repository = ClassLibraries(repositories.store, clock, classes.open_libraries)
    originals = OriginalFileCache(clock)
    meter, uploads = LibraryMeter(repository, _limits(settings)), Uploads(repository, clock)
    sources = ConnectedSources(offered, connections)
    listings = Listings(repository=repository, sources=sources, originals=originals, clock=clock)
    reader = Ingester(
        repository=repository, sources=sources, uploads=uploads, originals=originals, meter=meter, pack=pack_document
    )
    vectors = _vectors(settings.embeddings, repositories.students, connections, terms)
    pool, search = ReadingPool(reader), LibrarySearch(repository, listings, clock, vectors)
    job = ReadingJob(
        repository=repository,
        sources=sources,
        listings=listings,
        reader=reader,
        leases=repositories.leases,
        students=repositories.students,
        clock=clock,
    )
    parts = LibraryParts(
        repository=repository,
        sources=sources,
        listings=listings,
        access=PageAccess(repository=repository, listings=listings, reader=reader, pool=pool, clock=clock),
        questions=QuestionSearch(
            repository=repository, listings=listings, search=search, pool=pool, job=job, clock=clock
        ),
        search=search,
        own_courses=OwnCourses(
            repository=repository,
            listings=listings,
            uploads=uploads,
            meter=meter,
            pack=pack_document,
            leases=repositories.leases,
            clock=clock,
        ),
        originals=originals,
        meter=meter,
        job=job,
        clock=clock,
    )
    library = MaterialLibrary(parts)
    _follow_connections(connections, repositories, library)
    return MaterialServices(
        materials=library, material_reading=job, material_retention=Retention(repository, listings, clock)
    )


def _follow_connections(connections: Connections, repositories: Repositories, library: MaterialLibrary) -> None:
    def after_disconnect(student_id: str, integration: str) -> None:
        repositories.approvals.shorten_waiting(student_id, integration)
        library.remove_lost_accounts(student_id)

    connections.on_disconnect = after_disconnect
    connections.consents.on_change = library.review_consent


def _limits(settings: Settings) -> LibraryLimits:
    return LibraryLimits(in_all=1_000 * settings.materials_gb * MEGABYTE)


def _vectors(
    provider: EmbeddingsSettings | None, students: Students, connections: Connections, terms: ConsentTerms
) -> LibraryVectors | None:
    """What makes vectors of materials: this machine, or a provider for students who agreed to it; None where the
    operator wants none.
    """
    if provider is None:
        return None
    if provider.provider == HERE:
        # Nothing leaves this machine, so that nobody has to agree to it.
        return LibraryVectors(OwnVectors(), lambda _student_id, _source: True)

    def may_send(student_id: str, source: str) -> bool:
        student = students.get(student_id)
        if student is None or student.is_disabled or not terms.is_chat_agreed(student.consent):
            return False
        account = connections.all(student_id).get(source) if source else None
        return account is None or connections.consents.status(account) is ConsentStatus.GIVEN

    return LibraryVectors(VoyageVectors(VoyageEmbeddings(provider.api_key, provider.base_url)), may_send)


def embeddings_recipient(provider: EmbeddingsSettings | None) -> Recipient | None:
    """Who receives the texts of materials, besides the model."""
    if provider is None or provider.provider == HERE:
        return None
    receives = gettext_noop("the text of the course materials that you use, and your questions about them")
    return Recipient(name=LABEL, address=provider.base_url, receives=receives)
