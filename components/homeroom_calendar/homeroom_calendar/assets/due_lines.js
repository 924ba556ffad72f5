// Due points: a thin line at the moment, over the whole width of its day, with its title on it. They take no column from events.
import { entryClass, entryContent, spokenContent } from "./entry.js"
import { DAY, parse } from "./times.js"

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
      layer.append(...points.map(point => this.line(point, from)))
      lane.append(layer)
    }
  }

  line(point, from) {
    const midnight = parse(point.end.slice(0, 10)).getTime(), opens = midnight + parse(`1970-01-01T${from}`).getTime()
    const line = document.createElement("div")
    line.className = `${entryClass(point)} hc-due-point`
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

// What a title on a line would cover of an event's words it leaves free: it goes to the right, then below its line, else it is
// out of sight until it is pointed at.
const PLACES = [[], ["hc-is-aside"], ["hc-is-aside", "hc-is-below"], ["hc-is-hidden"]]

export function clearWords(grid) {
  for (const lane of grid.querySelectorAll(".hc-lane")) {
    const words = [...lane.querySelectorAll(".hc-event:not(.hc-due-point) :is(.hc-title, .hc-time, .hc-more)")].flatMap(linesOf)
    for (const line of lane.querySelectorAll(".hc-due-point")) {
      const label = line.querySelector(".hc-entry")
      for (const place of PLACES) {
        line.classList.remove(...PLACES.flat())
        line.classList.add(...place)
        if (!words.some(rect => meet(rect, label.getBoundingClientRect()))) break
      }
    }
  }
}

// Where the words of an element are, line by line: it is often wider than they are.
function linesOf(element) {
  const range = document.createRange()
  range.selectNodeContents(element)
  const { bottom } = element.getBoundingClientRect()
  return [...range.getClientRects()].filter(rect => rect.top < bottom - 2)
}

const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 3 && other.top < one.bottom - 3
