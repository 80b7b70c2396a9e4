"""XML as text. Entities that it declares are never put in, and nothing is fetched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from aworld.tools.documents.encodings import decode
from aworld.tools.documents.model import Opened, Wanted

_MOST_TAGS = 20


class XmlText(Opened):
    """The text, laid out where it stood on few lines."""

    kind = "xml"
    title = "XML"

    def __init__(self, data: bytes) -> None:
        super().__init__()
        from lxml import etree

        text, encoding = decode(data)
        self.facts["Encoding"] = encoding
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
        )
        try:
            root = etree.fromstring(data, parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            self.notes.append(f"it is no well-formed XML ({error}); it is shown as text.")
        else:
            counts = Counter(etree.QName(element).localname for element in root.iter(etree.Element))
            self.facts["Root"] = etree.QName(root).localname
            self.facts["Elements"] = ", ".join(
                f"{tag} {count}" for tag, count in counts.most_common(_MOST_TAGS)
            )
            if max(map(len, text.splitlines()), default=0) > 400:
                etree.indent(root)
                text = etree.tostring(root, encoding="unicode")
        if "<!ENTITY" in text:
            self.notes.append("it declares entities, which were not put in.")
        self._lines = text.splitlines()

    def lines(self, part: int) -> Iterator[str]:
        """All of them."""
        return iter(self._lines)


def open_document(data: bytes, wanted: Wanted) -> XmlText:
    """Parse, as far as it goes."""
    return XmlText(data)
