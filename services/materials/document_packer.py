"""Document packer: a fetched file read by page in a reader process, as the text that is stored."""

from services.files.documents.document import DocumentText
from services.files.documents.document_reader import document_reader
from services.files.upload import Upload
from services.materials.material import MaterialPage, MaterialText, PageUnit
from services.materials.source import MaterialContent
from services.materials.text_parts import PackedText, pack_text


def pack_document(content: MaterialContent, *, is_background: bool) -> PackedText:
    """Read and pack a file, in a process of its own where nobody waits for it.

    Raises `FileRefused`, and `ServiceUnavailable` where all readers stay busy.
    """
    upload = Upload(name=content.name, content=content.content)
    return pack_text(material_text(document_reader(is_background=is_background).read(upload)))


def material_text(read: DocumentText) -> MaterialText:
    """The text of a material, from what was read of its file."""
    return MaterialText(
        unit=PageUnit(read.unit),
        pages=[
            MaterialPage(number=page.number, label=page.label, text=page.text, notes=page.notes, is_blank=page.is_blank)
            for page in read.pages
        ],
        count=read.count,
        has_pictures=read.can_picture,
        remarks=tuple(read.remarks),
    )
