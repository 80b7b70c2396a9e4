"""The shop's pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from aworld.environments.web.sites.layout import Site, card, page
from aworld.environments.web.sites.markup import (
    Markup,
    area,
    choice,
    field,
    form,
    link,
    table,
    tag,
)

Product = Mapping[str, Any]
Order = Mapping[str, Any]

SITE = Site(
    "Corner Shop",
    "shop.test",
    "#1f5f4a",
    (
        ("/products", "All products"),
        ("/cart", "Cart"),
        ("/orders", "My orders"),
        ("/account", "My addresses"),
    ),
    "/products",
)
_SORTS = (("name", "Name"), ("price", "Price, lowest first"), ("rating", "Rating, best first"))
_ADDRESS = ("name", "street", "city")


def money(cents: int) -> str:
    """`€24.90`."""
    return f"€{cents // 100}.{cents % 100:02d}"


def rating(product: Product) -> float:
    """The mean of its reviews' stars."""
    stars = [review["stars"] for review in product["reviews"]]
    return float(sum(stars) / len(stars)) if stars else 0.0


def searched_text(product: Product) -> str:
    """What a search looks at."""
    parts = (product["name"], product["category"], product["description"])
    return " ".join(parts).lower()


def home(categories: Iterable[str], best: Iterable[Product]) -> str:
    """The front page."""
    links = [tag("li", link(f"/products?category={name}", name)) for name in categories]
    return page(
        SITE,
        "Welcome",
        card("Categories", tag("ul", links)),
        tag("h2", "Liked best"),
        _grid(best),
    )


def products(found: Sequence[Product], asked: Mapping[str, str], categories: Sequence[str]) -> str:
    """A list with its filters."""
    every = [("", "All categories"), *((name, name) for name in categories)]
    filters = form(
        "/products",
        tag(
            "div",
            field("Search for", "q", asked.get("q", "")),
            choice("Category", "category", every, asked.get("category", "")),
            field("Highest price in euros", "max_price", asked.get("max_price", ""), "number"),
            choice("Sort by", "sort", _SORTS, asked.get("sort", "name")),
            _box("Only what is in stock", "in_stock", "in_stock" in asked),
            class_="row",
        ),
        method="get",
        button="Show",
    )
    title = asked.get("category") or "All products"
    count = tag("p", f"{len(found)} products", class_="soft")
    return page(SITE, title, card("Filter", filters), count, _grid(found))


def product(shown: Product, said: str = "") -> str:
    """One product with its reviews."""
    stock = f"{shown['stock']} in stock" if shown["stock"] else "Sold out"
    buy = form(
        "/cart/add",
        tag("input", type="hidden", name="id", value=shown["id"]),
        field("Quantity", "quantity", "1", "number", min=1, max=shown["stock"] or 1),
        button="Add to cart",
    )
    stars = [(str(number), f"{number} stars") for number in range(5, 0, -1)]
    review = form(
        f"/product/{shown['id']}/review",
        choice("Stars", "stars", stars, "5"),
        area("Your review", "text"),
        button="Send review",
    )
    reviews = [
        tag("li", tag("strong", f"{each['stars']} of 5"), f", {each['author']}: {each['text']}")
        for each in shown["reviews"]
    ]
    return page(
        SITE,
        shown["name"],
        tag("p", shown["description"]),
        tag("p", money(shown["price"]), class_="price"),
        tag("p", stock),
        card("Facts", table(("What", "Value"), shown["facts"].items())),
        card("Buy", buy) if shown["stock"] else None,
        card(f"Reviews ({rating(shown):.1f} of 5)", tag("ul", reviews)),
        card("Write a review", review),
        notice=said,
    )


def cart(lines: Sequence[tuple[Product, int]], said: str = "") -> str:
    """What is in the cart."""
    if not lines:
        return page(SITE, "Cart", tag("p", "Your cart is empty."), notice=said)
    rows = [
        (
            link(f"/product/{each['id']}", each["name"]),
            money(each["price"]),
            _quantity(each, quantity),
            money(each["price"] * quantity),
        )
        for each, quantity in lines
    ]
    total = sum(each["price"] * quantity for each, quantity in lines)
    return page(
        SITE,
        "Cart",
        table(("Product", "Price", "Quantity", "Sum"), rows),
        tag("p", f"Sum without shipping: {money(total)}", class_="price"),
        tag("p", link("/checkout", "Go to checkout")),
        notice=said,
    )


def _quantity(shown: Product, quantity: int) -> Markup:
    label = f"Quantity of {shown['name']}"
    return form(
        "/cart/update",
        tag("input", type="hidden", name="id", value=shown["id"]),
        tag("input", name="quantity", type="number", value=quantity, min=0, aria_label=label),
        button="Change",
        class_="row",
    )


def checkout(
    lines: Sequence[tuple[Product, int]],
    addresses: Mapping[str, Mapping[str, str]],
    shipping: Mapping[str, int],
) -> str:
    """Address and shipping."""
    places = [
        (key, f"{key.capitalize()}: {', '.join(address[part] for part in _ADDRESS)}")
        for key, address in addresses.items()
    ]
    ways = [(key, f"{key.capitalize()} ({money(cost)})") for key, cost in shipping.items()]
    things = tag("ul", [tag("li", f"{quantity} × {each['name']}") for each, quantity in lines])
    order = form(
        "/checkout",
        choice("Deliver to", "address", places, "home"),
        choice("Shipping", "shipping", ways, "standard"),
        button="Place order",
    )
    return page(SITE, "Checkout", card("Your things", things), card("Delivery", order))


def orders(shown: Iterable[Order], names: Mapping[str, str]) -> str:
    """All orders."""
    rows = [
        (
            link(f"/orders/{each['id']}", f"Order {each['id']}"),
            each["date"],
            ", ".join(f"{line['quantity']} × {names[line['id']]}" for line in each["lines"]),
            each["status"],
        )
        for each in shown
    ]
    return page(SITE, "My orders", table(("Order", "Date", "Things", "Status"), rows))


def order(
    shown: Order,
    names: Mapping[str, str],
    address: Mapping[str, str],
    returnable: bool,
    said: str = "",
) -> str:
    """One order, with what can be done with it."""
    rows = [
        (names[line["id"]], line["quantity"], money(line["price"] * line["quantity"]))
        for line in shown["lines"]
    ]
    rows.append((f"Shipping, {shown['shipping']}", "", money(shown["shipping_cost"])))
    where = ", ".join(address[part] for part in _ADDRESS)
    returned = [tag("li", f"{names[each['id']]}: {each['reason']}") for each in shown["returns"]]
    return page(
        SITE,
        f"Order {shown['id']}",
        tag("p", f"Ordered on {shown['date']}. Status: {shown['status']}. To: {where}."),
        table(("Thing", "Quantity", "Price"), rows),
        tag("p", f"Total: {money(shown['total'])}", class_="price"),
        card("Returns", tag("ul", returned)) if returned else None,
        _what_can_be_done(shown, names, returnable),
        notice=said,
    )


def _what_can_be_done(shown: Order, names: Mapping[str, str], returnable: bool) -> Markup | None:
    if shown["status"] == "Being prepared":
        return card("Cancel", form(f"/orders/{shown['id']}/cancel", button="Cancel this order"))
    done = {each["id"] for each in shown["returns"]}
    left = [(line["id"], names[line["id"]]) for line in shown["lines"] if line["id"] not in done]
    if not returnable:
        return tag("p", "This order can no longer be returned.", class_="soft") if left else None
    fields = (choice("What", "product", left), field("Reason", "reason"))
    sending = form(f"/orders/{shown['id']}/return", *fields, button="Return it")
    return card("Return something", sending) if left else None


def account(addresses: Mapping[str, Mapping[str, str]], said: str = "") -> str:
    """The addresses, each with its form."""
    forms = [
        card(
            f"{key.capitalize()} address",
            form(
                f"/account/{key}",
                *(
                    field(
                        f"{part.capitalize()} ({key})", part, address[part], form_name=key, size=40
                    )
                    for part in _ADDRESS
                ),
                button=f"Save {key} address",
            ),
        )
        for key, address in addresses.items()
    ]
    return page(SITE, "My addresses", *forms, notice=said)


def _grid(found: Iterable[Product]) -> Markup:
    cards = [
        card(
            link(f"/product/{each['id']}", each["name"]),
            tag("p", money(each["price"]), class_="price"),
            tag("p", f"{rating(each):.1f} of 5, {each['category']}", class_="soft"),
            None if each["stock"] else tag("p", "Sold out"),
        )
        for each in found
    ]
    return tag("div", cards, class_="grid")


def _box(label: str, name: str, checked: bool) -> Markup:
    return tag(
        "p", tag("label", tag("input", type="checkbox", name=name, checked=checked), f" {label}")
    )
