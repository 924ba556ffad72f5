// Wall-clock times of the student's own zone, as "2026-11-25T14:30": the calendar counts them as UTC, so that no zone of the
// browser moves them.
export const MINUTE = 60_000
export const DAY = 24 * 60 * MINUTE

export const parse = written => new Date(written.length > 10 ? `${written.slice(0, 16)}Z` : `${written}T00:00Z`)
export const write = date => date.toISOString().slice(0, 16)
export const day = date => date.toISOString().slice(0, 10)
export const later = (date, minutes) => new Date(date.getTime() + minutes * MINUTE)

// The server's clock, which goes on from when its data came.
export class Clock {
  constructor(now) {
    this.now = parse(now).getTime()
    this.since = performance.now()
  }

  read() {
    return new Date(this.now + performance.now() - this.since)
  }
}

// "Tue 24 Nov, 2:00 PM – 3:00 PM", for ears and for what is being dragged.
export class Writer {
  constructor({ locale, has_am_pm: hasAmPm, days }) {
    this.clock = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit", hour12: hasAmPm, timeZone: "UTC" })
    this.days = Object.fromEntries(days.map(({ date, name }) => [date, name]))
  }

  span(start, end) {
    return `${this.days[day(start)] ?? day(start)}, ${this.clock.format(start)} – ${this.clock.format(end)}`
  }
}
