"""What is wrong with a page as it stands: its width, its links, and what axe finds heavy."""

import json
from typing import Any

from axe_playwright_python.sync_playwright import Axe

AXE = Axe().axe_script
HEAVY = ("serious", "critical")
# Rules that never find anything heavy (LIGHT) are not run, nothing is fetched again, and no page
# has frames.
# Contrast takes longer than everything else together: a text is only looked at if no text before
# it had the same colour, size and weight over the same layers, its neighbours' among them. The
# other rules ask what a page says, not where it stands: once they have seen a page, they look at it
# in another window only around what came or went there. Those that ask more look at all of it.
LIGHT = [  # rules of axe whose findings are minor or moderate
    "aria-allowed-role", "aria-deprecated-role", "empty-heading", "empty-table-header",
    "form-field-multiple-labels", "heading-order", "image-redundant-alt",
    "landmark-banner-is-top-level", "landmark-complementary-is-top-level",
    "landmark-contentinfo-is-top-level", "landmark-main-is-top-level",
    "landmark-no-duplicate-banner", "landmark-no-duplicate-contentinfo",
    "landmark-no-duplicate-main", "landmark-one-main", "landmark-unique", "meta-viewport",
    "meta-viewport-large", "no-autoplay-audio", "page-has-heading-one",
    "presentation-role-conflict", "region", "scope-attr-valid", "server-side-image-map",
    "skip-link", "table-duplicate-name",
]  # fmt: skip
BY_WIDTH = ["scrollable-region-focusable", "link-in-text-block", "bypass"]
# What another language may break in a page whose structure was looked at: names and languages.
BY_LANGUAGE = [
    *BY_WIDTH, "aria-input-field-name", "button-name", "document-title", "html-has-lang",
    "html-lang-valid", "image-alt", "label", "link-name", "select-name", "summary-name",
    "valid-lang",
]  # fmt: skip
LOOK = """
async ([seen, translated]) => {
  const known = new Set(seen), fresh = [], news = [];
  const short = (text) => {  // 53 bits: all looks go along with each page, so they must be small
    let a = 0xdeadbeef, b = 0x41c6ce57;
    for (let i = 0; i < text.length; i++) {
      a = Math.imul(a ^ text.charCodeAt(i), 2654435761);
      b = Math.imul(b ^ text.charCodeAt(i), 1597334677);
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return 4294967296 * (2097151 & b) + (a >>> 0);
  };
  const layer = (el) => {
    const s = getComputedStyle(el);
    return [s.backgroundColor, s.backgroundImage, s.opacity, s.filter, s.position].join();
  };
  const kept = new Map();
  const under = (el) => {
    if (!el) return "";
    if (!kept.has(el)) kept.set(el, short(under(el.parentElement) + ">" + layer(el)));
    return kept.get(el);
  };
  const shown = new Set(document.querySelectorAll("input, textarea, select"));
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = words.nextNode()); ) if (node.data.trim()) shown.add(node.parentElement);
  for (const el of shown) {
    if (el.closest("script, style, noscript, template")) continue;
    const s = getComputedStyle(el);
    const look = [s.color, s.fontSize, s.fontWeight, s.textShadow, el.tagName, under(el)];
    const mark = short(look.join());
    if (known.has(mark) || !el.checkVisibility()) continue;
    known.add(mark);
    news.push(mark);
    fresh.push(el);
  }
  const options = { resultTypes: ["violations"], preload: false, iframes: false };
  const left = [...LIGHT, "color-contrast"];
  const rules = Object.fromEntries(left.map((id) => [id, { enabled: false }]));
  const here = new Set(document.body.querySelectorAll("*"));
  for (const el of here) if (!el.checkVisibility()) here.delete(el);
  const before = document.documentElement.lookedAt;
  document.documentElement.lookedAt = here;
  let all = [];
  if (translated) {
    const runOnly = { type: "rule", values: BY_LANGUAGE };
    all = (await axe.run({ runOnly, ...options })).violations;
  } else if (!before) {
    all = (await axe.run({ rules, ...options })).violations;
  } else {
    const include = new Set();
    const differs = [...before, ...here].filter((el) => before.has(el) !== here.has(el));
    for (const el of differs) {
      const parent = el.parentElement;
      if (!parent || before.has(parent) !== here.has(parent)) continue;
      include.add(el.closest("table") || parent);
      if (el.closest("label")?.control) include.add(el.closest("label").control);
    }
    if (include.size) {
      all = (await axe.run({ include: [...include] }, { rules, ...options })).violations;
    }
    const runOnly = { type: "rule", values: BY_WIDTH };
    all.push(...(await axe.run({ runOnly, ...options })).violations);
  }
  if (!fresh.length) return [all, news];
  const runOnly = { type: "rule", values: ["color-contrast"] };
  const contrast = await axe.run({ include: fresh }, { runOnly, ...options });
  return [all.concat(contrast.violations), news];
}
"""
LOOK = LOOK.replace("BY_WIDTH", json.dumps(BY_WIDTH)).replace("LIGHT", json.dumps(LIGHT))
LOOK = LOOK.replace("BY_LANGUAGE", json.dumps(BY_LANGUAGE))


LOOSE = """
() => {  // links whose line goes on under a space before or after their words
  const drawn = (node, at) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect().width > 0;
  };
  const found = [];
  for (const link of document.querySelectorAll("a[href]")) {
    if (!getComputedStyle(link).textDecorationLine.includes("underline")) continue;
    const walk = document.createTreeWalker(link, NodeFilter.SHOW_TEXT);
    let first, last;
    for (let node; (node = walk.nextNode()); ) {
      if (node.parentElement.closest(".sr")) continue;
      for (let at = 0; at < node.length; at++) {
        if (!drawn(node, at)) continue;
        first ??= node.data[at];
        last = node.data[at];
      }
    }
    if ([first, last].some((sign) => sign && !sign.trim())) found.push(link.textContent.trim());
  }
  return found;
}
"""


SETTLED = """() => Promise.allSettled(
  document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished)
)"""


def faults_on(page: Any, seen: set[int] | None = None, *, translated: bool = False) -> list[str]:
    """What is wrong with a page as it stands: its width, its links, and what axe finds heavy.

    Args:
        seen: looks of texts whose contrast was found sound or told already; grows.
        translated: the page was looked at in another language before.
    """
    seen = set() if seen is None else seen
    found = []
    width, room = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    )
    if width > room:
        found.append(f"{page.url}: {width} px wide in a window of {room} px")
    found += [
        f"{page.url}: a space at an end of “{words}” is underlined"
        for words in page.evaluate(LOOSE)
    ]
    if not page.evaluate("'axe' in window"):  # once a page: it is half a megabyte to send
        page.evaluate(AXE)
    # A button that a script enables passes through colours in between.
    page.evaluate(SETTLED)
    violations, new = page.evaluate(LOOK, [list(seen), translated])
    seen.update(new)
    for violation in violations:
        if violation["impact"] in HEAVY:
            where = "; ".join(str(node["target"]) for node in violation["nodes"][:3])
            found.append(f"{page.url}, {room} px: {violation['help']} ({violation['id']}): {where}")
    return found
