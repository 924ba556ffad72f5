// Due points: a thin line at the moment, over the whole width of its day, with its title on it. They take no column from events.
import { entryClass, entryContent, spokenContent } from "./entry.js"
import { DAY, parse } from "./times.js"

const LABEL_MINUTES = 22 // As high as its title.

export const isDuePoint = entry => entry.kind !== "event" && !entry.is_whole_day

export class DueLines {
  // choose: called with the key of the one that was opened. spoken: the sentence of an entry, for ears.
  constructor({ choose, spoken }) {
    Object.assign(this, { choose, spoken })
  }

  // Anew in every day that is shown.
  draw(grid, { entries, from }) {
    for (const lane of grid.querySelectorAll(".hc-lane[data-date]")) {
      lane.querySelector(".hc-due-layer")?.remove()
      const points = entries.filter(entry => isDuePoint(entry) && entry.end.slice(0, 10) === lane.dataset.date)
      if (!points.length) continue
      const layer = Object.assign(document.createElement("div"), { className: "hc-due-layer" })
      layer.append(...points.map(point => this.line(point, { entries, from })))
      lane.append(layer)
    }
  }

  line(point, { entries, from }) {
    const midnight = parse(point.end.slice(0, 10)).getTime(), opens = midnight + parse(`1970-01-01T${from}`).getTime()
    const line = document.createElement("div")
    line.className = `${entryClass(point)} hc-due-point`
    line.classList.toggle("hc-is-over", isOverEvent(point, entries))
    Object.assign(line, { tabIndex: 0, role: "button", title: point.label })
    line.dataset.entry = point.key
    line.style.insetBlockStart = `${100 * (parse(point.end) - opens) / (midnight + DAY - opens)}%`
    line.append(...spokenContent(entryContent(point, true), this.spoken(point)))
    line.addEventListener("click", () => this.choose(point.key))
    // FullCalendar would take it for a press on the free time behind.
    for (const kind of ["pointerdown", "mousedown", "touchstart"]) line.addEventListener(kind, event => event.stopPropagation(), { passive: true })
    line.addEventListener("keydown", event => {
      if (event.key !== "Enter" && event.key !== " ") return
      event.preventDefault()
      this.choose(point.key)
    })
    return line
  }
}

// Whether its title would cover that of an event.
function isOverEvent(point, entries) {
  const end = parse(point.end), start = end - LABEL_MINUTES * 60_000
  return entries.some(entry => entry.kind === "event" && !entry.is_whole_day && parse(entry.start) < end && parse(entry.end) > start)
}
