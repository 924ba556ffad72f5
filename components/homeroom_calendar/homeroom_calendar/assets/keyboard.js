// The same without a mouse: a stretch of time is chosen with the arrow keys, an event of one's own is moved with them.
import { DAY, MINUTE, day, later, parse } from "./times.js"

const STEP = 30
const MOVE_STEP = 15
const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }

export class StretchPicker {
  constructor(week) {
    this.week = week
    this.element = Object.assign(document.createElement("div"), { className: "hc-picker", tabIndex: 0, role: "application" })
    this.help = document.createElement("span")
    this.chosen = Object.assign(document.createElement("strong"), { ariaHidden: "true" })
    this.element.append(this.help, this.chosen)
    this.element.addEventListener("focus", () => this.begin())
    this.element.addEventListener("blur", () => this.end())
    this.element.addEventListener("keydown", event => this.press(event))
  }

  update({ can_propose: canPropose, words }) {
    this.element.hidden = !canPropose
    this.element.ariaLabel = words.choose_time
    this.help.textContent = words.how_to_choose
    if (this.isChoosing) this.show()
  }

  begin() {
    this.isChoosing = true
    const first = this.week.data.free.map(({ start }) => parse(start)).find(start => this.isShown(start) && this.week.isAhead(start))
    const usual = first ?? this.soonest()
    this.start ??= usual
    if (!this.isShown(this.start) || !this.week.isAhead(this.start)) this.start = usual
    this.minutes = 2 * STEP
    this.show()
  }

  // The next half hour that is shown.
  soonest() {
    const now = this.week.clock.read()
    const next = new Date(Math.ceil(now / (STEP * MINUTE)) * STEP * MINUTE)
    const { activeStart } = this.week.calendar.view
    return next > activeStart ? next : later(activeStart, 9 * 60)
  }

  end() {
    this.week.calendar.unselect()
    this.isChoosing = false
    this.chosen.textContent = ""
  }

  isShown(start) {
    const { activeStart, activeEnd } = this.week.calendar.view
    return start >= activeStart && start < activeEnd
  }

  press(event) {
    const step = STEPS[event.key]
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault()
      if (this.week.isAhead(this.start)) this.week.propose(this.start, this.finish())
      else this.week.say(this.week.data.words.is_past)
    } else if (step) {
      event.preventDefault()
      this.move(step, event.shiftKey)
    }
  }

  move([days, steps], isLonger) {
    if (isLonger) this.minutes = Math.max(STEP, Math.min(this.minutes + steps * STEP, 8 * 60))
    else {
      const moved = new Date(this.start.getTime() + days * DAY + steps * STEP * MINUTE)
      if (this.isShown(moved)) this.start = moved
    }
    this.show()
  }

  finish() {
    const midnight = new Date(parse(day(this.start)).getTime() + DAY)
    return new Date(Math.min(later(this.start, this.minutes), midnight))
  }

  show() {
    const { week } = this
    const text = week.writer.span(this.start, this.finish())
    this.chosen.textContent = text
    week.calendar.select(this.start, this.finish())
    week.say(week.isAhead(this.start) ? `${text}. ${this.around()}` : `${text}. ${week.data.words.is_past}`)
  }

  // What is there already, or that the time is free.
  around() {
    const [start, end] = [this.start, this.finish()]
    const there = this.week.data.entries.filter(entry =>
      entry.kind === "event" && !entry.is_whole_day && parse(entry.start) < end && parse(entry.end) > start)
    return there.length ? there.map(entry => entry.title).join(", ") : this.week.data.words.free
  }
}

export class EventMover {
  constructor(week) {
    this.week = week
  }

  press(event) {
    const entry = this.week.entry(event.target.closest("[data-entry]")?.dataset.entry)
    const step = STEPS[event.key]
    if (event.shiftKey && step && entry?.can_move) {
      event.preventDefault()
      this.move(entry, step)
    } else if (this.wanted && event.key === "Enter") {
      event.preventDefault()
      event.stopPropagation()
      this.propose(entry)
    } else if (this.wanted && event.key === "Escape") this.cancel(true)
  }

  move(entry, [days, steps]) {
    if (this.wanted?.key !== entry.key) {
      this.cancel()
      this.wanted = { key: entry.key, start: parse(entry.start), end: parse(entry.end) }
    }
    const by = days * DAY + (entry.is_whole_day ? 0 : steps * MOVE_STEP * MINUTE)
    const [start, end] = [this.wanted.start, this.wanted.end].map(edge => new Date(edge.getTime() + by))
    const isAhead = entry.is_whole_day ? day(start) >= day(this.week.clock.read()) : this.week.isAhead(start)
    if (!isAhead) return this.week.say(this.week.data.words.is_past)
    Object.assign(this.wanted, { start, end })
    this.show(entry)
  }

  show(entry) {
    const { start, end } = this.wanted
    const { calendar, writer, data } = this.week
    if (this.ghost) this.ghost.setDates(start, end, { allDay: entry.is_whole_day })
    else this.ghost = calendar.addEvent({ start, end, allDay: entry.is_whole_day, extendedProps: { title: entry.title }, className: "hc-ghost" })
    const when = entry.is_whole_day ? writer.days[day(start)] ?? day(start) : writer.span(start, end)
    this.week.say(`${when}. ${data.words.move_or_leave}`)
    this.week.focus(entry.key)
  }

  propose(entry) {
    const { start, end } = this.wanted
    this.cancel()
    this.week.proposeMove(entry.key, start, end, entry.is_whole_day)
  }

  cancel(isSaid) {
    this.ghost?.remove()
    if (isSaid && this.wanted) this.week.say(this.week.data.words.not_moved)
    this.ghost = this.wanted = undefined
  }
}
