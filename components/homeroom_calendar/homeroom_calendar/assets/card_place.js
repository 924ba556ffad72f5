// Where the card of a proposal stands: beside its entry, at its height, and never out of the window (ui/style.css reads it).
const CARD_PX = 416
const GAP_PX = 12
const EDGE_PX = 8
const NAMES = ["--proposal-left", "--proposal-top", "--proposal-share"]

export class CardPlace {
  constructor(grid) {
    this.grid = grid
    this.left = new AbortController()
    const again = () => this.follow()
    for (const [target, kind] of [[grid, "scroll"], [window, "resize"]]) target.addEventListener(kind, again, { capture: true, passive: true, signal: this.left.signal })
  }

  // After a drawing: a proposal that has just come is scrolled to.
  show() {
    const entry = this.entry(), key = entry?.dataset.entry
    if (key && key !== this.key) entry.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" })
    this.key = key
    this.follow()
  }

  entry() {
    return this.grid.querySelector(".hc-is-proposed:not(.hc-mirror)")
  }

  follow() {
    const { style } = document.documentElement, entry = this.entry()
    const left = entry && besides(entry.getBoundingClientRect())
    if (left === null || left === undefined) return NAMES.forEach(name => style.removeProperty(name))
    const top = Math.min(Math.max(entry.getBoundingClientRect().top, EDGE_PX), innerHeight - EDGE_PX)
    style.setProperty("--proposal-left", `${left}px`)
    style.setProperty("--proposal-top", `${top}px`)
    // As far down in the card as in the window: so it is whole in both.
    style.setProperty("--proposal-share", String(top / innerHeight))
  }

  remove() {
    this.left.abort()
    NAMES.forEach(name => document.documentElement.style.removeProperty(name))
  }
}

// Left edge of a card beside it; null where neither side has the room.
function besides({ left, right }) {
  if (right + GAP_PX + CARD_PX + EDGE_PX <= innerWidth) return right + GAP_PX
  return left - GAP_PX - CARD_PX >= EDGE_PX ? left - GAP_PX - CARD_PX : null
}
