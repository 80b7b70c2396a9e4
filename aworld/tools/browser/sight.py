"""How a page is read: as lines of elements with refs, and which element a ref means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page, Playwright

_MOST_MS = 10_000
_ENGINE = "dom-ref"
_ENGINE_SCRIPT = """
({
  query(root, ref) { return this.queryAll(root, ref)[0] || null; },
  queryAll(root, ref) {
    const found = (window.aworldRefs || [])[Number(ref.slice(1))];
    return found && found.isConnected ? [found] : [];
  },
})
"""


class Sight(Protocol):
    """A way to read pages."""

    async def tree(self, page: Page) -> str:
        """The page's elements, `- role "name" [ref=e1]`, indented by depth."""
        ...

    def element(self, page: Page, ref: str) -> Locator:
        """The element that had this ref in the last tree."""
        ...


class AccessibleSight:
    """The accessibility tree, as people with a screen reader have it."""

    async def tree(self, page: Page) -> str:
        """Playwright's, with frames."""
        return await page.aria_snapshot(mode="ai", timeout=_MOST_MS)

    def element(self, page: Page, ref: str) -> Locator:
        """By Playwright's own refs."""
        return page.locator(f"aria-ref={ref}")


class DocumentSight:
    """Every visible element, with its id and classes: for pages that are not accessible, whose
    buttons are pictures of a style sheet and whose links are plain words with a script."""

    def __init__(self, leave_out: str = "") -> None:
        """`leave_out` is a CSS selector of what is not shown where it is text only."""
        self._leave_out = leave_out

    async def tree(self, page: Page) -> str:
        """Elements get their refs when they are first seen, and keep them."""
        return str(await page.evaluate(_TREE, self._leave_out))

    def element(self, page: Page, ref: str) -> Locator:
        """By the selector engine that `register_engine` made known."""
        return page.locator(f"{_ENGINE}={ref}")


async def register_engine(driver: Playwright) -> None:
    """Make refs of `DocumentSight` known to the driver, before its first page."""
    await driver.selectors.register(_ENGINE, script=_ENGINE_SCRIPT)


_TREE = r"""
leaveOut => {
  const refs = window.aworldRefs ||= [null];
  const numbers = window.aworldNumbers ||= new WeakMap();
  const skipped = new Set(['SCRIPT', 'STYLE', 'LINK', 'META', 'HEAD', 'TEMPLATE', 'BR', 'defs']);
  const shapes = new Set(['circle', 'ellipse', 'rect', 'polygon', 'path', 'line', 'text', 'g']);
  const inputs = {checkbox: 'checkbox', radio: 'radio', button: 'button', submit: 'button',
    reset: 'button', image: 'button', range: 'slider', number: 'spinbutton', file: 'file'};
  const roles = {A: 'link', BUTTON: 'button', TEXTAREA: 'textbox', SELECT: 'combobox',
    IMG: 'img', H1: 'heading', H2: 'heading', H3: 'heading', UL: 'list', OL: 'list',
    LI: 'listitem', P: 'paragraph', TABLE: 'table', TR: 'row', TD: 'cell', TH: 'cell'};
  const plain = text => text.replace(/\s+/g, ' ').trim();
  const quoted = text => JSON.stringify(plain(text).slice(0, 300));
  const visible = element => {
    const style = getComputedStyle(element);
    return style.display !== 'none' && style.visibility !== 'hidden';
  };
  const role = element => element.tagName === 'INPUT'
    ? inputs[element.type] || 'textbox'
    : roles[element.tagName] || element.tagName.toLowerCase();
  const number = element => {
    if (!numbers.has(element)) numbers.set(element, refs.push(element) - 1);
    return `[ref=e${numbers.get(element)}]`;
  };
  const label = element => {
    if (element.labels && element.labels.length) return element.labels[0].textContent;
    return element.getAttribute('aria-label') || element.placeholder || element.title
      || element.alt || '';
  };
  const facts = element => {
    const said = [];
    if (element.checked) said.push('[checked]');
    if (element.disabled) said.push('[disabled]');
    if (element === document.activeElement && element !== document.body) said.push('[active]');
    if (shapes.has(element.tagName) || element.tagName === 'CANVAS') {
      const box = element.getBoundingClientRect();
      const fill = element.getAttribute('fill') || element.style.fill;
      if (fill) said.push(`[${fill}]`);
      said.push(`[at ${Math.round(box.x + box.width / 2)},${Math.round(box.y + box.height / 2)}`
        + ` size ${Math.round(box.width)}x${Math.round(box.height)}]`);
    }
    const classes = typeof element.className === 'string'
      ? element.className : element.className.baseVal || '';
    const called = [element.id, ...classes.split(/\s+/)].filter(Boolean);
    if (called.length) said.push(`(${[...new Set(called)].slice(0, 4).join(' ')})`);
    return said.length ? ' ' + said.join(' ') : '';
  };
  const lines = [];
  const control = (element, indent) => {
    const name = label(element);
    let line = `${indent}- ${role(element)}${name ? ' ' + quoted(name) : ''} `
      + number(element) + facts(element);
    if (element.tagName === 'SELECT') {
      lines.push(line + ':');
      for (const option of element.options) {
        lines.push(`${indent}  - option ${quoted(option.label)}`
          + (option.selected ? ' [selected]' : ''));
      }
      return;
    }
    if (['button', 'submit', 'reset'].includes(element.type) && !name) {
      line = `${indent}- button ${quoted(element.value)} ${number(element)}${facts(element)}`;
    } else if (!['checkbox', 'radio', 'file', 'image'].includes(element.type) && element.value) {
      line += `: ${quoted(element.value)}`;
    }
    lines.push(line);
  };
  const walk = (element, depth) => {
    if (skipped.has(element.tagName) || !visible(element)) return;
    if (leaveOut && element.matches(leaveOut) && !element.querySelector('svg,img,input')) return;
    const indent = '  '.repeat(depth);
    if (['INPUT', 'TEXTAREA', 'SELECT'].includes(element.tagName)) {
      control(element, indent);
      return;
    }
    const parts = [...element.childNodes].filter(node => node.nodeType === Node.ELEMENT_NODE
      ? !skipped.has(node.tagName) && visible(node)
      : node.nodeType === Node.TEXT_NODE && plain(node.data));
    const inner = parts.filter(node => node.nodeType === Node.ELEMENT_NODE);
    const said = inner.length ? '' : plain(element.textContent);
    const name = said || label(element);
    const wrapper = !name && inner.length === 1 && parts.length === 1 && !facts(element)
      && !['A', 'BUTTON'].includes(element.tagName);
    if (wrapper) { walk(inner[0], depth); return; }
    lines.push(`${indent}- ${role(element)}${name ? ' ' + quoted(name) : ''} `
      + number(element) + facts(element) + (inner.length ? ':' : ''));
    for (const part of inner.length ? parts : []) {
      if (part.nodeType === Node.TEXT_NODE) lines.push(`${indent}  - text: ${plain(part.data)}`);
      else walk(part, depth + 1);
    }
  };
  for (const child of document.body ? document.body.children : []) walk(child, 0);
  return lines.join('\n');
}
"""
