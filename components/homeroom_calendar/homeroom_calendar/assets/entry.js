// Elements of one entry. Every text comes from outside and is set as text: nothing here is read as HTML.
const MARKS = { done: "✓", proposed: "?", planned: "●", clash: "⚠" }

function element(kind, className, text) {
  const made = document.createElement(kind)
  made.className = className
  if (text) made.textContent = text
  return made
}

// lines: of its title that are seen whole.
export function entryContent(entry, isShort, lines = 1) {
  const marks = [entry.state, entry.clash ? "clash" : ""].map(mark => MARKS[mark]).filter(Boolean).join(" ")
  const head = element("span", "hc-title")
  if (marks) {
    const mark = element("span", "hc-mark", `${marks} `)
    mark.ariaHidden = "true"
    head.append(mark)
  }
  head.append(entry.title)
  const time = entry.time ? element("span", "hc-time", entry.time) : ""
  const more = [entry.clash, entry.details].filter(Boolean).map(text => element("span", "hc-more", text))
  const seen = element("span", isShort ? "hc-entry hc-in-line" : "hc-entry")
  seen.style.setProperty("--lines", lines)
  seen.append(head, ...(isShort ? [time] : [time, ...more]).filter(Boolean))
  return seen
}

// labelAt: share of the room's height that stands above its label.
export function roomContent(label, labelAt) {
  const shown = element("span", "hc-free-label", label)
  shown.style.insetBlockStart = `${100 * labelAt}%`
  return [shown]
}

// What a screen reader says of it instead: the day too, which a column says to eyes alone.
export function spokenContent(seen, spoken) {
  const whole = document.createDocumentFragment()
  seen.ariaHidden = "true"
  whole.append(element("span", "hc-heard", spoken), seen)
  return [...whole.childNodes]
}

export function entryClass(entry) {
  const names = ["hc-event", `hc-${entry.kind}`, entry.tone === null ? "hc-plain" : `hc-tone-${entry.tone}`]
  if (entry.state) names.push(`hc-is-${entry.state}`)
  if (entry.is_offer) names.push("hc-is-offer")
  if (entry.is_past) names.push("hc-is-past")
  if (entry.clash) names.push("hc-is-clashing")
  if (entry.can_move) names.push("hc-can-move")
  return names.join(" ")
}
