"""The shop: products, a cart, orders that can be cancelled or sent back."""

from __future__ import annotations

import datetime
from typing import Any

from aiohttp import web

from aworld.environments.web.sites import shop_pages as pages
from aworld.environments.web.sites.state import TODAY, State

RETURN_DAYS = 30
SHIPPING = {"standard": 490, "express": 990, "pickup": 0}
_MOST_OF_ONE = 20


class Shop:
    """Its handlers; `state` is the episode's."""

    def __init__(self, state: State) -> None:
        self._state = state["shop"]

    def application(self) -> web.Application:
        """The site."""
        app = web.Application()
        app.add_routes(
            [
                web.get("/", self.home),
                web.get("/products", self.products),
                web.get("/product/{id}", self.product),
                web.post("/product/{id}/review", self.review),
                web.get("/cart", self.cart),
                web.post("/cart/add", self.add),
                web.post("/cart/update", self.update),
                web.get("/checkout", self.checkout),
                web.post("/checkout", self.buy),
                web.get("/orders", self.orders),
                web.get("/orders/{id}", self.order),
                web.post("/orders/{id}/cancel", self.cancel),
                web.post("/orders/{id}/return", self.send_back),
                web.get("/account", self.account),
                web.post("/account/{address}", self.save_address),
            ]
        )
        return app

    async def home(self, request: web.Request) -> web.Response:
        """Categories, and what is best liked."""
        best = sorted(self._state["products"], key=pages.rating, reverse=True)[:4]
        return _html(pages.home(_categories(self._state), best))

    async def products(self, request: web.Request) -> web.Response:
        """Products that fit a search, in the order that is asked for."""
        asked = request.query
        words = asked.get("q", "").lower().split()
        highest = _number(asked.get("max_price", ""), 0) * 100
        found = [
            each
            for each in self._state["products"]
            if asked.get("category", "") in ("", each["category"])
            and all(word in pages.searched_text(each) for word in words)
            and (not highest or each["price"] <= highest)
            and ("in_stock" not in asked or each["stock"])
        ]
        keys = {"price": lambda each: each["price"], "rating": lambda each: -pages.rating(each)}
        found.sort(key=keys.get(asked.get("sort", ""), lambda each: each["name"]))
        return _html(pages.products(found, dict(asked), _categories(self._state)))

    async def product(self, request: web.Request) -> web.Response:
        """One product."""
        return _html(pages.product(self._product(request), request.query.get("said", "")))

    async def review(self, request: web.Request) -> web.Response:
        """Write what one thinks of it."""
        product, given = self._product(request), await request.post()
        text = str(given.get("text", "")).strip()
        stars = _number(str(given.get("stars", "")), 0)
        if not text or not 1 <= stars <= 5:
            return _html(pages.product(product, "A review needs stars and a text."))
        number = len(product["reviews"]) + 1
        product["reviews"].append({"id": number, "author": "Robin", "stars": stars, "text": text})
        raise web.HTTPSeeOther(f"/product/{product['id']}?said=Thank+you+for+your+review.")

    async def cart(self, request: web.Request) -> web.Response:
        """What is in the cart."""
        return _html(pages.cart(self._cart_lines(), request.query.get("said", "")))

    async def add(self, request: web.Request) -> web.Response:
        """Put some of a product into it."""
        given = await request.post()
        self._put(str(given.get("id", "")), _number(str(given.get("quantity", "")), 1), more=True)
        raise web.HTTPSeeOther("/cart?said=Added+to+your+cart.")

    async def update(self, request: web.Request) -> web.Response:
        """Change how many; 0 takes it out."""
        given = await request.post()
        self._put(str(given.get("id", "")), _number(str(given.get("quantity", "")), 0), more=False)
        raise web.HTTPSeeOther("/cart?said=Your+cart+was+changed.")

    async def checkout(self, request: web.Request) -> web.Response:
        """Where to, and how."""
        if not self._state["cart"]:
            raise web.HTTPSeeOther("/cart")
        return _html(pages.checkout(self._cart_lines(), self._state["addresses"], SHIPPING))

    async def buy(self, request: web.Request) -> web.Response:
        """Make the cart an order."""
        given = await request.post()
        address, shipping = str(given.get("address", "")), str(given.get("shipping", ""))
        if address not in self._state["addresses"] or shipping not in SHIPPING:
            raise web.HTTPSeeOther("/checkout")
        lines = [
            {"id": product["id"], "quantity": quantity, "price": product["price"]}
            for product, quantity in self._cart_lines()
        ]
        if not lines:
            raise web.HTTPSeeOther("/cart")
        cost = SHIPPING[shipping]
        number = str(self._state["next_order"])
        self._state["next_order"] += 1
        self._state["orders"].append(
            {
                "id": number,
                "date": TODAY,
                "status": "Being prepared",
                "address": address,
                "shipping": shipping,
                "shipping_cost": cost,
                "lines": lines,
                "total": cost + sum(line["quantity"] * line["price"] for line in lines),
                "returns": [],
                "delivered": "",
            }
        )
        for product, quantity in self._cart_lines():
            product["stock"] -= quantity
        self._state["cart"].clear()
        raise web.HTTPSeeOther(f"/orders/{number}?said=Thank+you.+Your+order+was+placed.")

    async def orders(self, request: web.Request) -> web.Response:
        """All orders, the newest first."""
        return _html(pages.orders(self._state["orders"][::-1], self._names()))

    async def order(self, request: web.Request) -> web.Response:
        """One order."""
        return self._order_page(self._order(request), request.query.get("said", ""))

    async def cancel(self, request: web.Request) -> web.Response:
        """Cancel it, while it is being prepared."""
        order = self._order(request)
        if order["status"] != "Being prepared":
            return self._order_page(order, "This order can no longer be cancelled.")
        order["status"] = "Cancelled"
        raise web.HTTPSeeOther(f"/orders/{order['id']}?said=Your+order+was+cancelled.")

    async def send_back(self, request: web.Request) -> web.Response:
        """Send one of its things back."""
        order, given = self._order(request), await request.post()
        product, reason = str(given.get("product", "")), str(given.get("reason", "")).strip()
        known = {line["id"] for line in order["lines"]}
        known -= {done["id"] for done in order["returns"]}
        if not can_return(order) or product not in known:
            return self._order_page(order, "This cannot be returned.")
        if not reason:
            return self._order_page(order, "Please tell us the reason.")
        order["returns"].append({"id": product, "reason": reason})
        raise web.HTTPSeeOther(f"/orders/{order['id']}?said=Your+return+is+registered.")

    async def account(self, request: web.Request) -> web.Response:
        """The addresses."""
        return _html(pages.account(self._state["addresses"], request.query.get("said", "")))

    async def save_address(self, request: web.Request) -> web.Response:
        """Change one."""
        name, given = request.match_info["address"], await request.post()
        if name not in self._state["addresses"]:
            raise web.HTTPNotFound()
        address = {key: str(given.get(key, "")).strip() for key in ("name", "street", "city")}
        if not all(address.values()):
            return _html(pages.account(self._state["addresses"], "An address has three lines."))
        self._state["addresses"][name] = address
        raise web.HTTPSeeOther("/account?said=The+address+was+saved.")

    def _order_page(self, order: dict[str, Any], said: str) -> web.Response:
        address = self._state["addresses"][order["address"]]
        return _html(pages.order(order, self._names(), address, can_return(order), said))

    def _put(self, product_id: str, quantity: int, *, more: bool) -> None:
        product = next((p for p in self._state["products"] if p["id"] == product_id), None)
        if product is None:
            raise web.HTTPNotFound()
        before = self._state["cart"].get(product_id, 0) if more else 0
        wanted = min(before + quantity, product["stock"], _MOST_OF_ONE)
        if wanted > 0:
            self._state["cart"][product_id] = wanted
        else:
            self._state["cart"].pop(product_id, None)

    def _cart_lines(self) -> list[tuple[dict[str, Any], int]]:
        by_id = {product["id"]: product for product in self._state["products"]}
        return [(by_id[key], quantity) for key, quantity in self._state["cart"].items()]

    def _names(self) -> dict[str, str]:
        return {product["id"]: product["name"] for product in self._state["products"]}

    def _product(self, request: web.Request) -> dict[str, Any]:
        return _by_id(self._state["products"], request)

    def _order(self, request: web.Request) -> dict[str, Any]:
        return _by_id(self._state["orders"], request)


def can_return(order: dict[str, Any]) -> bool:
    """Whether it was delivered within the last thirty days."""
    if not order["delivered"]:
        return False
    passed = datetime.date.fromisoformat(TODAY) - datetime.date.fromisoformat(order["delivered"])
    return passed.days <= RETURN_DAYS


def _by_id(items: list[dict[str, Any]], request: web.Request) -> dict[str, Any]:
    for item in items:
        if item["id"] == request.match_info["id"]:
            return item
    raise web.HTTPNotFound(text="There is no such page.")


def _categories(state: State) -> list[str]:
    return sorted({product["category"] for product in state["products"]})


def _number(text: str, default: int) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else default


def _html(text: str) -> web.Response:
    return web.Response(text=text, content_type="text/html")
