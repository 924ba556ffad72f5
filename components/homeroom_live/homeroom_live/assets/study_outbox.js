// What a student does in a review or a quiz, on its way to the server, in its order. What cannot be sent stays in this browser
// and is sent later, also by another tab or after a reload; each has a key of its own, so that the server counts it once.
import { owner, pageHeaders, retryAfterS } from "./page.js"

const TIMEOUT_MS = 20_000
const SHORTEST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000
const OLDEST_MS = 29 * 86_400_000

export const newKey = () => crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, "0")).join("")

/** Resolves to { body } or to { message, status, retryS }; status is 0 where Homeroom cannot be reached. */
export async function post(path, body, read = response => response.json(), area = "review", of = owner()) {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(`/live/study/${area}/${path}`, { method: "POST", headers: { ...pageHeaders(of), "Content-Type": "application/json" }, body: JSON.stringify(body), signal })
    if (response.ok) return { body: await read(response) }
    const told = await response.json().catch(() => null)
    return { message: "", ...told?.error, status: response.status, retryS: retryAfterS(response.headers) }
  } catch {
    return { status: 0, message: "", retryS: 0 }
  }
}

export class Outbox {
  /**
   * onSent(entry, body), onRefused(entry, message, status, answer), onState(waiting, status): how many wait, and why: 0, 401 …
   * scope: what else must not mix, such as a quiz's id. storage: this browser's, or for what holds words of the student this
   * tab's. isFinal: of a status, whether sending again does not mend it.
   */
  constructor({ onSent, onRefused, onState, area = "review", scope = "", storage = localStorage, isFinal = () => false }) {
    Object.assign(this, { onSent, onRefused, onState, area, storage, isFinal })
    this.prefix = `homeroom-${area}:${scope}`
    this.entries = this.readKept()
    this.waitMs = SHORTEST_WAIT_MS
    this.ended = new AbortController()
    for (const kind of ["online", "focus"]) window.addEventListener(kind, () => this.send(), { signal: this.ended.signal })
    this.send()
  }

  remove() {
    this.ended.abort()
    clearTimeout(this.timer)
  }

  get size() {
    return this.entries.length
  }

  /** entry: { path, body }; `ago` is added when it is sent. */
  add(path, body) {
    const at = Date.now()
    const entry = { key: `${this.prefix}${String(at).padStart(15, "0")}-${newKey()}`, of: owner(), path, body, at }
    this.keep(entry)
    this.entries.push(entry)
    this.send()
    return entry
  }

  /** Send what waits, in its order. Resolves to whether nothing waits any more. */
  send() {
    clearTimeout(this.timer)
    this.sending ??= this.sendAll().finally(() => { this.sending = null })
    return this.sending
  }

  async sendAll() {
    while (this.entries.length && !this.ended.signal.aborted) {
      const entry = this.entries[0]
      const ago = entry.path === "rate" ? { ago: Math.max(0, Date.now() - entry.at) / 1000 } : {}
      const answer = await post(entry.path, { ...entry.body, ...ago }, undefined, this.area, entry.of)
      if (!answer.body && isForLater(answer.status) && !this.isFinal(answer.status)) {
        this.onState(this.entries.length, answer.status)
        this.timer = setTimeout(() => this.send(), Math.max(this.waitMs, answer.retryS * 1000))
        this.waitMs = Math.min(this.waitMs * 2, LONGEST_WAIT_MS)
        return false
      }
      this.waitMs = SHORTEST_WAIT_MS
      this.entries.shift()
      this.forget(entry)
      if (answer.body) this.onSent(entry, answer.body)
      else this.onRefused(entry, answer.message, answer.status, answer)
    }
    this.onState(0, 200)
    return true
  }

  readKept() {
    const kept = []
    try {
      for (const key of Object.keys(this.storage).filter(key => key.startsWith(this.prefix)).sort()) {
        const entry = JSON.parse(this.storage.getItem(key))
        if (Date.now() - entry.at > OLDEST_MS) this.storage.removeItem(key)
        else if (entry.of === owner()) kept.push(entry)
      }
    } catch { /* Where the browser keeps nothing, what waits lasts as long as the page. */ }
    return kept
  }

  keep(entry) {
    try {
      this.storage.setItem(entry.key, JSON.stringify(entry))
    } catch { /* As above. */ }
  }

  forget({ key }) {
    try {
      this.storage.removeItem(key)
    } catch { /* As above. */ }
  }
}

/** Nothing is wrong with what was sent: the line, the server or the sign-in is. */
const isForLater = status => status === 0 || status === 401 || status === 403 || status === 408 || status === 409 || status === 429 || status >= 500
