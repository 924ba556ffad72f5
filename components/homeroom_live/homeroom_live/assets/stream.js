// Connection to a running answer: GET /live/{id}, read with `fetch`, which unlike EventSource shows why it was refused.
//
// openStream({ conversationId, tab, onEvent, onNothing, onRefused, onFailed }) -> { close() }
//   onEvent(name, data): one event, parsed. `false` as its answer means that it does not fit what was drawn: the stream
//     begins anew, with a snapshot. After `end` the stream closes by itself.
//   onNothing(): nothing runs (204), so the page should draw anew.
//   onRefused(status, message): the server's sentence for the student, or "".
//   onFailed(): no connection held; the page should follow in its own way.
//   close(): also by itself on pagehide. A tab has one stream: opening another closes the one before.
import { retryAfterS } from "./page.js"

const TRIES = 5
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000
const SILENCE_MS = 45_000
const STALE_MS = 20_000
/** A connection that ended sooner counts as a failed try, whatever it said: nobody reconnects at once for ever. */
const STEADY_MS = 10_000
const LONGEST_EVENT = 8_000_000

let open = null

export function openStream(options) {
  open?.close()
  const stream = new Stream(options)
  open = stream
  stream.connect()
  return { close: () => stream.close() }
}

class Stream {
  constructor({ conversationId, tab, ...listeners }) {
    this.address = `/live/${encodeURIComponent(conversationId)}?${new URLSearchParams({ tab })}`
    this.listeners = listeners
    this.tries = 0
    this.lastId = null
    this.heardAt = 0
    this.ending = new AbortController()
    const signal = this.ending.signal
    this.watch = setInterval(() => this.look(SILENCE_MS), 5_000)
    document.addEventListener("visibilitychange", () => this.wake(), { signal })
    window.addEventListener("online", () => this.wake(), { signal })
    window.addEventListener("pagehide", () => this.pause(), { signal })
    window.addEventListener("pageshow", () => this.wake(), { signal })
  }

  close() {
    this.pause()
    clearInterval(this.watch)
    this.ending.abort()
    if (open === this) open = null
  }

  tell(listener, ...values) {
    this.close()
    this.listeners[listener]?.(...values)
  }

  /** Let go of the connection; `wake` takes it up again. */
  pause() {
    clearTimeout(this.timer)
    this.timer = null
    this.request?.abort()
    this.request = null
  }

  /** A phone that slept, or a page that comes back, may hold a connection that is long dead. */
  wake() {
    if (document.hidden || this.ending.signal.aborted) return
    if (this.request) return this.look(STALE_MS)
    if (this.isOut) [this.tries, this.isOut] = [0, false]
    clearTimeout(this.timer)
    this.connect()
  }

  look(silence) {
    if (this.request && Date.now() - this.heardAt > silence) this.retry()
  }

  retry(wait = 0) {
    this.pause()
    this.tries += 1
    if (this.tries >= TRIES) {
      // Nobody looks, or the device is offline: the next look begins anew.
      if (!document.hidden && navigator.onLine !== false) return this.tell("onFailed")
      this.isOut = true
      return
    }
    const pause = FIRST_WAIT_MS * 2 ** (this.tries - 1) * (0.75 + Math.random() / 2)
    this.timer = setTimeout(() => this.connect(), Math.min(Math.max(pause, wait), LONGEST_WAIT_MS))
  }

  async connect() {
    this.pause()
    const request = (this.request = new AbortController())
    const begun = (this.heardAt = Date.now())
    const headers = { accept: "text/event-stream", "x-requested-with": "homeroom" }
    if (this.lastId !== null) headers["last-event-id"] = this.lastId
    let wait = 0
    try {
      const response = await fetch(this.address, {
        headers, signal: request.signal, credentials: "same-origin", cache: "no-store", redirect: "error",
      })
      if (request.signal.aborted) return
      if (response.status === 204) return this.tell("onNothing")
      if (isFinal(response.status)) return this.tell("onRefused", response.status, await sentence(response))
      wait = retryAfterS(response.headers) * 1000
      const isStream = response.ok && response.headers.get("content-type")?.startsWith("text/event-stream")
      if (isStream) await this.read(response.body.getReader(), request.signal)
    } catch { /* No network, or we let go of it. */ }
    if (request.signal.aborted || this.request !== request) return
    if (Date.now() - begun > STEADY_MS) this.tries = 0
    this.retry(wait)
  }

  async read(reader, signal) {
    const decoder = new TextDecoder()
    const parse = makeParser((id, name, data) => this.take(id, name, data))
    for (;;) {
      const { value, done } = await reader.read()
      if (done || signal.aborted) return
      this.heardAt = Date.now()
      if (!parse(decoder.decode(value, { stream: true }))) {
        this.lastId = null
        return
      }
      if (signal.aborted) return
    }
  }

  /** Hand on one event; `false` when what follows would not fit. */
  take(id, name, text) {
    let data
    try {
      data = JSON.parse(text)
    } catch {
      return false
    }
    if (this.ending.signal.aborted) return true
    if (this.listeners.onEvent?.(name, data) === false) return false
    if (id) this.lastId = id
    if (name === "end") this.close()
    return true
  }
}

/** Refusals that would be the same a moment later. */
function isFinal(status) {
  return status >= 400 && status < 500 && ![408, 425, 429].includes(status)
}

async function sentence(response) {
  try {
    return String((await response.json()).error.message ?? "")
  } catch {
    return ""
  }
}

/** Parser of an event stream (WHATWG HTML, section 9.2.6). It returns whether its input made sense so far. */
export function makeParser(onEvent) {
  let rest = "", id = null, name = "", lines = [], size = 0
  const line = text => {
    if (!text) {
      const isWhole = lines.length === 0 || onEvent(id, name || "message", lines.join("\n")) !== false;
      [name, lines, size] = ["", [], 0]
      return isWhole
    }
    const at = text.indexOf(":")
    const field = at < 0 ? text : text.slice(0, at)
    const value = at < 0 ? "" : text.slice(at + (text[at + 1] === " " ? 2 : 1))
    if (field === "data") {
      lines.push(value)
      size += value.length
    }
    if (field === "event") name = value
    if (field === "id" && /^\d{1,15}$/.test(value)) id = value
    return size <= LONGEST_EVENT
  }
  return chunk => {
    const parts = (rest + chunk).split(/\r\n|\n|\r(?!$)/)
    rest = parts.pop()
    return parts.every(line) && rest.length <= LONGEST_EVENT
  }
}
