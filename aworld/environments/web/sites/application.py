"""All sites of an episode as one application: the host's name chooses."""

from __future__ import annotations

from aiohttp import web

from aworld.environments.web.sites.desk import Desk
from aworld.environments.web.sites.desk_pages import SITE as DESK
from aworld.environments.web.sites.shop import Shop
from aworld.environments.web.sites.shop_pages import SITE as SHOP
from aworld.environments.web.sites.state import State
from aworld.environments.web.sites.wiki import Wiki
from aworld.environments.web.sites.wiki_pages import SITE as WIKI

HOSTS = {"shop": SHOP.host, "desk": DESK.host, "wiki": WIKI.host}
_MOST_BYTES = 256 * 1024


def sites_application(state: State) -> web.Application:
    """The shop, the desk and the wiki on one episode's state."""
    application = web.Application(client_max_size=_MOST_BYTES)
    application.add_domain(SHOP.host, Shop(state).application())
    application.add_domain(DESK.host, Desk(state).application())
    application.add_domain(WIKI.host, Wiki(state).application())
    return application
