// Follows the running answer of the chat that the page shows, from its first word until the page has drawn it from the store.
import { createAnswer } from "./lazy_answer.js"
import { exchanges, requestedChat } from "./page.js"
import { chatView } from "./scroll.js"
import { openStream } from "./stream.js"

let page = null // the component as Streamlit called it last, with the data of the page's last run
let live = null // the turn that is shown
let placed = null // the chat whose last question was placed at the top when it was opened
const listeners = new Set()

/** Have `listener` called with the chat that is answered now, or "". */
export function onRunning(listener) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const runningChat = () => (live?.turn && !live.isOver ? live.chat : "")
const tell = () => {
  document.documentElement.classList.toggle("live-running", Boolean(runningChat()))
  for (const listener of listeners) listener(runningChat())
}

/** Show a question that is being sent from here. `answered` is called then: with its ids, or without when it was refused. */
export function showQuestion({ chat, question, files }) {
  const shown = { chat, turn: "", question, files, isContinued: false, skipped: 0 }
  if (!runningChat()) show(shown)
  const early = live?.question === question && !live.turn ? live : null
  const answered = ids => {
    if (!ids) {
      if (early && live === early) drop()
    } else if (early && live === early) {
      Object.assign(live, { chat: ids.conversation_id, turn: ids.turn_id })
      connect()
      tell()
    } else {
      show({ ...shown, chat: ids.conversation_id, turn: ids.turn_id })
    }
  }
  /** Whether the question waits for Homeroom, so that nobody thinks about its answer. */
  const wait = isWaiting => early?.host.classList.toggle("is-waiting", isWaiting)
  return { answered, wait }
}

export function mountAnswer(component) {
  page = component
  const { data } = component
  if (live && live.chat !== requestedChat()) drop()
  if (live && isDrawn(data)) drop()
  if (data.chat && data.running && data.running !== live?.turn && !data.failed) {
    drop()
    show({ chat: data.chat, turn: data.running, question: null, files: [], isContinued: data.skipped > 0, skipped: data.skipped })
  }
  placeChat(component)
  return () => {
    if (page !== component) return
    drop()
    page = null
    placed = null
  }
}

/** Show a chat that is opened by its last question, and any other page from its beginning. */
function placeChat({ data, parentElement }) {
  const chat = chatView(parentElement)
  const isBegunHere = live?.chat === data.chat && live.question !== null
  if (placed !== data.chat && !isBegunHere) {
    if (data.chat && !data.found) chat.place()
    else chat.leave({ isNew: placed !== null && !data.chat })
  }
  placed = data.chat
}

/** Whether the page has drawn the whole turn, or is about to follow it in its own way. */
const isDrawn = data =>
  live.turn && data.chat === live.chat && (data.failed || data.finished === live.turn || (!data.running && data.last > live.last))

function show(turn) {
  drop()
  if (!page) return
  const host = document.createElement("div")
  page.parentElement.append(host)
  const { words, chunks, last } = page.data
  live = { ...turn, host, last, isOver: false, kept: keptOf(turn) }
  document.documentElement.classList.toggle("live-first", live.question !== null && last === 0)
  const onNotice = action => page?.setTriggerValue("go_on", { chat: live.chat, action })
  live.answer = createAnswer(host, { ...turn, words, chunks, onNotice })
  hideDrawn()
  if (turn.question !== null) chatView(page.parentElement).place()
  if (live.turn) connect()
  tell()
}

function connect() {
  const followed = live
  const mine = call => (...parameters) => (live === followed ? call(...parameters) : undefined)
  followed.stream = openStream({
    conversationId: followed.chat,
    tab: page.data.tab,
    onEvent: mine(apply),
    onNothing: mine(() => finish(0)),
    onRefused: mine(() => finish(0)),
    onFailed: mine(() => askToDraw("failed", followed)),
  })
}

function apply(name, data) {
  if (name === "end") {
    live.answer.apply(name, data)
    finish(data.redraw_in_ms)
  } else if (name === "snapshot") {
    live.answer.apply(name, { ...data, items: data.items.filter(item => item.n >= live.skipped).map(renumbered) })
  } else if (data.n >= live.skipped) {
    return live.answer.apply(name, renumbered(data)) // `false` begins anew, with a snapshot.
  } else if (name === "card") {
    page?.setTriggerValue("changed", live.turn) // One of the cards that the page has drawn.
  }
}
/** Items that the page has drawn, such as a card and what stands before it, do not count. */
const renumbered = item => ({ ...item, n: item.n - live.skipped })

function finish(inMs) {
  const over = live
  over.isOver = true
  over.stream.close()
  tell()
  setTimeout(() => askToDraw("finished", over), inMs)
}

/** Ask the page to take an answer over, again until it has: what is asked while Streamlit's connection is down is lost. */
function askToDraw(trigger, answer, againInMs = 3_000) {
  if (live !== answer) return
  page?.setTriggerValue(trigger, answer.turn)
  // Later each time: a page that takes long is not begun anew for ever.
  setTimeout(() => askToDraw(trigger, answer, Math.min(2 * againInMs, 30_000)), againInMs)
}

/** Take the answer away; what the page has drawn of it meanwhile appears in the same frame. */
function drop() {
  if (!live) return
  live.stream?.close()
  live.answer.remove()
  live.host.remove()
  live = null
  document.documentElement.classList.remove("live-first")
  for (const hidden of document.querySelectorAll("[data-live-hidden]")) {
    hidden.style.removeProperty("display")
    delete hidden.dataset.liveHidden
  }
  tell()
}

/** What the page has drawn when a turn begins to be shown here: [number of the last question, its elements]. */
function keptOf({ question }) {
  const [number, element] = exchanges().at(-1) ?? [0, null]
  return { number, count: question === null ? element?.children.length ?? 0 : Infinity }
}

/** Hide what the page draws of the turn while it is shown here: a run in the middle draws the question, the last one all. */
function hideDrawn() {
  if (!live) return
  for (const [number, element] of exchanges()) {
    if (number > live.kept.number) hide(element.closest("[data-testid=stLayoutWrapper]") ?? element)
    else if (number === live.kept.number) [...element.children].slice(live.kept.count).forEach(hide)
  }
}
const hide = element => {
  if (element.dataset.liveHidden) return
  element.dataset.liveHidden = "true"
  element.style.display = "none"
}
new MutationObserver(hideDrawn).observe(document.body, { childList: true, subtree: true })
