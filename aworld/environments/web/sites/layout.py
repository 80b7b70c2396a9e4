"""How the sites look: one shell and one style sheet, a colour for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from aworld.environments.web.sites.markup import Child, Markup, join, link, tag


class Site(NamedTuple):
    """A site's front."""

    name: str
    host: str
    colour: str
    menu: Sequence[tuple[str, str]]
    """Addresses with their texts."""
    search: str
    """Where the search in the head leads."""


def page(site: Site, title: str, *content: Child, notice: str = "") -> str:
    """A whole page."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", f"{title} · {site.name}"),
        # An icon that is asked for would be one more request.
        tag("link", rel="icon", href="data:,"),
        tag("style", Markup(_STYLE.replace("COLOUR", site.colour))),
    )
    search = tag(
        "form",
        tag("input", type="search", name="q", aria_label="Search", placeholder="Search"),
        tag("button", "Search", type="submit"),
        action=site.search,
        method="get",
        role="search",
    )
    menu = tag("nav", [link(address, text) for address, text in site.menu], aria_label="Main")
    body = tag(
        "body",
        tag("header", tag("a", site.name, href="/", class_="brand"), menu, search),
        tag(
            "main",
            tag("p", notice, class_="notice", role="status") if notice else None,
            tag("h1", title),
            *content,
        ),
        tag("footer", f"{site.name}. Today is 4 March 2024."),
    )
    return "<!doctype html>" + tag("html", head, body, lang="en")


def card(title: Child, *content: Child) -> Markup:
    """A box with a heading."""
    return tag("section", tag("h2", title), join(content), class_="card")


_STYLE = """
:root{--colour:COLOUR;--ink:#1c2330;--soft:#5b6475;--line:#dfe3ea;--ground:#f5f6f9}
*{box-sizing:border-box}
body{margin:0;font:16px/1.5 system-ui,"DejaVu Sans",sans-serif;color:var(--ink);
background:var(--ground)}
header{display:flex;gap:1.5rem;align-items:center;flex-wrap:wrap;padding:.8rem 2rem;
background:var(--colour);color:#fff}
header a{color:#fff;text-decoration:none}header nav a{margin-right:1.1rem}
header nav a:hover{text-decoration:underline}
.brand{font-weight:700;font-size:1.25rem}header form{margin-left:auto;display:flex;gap:.4rem}
main{max-width:66rem;margin:1.5rem auto;padding:0 2rem}
h1{font-size:1.7rem;margin:.2rem 0 1rem}h2{font-size:1.15rem;margin:0 0 .6rem}
a{color:var(--colour)}
.card{background:#fff;border:1px solid var(--line);border-radius:.7rem;padding:1rem 1.2rem;
margin:0 0 1rem}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:1rem}
.grid .card{margin:0}
table{width:100%;border-collapse:collapse;background:#fff;border:1px solid var(--line);
margin-bottom:1rem}
th,td{text-align:left;padding:.5rem .8rem;border-bottom:1px solid var(--line);
vertical-align:top}
th{color:var(--soft);font-weight:600}
caption{text-align:left;color:var(--soft);padding:.3rem 0}
.field{margin:.5rem 0}label{display:block;font-weight:600;margin-bottom:.15rem}
input,select,textarea{font:inherit;padding:.4rem .6rem;border:1px solid #aab2c0;
border-radius:.4rem;max-width:100%;background:#fff;color:var(--ink)}
textarea{width:100%}
button{font:inherit;padding:.4rem 1rem;border:0;border-radius:.4rem;background:var(--colour);
color:#fff;cursor:pointer;box-shadow:inset 0 0 0 1px #ffffff55}
.price{font-size:1.2rem;font-weight:700}.soft{color:var(--soft)}
.row{display:flex;gap:.8rem;align-items:end;flex-wrap:wrap}
.notice{background:#e7f6ec;border:1px solid #9fd3b0;padding:.6rem 1rem;border-radius:.5rem}
pre{white-space:pre-wrap;background:var(--ground);padding:.8rem;border-radius:.5rem}
footer{max-width:66rem;margin:2rem auto;padding:0 2rem;color:var(--soft);font-size:.9rem}
"""
