// The week: FullCalendar with the page's data, and what a student does in it told to the page.
import { Calendar, interaction, timeGrid } from "./fullcalendar.js"
import { CardPlace } from "./card_place.js"
import { DueLines, clearWords, isDuePoint } from "./due_lines.js"
import { entryClass, entryContent, roomContent, spokenContent } from "./entry.js"
import { EventMover, StretchPicker } from "./keyboard.js"
import { Clock, Writer, day, later, parse, write } from "./times.js"

const NARROW = "(max-width: 640px)"
const SHORT_MINUTES = 45
const USUAL_MINUTES = 60
const DAYS_SHOWN = 3
const SLOT_PX = 23
const ENTRY_EDGES_PX = 5
const LINE_PX = 16

export class WeekCalendar {
  constructor(place) {
    this.root = Object.assign(document.createElement("div"), { className: "hc-week" })
    this.grid = Object.assign(document.createElement("div"), { className: "hc-grid" })
    this.picker = new StretchPicker(this)
    this.mover = new EventMover(this)
    this.place = new CardPlace(this.grid)
    this.dueLines = new DueLines({ choose: key => this.tell("chosen", key), spoken: entry => this.spoken(entry) })
    this.heard = Object.assign(document.createElement("p"), { className: "hc-heard hc-live", ariaLive: "polite" })
    // Before FullCalendar hears of the key, for which Enter opens an entry.
    this.grid.addEventListener("keydown", event => this.mover.press(event), true)
    this.left = new AbortController()
    matchMedia(NARROW).addEventListener("change", () => this.show(), { signal: this.left.signal })
    this.root.append(this.picker.element, this.grid, this.heard)
    place.append(this.root)
  }

  update(component) {
    const { data } = component
    this.component = component
    const focused = this.root.contains(document.activeElement) && document.activeElement.closest("[data-entry]")?.dataset.entry
    this.data = data
    this.clock = new Clock(data.now)
    this.writer = new Writer(data)
    this.days = Object.fromEntries(data.days.map(each => [each.date, each]))
    this.picker.update(data)
    this.mover.cancel()
    this.root.dataset.first = data.first
    this.show()
    if (focused) this.focus(focused)
  }

  show() {
    const view = this.view()
    if (this.calendar) {
      this.calendar.batchRendering(() => {
        for (const [name, value] of Object.entries(this.changingOptions())) this.calendar.setOption(name, value)
        this.calendar.changeView(view, this.firstShown(view))
      })
    } else {
      this.calendar = new Calendar(this.grid, { ...this.fixedOptions(), ...this.changingOptions(), initialView: view, initialDate: this.firstShown(view) })
      this.grid.style.visibility = "hidden"
      this.calendar.render()
      settled(this.grid).then(() => { this.grid.style.visibility = "" })
    }
    this.dueLines.draw(this.grid, this.data)
    settled(this.grid).then(() => { if (this.left.signal.aborted) return; clearWords(this.grid); this.place.show() })
    this.root.dataset.view = view
    this.name()
  }

  remove() {
    this.left.abort()
    this.place.remove()
    this.calendar?.destroy()
    this.root.remove()
  }

  // Without a chosen view a phone shows three days; the page is told, so that its buttons say so.
  view() {
    if (this.data.view) return this.data.view
    const isNarrow = matchMedia(NARROW).matches
    if (isNarrow !== this.data.is_narrow) this.tell("narrow", isNarrow ? "yes" : "no")
    return isNarrow ? "days" : "week"
  }

  firstShown(view) {
    if (view === "week") return this.data.first
    const last = later(parse(this.data.first), (this.data.days.length - DAYS_SHOWN) * 24 * 60)
    return day(new Date(Math.min(parse(this.data.day), last)))
  }

  tell(name, value) {
    this.component.setTriggerValue(name, value)
  }

  say(text) {
    this.heard.textContent = text
  }

  focus(key) {
    this.grid.querySelector(`[data-entry="${CSS.escape(key)}"]`)?.focus()
  }

  entry(key) {
    return this.data.entries.find(entry => entry.key === key)
  }

  isAhead(start) {
    return start >= this.clock.read()
  }

  propose(start, end) {
    this.calendar.unselect()
    this.tell("taken", { start: write(start), end: write(end) })
  }

  proposeMove(key, start, end, isWholeDay) {
    const edge = isWholeDay ? day : write
    this.tell("moved", { key, start: edge(start), end: edge(end) })
  }

  fixedOptions() {
    return {
      plugins: [timeGrid, interaction],
      views: { week: { type: "timeGrid", duration: { days: 7 } }, days: { type: "timeGrid", duration: { days: DAYS_SHOWN } } },
      timeZone: "UTC",
      headerToolbar: false,
      height: "max(24rem, 100dvh - 13.5rem)",
      scrollTime: this.scrollTime(),
      scrollTimeReset: false,
      slotDuration: "00:30",
      slotHeaderInterval: "01:00",
      snapDuration: "00:15",
      slotMinHeight: SLOT_PX,
      slotEventOverlap: false,
      eventMinHeight: 21,
      dayMaxEventRows: 5,
      nowIndicator: true,
      now: () => `${write(this.clock.read())}:00`,
      eventInteractive: true,
      longPressDelay: 400,
      selectMirror: true,
      unselectAuto: true,
      selectAllow: ({ start }) => this.isAhead(start),
      eventAllow: ({ start, allDay }, event) => allDay === event.allDay && (allDay ? day(start) >= day(this.clock.read()) : this.isAhead(start)),
      select: ({ start, end, allDay }) => { if (!allDay && !this.picker.isChoosing) this.propose(start, end) },
      dateClick: ({ date, allDay }) => {
        if (this.data.can_propose && !allDay && this.isAhead(date)) this.propose(date, later(date, USUAL_MINUTES))
      },
      eventClick: ({ event, jsEvent }) => {
        jsEvent.preventDefault()
        if (event.extendedProps.key) this.tell("chosen", event.extendedProps.key)
      },
      eventDrop: change => this.moved(change),
      eventResize: change => this.moved(change),
      datesSet: () => this.name(),
      ...this.contents(),
      ...CLASSES,
    }
  }

  // An hour before now where today is shown, else the morning.
  scrollTime() {
    const now = this.clock.read()
    const hour = Math.max(0, now.getUTCHours() - 1)
    return this.days[day(now)] ? `${String(hour).padStart(2, "0")}:00:00` : "08:00:00"
  }

  contents() {
    return {
      dayHeaderAlign: "center",
      dayHeaderContent: ({ date }) => this.days[day(date)]?.label ?? "",
      dayHeaderClass: ({ date }) => `hc-day-head${this.days[day(date)]?.is_today ? " hc-is-today" : ""}`,
      dayLaneClass: ({ date }) => `hc-lane${this.days[day(date)]?.is_today ? " hc-is-today" : ""}`,
      allDayHeaderContent: () => this.data.words.all_day,
      slotHeaderContent: ({ date }) => this.data.hours[date.getUTCHours()],
      moreLinkContent: ({ num }) => this.data.words.more.replace("{n}", num),
      eventContent: info => ({ domNodes: spokenContent(this.contentOf(info), this.spoken(info.event.extendedProps)) }),
      eventClass: ({ event }) => (event.extendedProps.key ? entryClass(event.extendedProps) : "hc-event hc-mirror"),
      eventDidMount: ({ el, event }) => { if (event.extendedProps.key) Object.assign(el, { title: event.extendedProps.label }).dataset.entry = event.extendedProps.key },
      dayHeaderDidMount: ({ el, date }) => { el.ariaLabel = this.days[day(date)]?.name ?? "" },
      dayCellDidMount: ({ el }) => el.removeAttribute("aria-label"),
      dayLaneDidMount: ({ el }) => { el.removeAttribute("aria-label"); this.dueLines.draw(this.grid, this.data) },
      backgroundEventContent: ({ event }) => ({ domNodes: roomContent(event.title, event.extendedProps.labelAt) }),
      backgroundEventClass: "hc-free",
    }
  }

  contentOf({ event, isMirror }) {
    const entry = event.extendedProps
    const span = this.writer.span(event.start, event.end ?? event.start)
    if (!entry.key) return entryContent({ title: entry.title ?? "", time: span }, false)
    const minutes = ((event.end ?? event.start) - event.start) / 60_000
    return entryContent(isMirror && !event.allDay ? { ...entry, time: span } : entry, event.allDay || minutes < SHORT_MINUTES, Math.max(1, Math.floor((minutes / 30 * SLOT_PX - ENTRY_EDGES_PX) / LINE_PX)))
  }

  spoken({ key, title, label, start, can_move: canMove }) {
    if (!key) return title ?? ""
    return [`${this.days[start.slice(0, 10)]?.name ?? ""}:`, label, canMove ? this.data.words.how_to_move : ""].join(" ")
  }

  // Names in the page's language, for those that FullCalendar gives in its own.
  name() {
    this.grid.querySelector("[role=grid]")?.setAttribute("aria-label", this.data.words.week)
  }

  moved({ event, revert }) {
    revert()
    const { key } = event.extendedProps
    // `revert` has put the entry back: the wanted times are those of the event that was handed over.
    this.proposeMove(key, event.start, event.end ?? event.start, event.allDay)
  }

  changingOptions() {
    const { data } = this
    return {
      firstDay: parse(data.first).getUTCDay(),
      slotMinTime: data.from,
      selectable: data.can_propose,
      allDayText: data.words.all_day,
      timedText: data.words.with_times,
      closeHint: data.words.close,
      moreLinkHint: data.words.more.replace("{n}", "$0"),
      events: [...data.entries.filter(entry => !isDuePoint(entry)).map(asEvent), ...data.free.map(asRoom)],
    }
  }
}

// FullCalendar measures what it drew and draws it again: shown before that, everything in it would jump.
const settled = async grid => {
  const places = () => [...grid.querySelectorAll(".hc-slot, .hc-event, .hc-free")].map(it => it.getBoundingClientRect().bottom | 0).join()
  for (let frame = 0, still = 0, seen = ""; still < 3 && frame < 60; frame++) {
    await new Promise(requestAnimationFrame)
    const now = places()
    still = now === seen ? still + 1 : 0
    seen = now
  }
}

const asEvent = entry => ({
  id: entry.key, title: entry.title, start: entry.start, end: entry.end, allDay: entry.is_whole_day,
  startEditable: entry.can_move, durationEditable: entry.can_move && !entry.is_whole_day, extendedProps: entry,
})

const asRoom = ({ start, end, label, label_at: labelAt }) => ({ title: label, start, end, display: "background", extendedProps: { labelAt } })

const CLASSES = {
  viewClass: "hc-view",
  tableHeaderClass: "hc-head",
  allDayHeaderClass: "hc-all-day",
  dayHeaderInnerClass: "hc-day-name",
  slotHeaderClass: "hc-hour",
  slotHeaderInnerClass: "hc-hour-name",
  slotLaneClass: ({ isMinor }) => `hc-slot${isMinor ? " hc-half" : ""}`,
  dayHeaderRowClass: "hc-head-row",
  dayRowClass: "hc-all-day-row",
  dayCellClass: "hc-cell",
  highlightClass: "hc-chosen",
  columnEventAfterClass: ({ isEndResizable }) => (isEndResizable ? "hc-resize" : ""),
  moreLinkClass: "hc-more-link",
  popoverClass: "hc-popover",
  nowIndicatorLineClass: "hc-now",
  nowIndicatorDotClass: "hc-now-dot",
}
