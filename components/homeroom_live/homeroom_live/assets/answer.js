// Draws one running turn from its events (api/live), like the page's own transcript (ui/chat/transcript.py).
//
// createAnswer(host, { question, files, isContinued, words, chunks, onNotice }) -> { apply(name, data), remove() }
//   host: empty element below the drawn chat, in the page's own document (the component's CSS variables `--st-…` apply).
//   question: text of the bubble that the student just sent from here, or null when the page has drawn the question already.
//   files: [{ name, size }] sent with it.
//   isContinued: the page has drawn the beginning of this answer, up to a card; the rest stands below as if in the same bubble.
//   words: texts in the student's language, by name (ui/chat/live_component.py: ANSWER_WORDS).
//   chunks: { formulas, diagrams }, the addresses of Streamlit's own files for these (ui/streamlit_compat.py), or null.
//   onNotice(action): the student pressed the button of a notice, "retry" or "continue".
// apply(name, data): one event, parsed; anything may come, in any order. `false` when it does not fit what is drawn: then a
//   snapshot is needed. Before the first event the answer shows "Thinking …".
// remove(): takes everything out of host, at once.
import { bubble, caption, icon, make, markdown, place, step, text } from "./elements.js"
import { readHtml } from "./html.js"
import { Text } from "./text.js"

const LONGEST_NAME = 36
const PICTURE = "image"
const FILE_ICONS = { pdf: "picture_as_pdf", docx: "article", pptx: "slideshow", png: PICTURE, jpg: PICTURE, jpeg: PICTURE, gif: PICTURE, webp: PICTURE }
const AT_REST = new Set(["done", "failed", "asks"])

export function createAnswer(host, { question = null, files = [], isContinued = false, words = {}, chunks = {}, onNotice = () => {} }) {
  const answer = new Answer(host, { words, chunks: chunks ?? {}, onNotice })
  answer.open(question, files, isContinued)
  return { apply: (name, data) => answer.apply(name, data), remove: () => answer.remove() }
}

class Answer {
  constructor(host, { words, chunks, onNotice }) {
    this.context = { words, chunks, pictures: [] }
    this.host = host
    this.onNotice = onNotice
    this.items = []
    this.frame = 0
    this.isOver = false
  }

  open(question, files, isContinued) {
    const { words } = this.context
    this.root = make("div", { class: "live-answer la-column" })
    this.root.classList.toggle("has-question", question !== null)
    if (question !== null) this.root.append(asked(question, files))
    this.bubble = bubble("assistant", "school")
    this.bubble.group.setAttribute("aria-busy", "true")
    this.bubble.element.classList.toggle("la-continued", isContinued)
    this.thinking = step(words.thinking ?? "…", "running", null)
    this.bubble.content.append(this.thinking)
    this.root.append(this.bubble.element)
    this.host.append(this.root)
  }

  remove() {
    cancelAnimationFrame(this.frame)
    this.root.remove()
    for (const picture of this.context.pictures.splice(0)) URL.revokeObjectURL(picture)
  }

  apply(name, data) {
    if (typeof data !== "object" || data === null) return false
    switch (name) {
      case "snapshot": return this.begin(data)
      case "text": return this.grow(data)
      case "block": return this.replace(data)
      case "step": case "card": case "sources": return this.put({ kind: name, ...data })
      case "end": return this.end(data)
    }
    return true
  }

  begin({ items }) {
    if (!Array.isArray(items)) return false
    for (const item of this.items.splice(0)) item?.element.remove()
    const fits = items.every(item => this.put(item))
    this.paint()
    return fits
  }

  /** Draw an item anew, or add it. */
  put(item) {
    const n = item?.n
    if (!Number.isInteger(n) || n < 0 || n > this.items.length) return false
    const before = this.items[n]
    const drawn = this.draw(item, before)
    if (before) replaced(before.element, drawn.element)
    else this.bubble.content.insertBefore(drawn.element, this.thinking)
    this.items[n] = drawn
    this.soon()
    return true
  }

  draw(item, before) {
    if (item.kind === "text") return this.drawText(item)
    const isAtRest = item.kind === "card" || (item.kind === "step" && AT_REST.has(item.state))
    if (item.kind === "step") return { element: drawStep(item, this.context.words, before?.element), isAtRest }
    if (item.kind === "notice") return { element: this.drawNotice(item), isAtRest }
    if (item.kind === "sources") return { element: drawSources(item), isAtRest }
    // The page draws a card by itself, and a kind that is not known yet only keeps its number.
    return { element: make("div", { class: "la-group" }), isAtRest }
  }

  drawText(item) {
    const drawn = new Text(this.context)
    drawn.replace(0, Array.isArray(item.blocks) ? item.blocks : [], typeof item.text === "string" ? item.text : "")
    if (typeof item.html === "string") drawn.add("", item.html)
    return { element: drawn.element, text: drawn, isAtRest: false }
  }

  grow({ n, text: words, html }) {
    if (typeof words !== "string") return false
    if (n === this.items.length && !this.put({ n, kind: "text" })) return false
    const item = this.items[n]
    if (!item?.text) return false
    item.text.add(words, typeof html === "string" ? html : null)
    this.soon()
    return true
  }

  replace({ n, from, blocks, text: words }) {
    if (n === this.items.length) this.put({ n, kind: "text" })
    const item = this.items[n]
    if (!item?.text || !Array.isArray(blocks)) return false
    const fits = item.text.replace(from, blocks, typeof words === "string" ? words : "")
    this.soon()
    return fits
  }

  end({ notice }) {
    this.isOver = true
    this.bubble.group.removeAttribute("aria-busy")
    if (notice && typeof notice === "object") this.put({ ...notice, kind: "notice", n: this.items.length })
    this.paint()
    return true
  }

  drawNotice({ sentence, next_step: next, action }) {
    const label = this.context.words[action]
    const words = make("p", {}, make("strong", {}, String(sentence ?? "")), next ? ` ${next}` : "")
    const sign = make("div", {}, make("span", {}, icon("info", "stAlertDynamicIcon")))
    const column = make("div", { class: "la-column la-close" }, place(make("div", { class: "la-notice", role: "status" }, sign, markdown(words))))
    if (["retry", "continue"].includes(action) && label) {
      const button = make("button", { type: "button", class: "la-button" }, icon(action === "retry" ? "refresh" : "play_arrow"), make("span", {}, label))
      button.addEventListener("click", () => this.onNotice(action))
      column.append(place(button))
    }
    return column
  }

  /** Words are shown at most once for each frame that the browser paints. */
  soon() {
    if (this.frame) return
    this.frame = requestAnimationFrame(() => this.paint())
  }

  paint() {
    cancelAnimationFrame(this.frame)
    this.frame = 0
    for (const item of this.items) item.text?.flush()
    const last = this.items.at(-1)
    this.thinking.hidden = this.isOver || !(last === undefined || last.isAtRest)
  }
}

/** Put an element in another's place; the line that the keyboard is on keeps it. */
function replaced(before, element) {
  const isFocused = document.activeElement?.localName === "summary" && before.contains(document.activeElement)
  before.replaceWith(element)
  if (isFocused) element.querySelector("summary")?.focus({ preventScroll: true })
}

function asked(question, files) {
  const { element, content } = bubble("user", "person")
  content.append(place(markdown(make("p", { class: "la-asked" }, question))))
  if (files.length) content.append(make("div", { class: "la-files" }, ...files.map(drawFile)))
  return element
}

/** A file of the question, as ui/chat/attachments.py draws it. */
function drawFile({ name, size }) {
  const ending = /\.(\w+)$/.exec(name)?.[1].toLowerCase() ?? ""
  const short = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 10)}…${name.slice(-9)}` : name
  const amount = size < 1e6 ? `${Math.max(1, Math.round(size / 1e3))} KB` : `${(Math.round(size / 1e5) / 10).toLocaleString(document.documentElement.lang || "en")} MB`
  return make("span", { class: "la-button" }, icon(FILE_ICONS[ending] ?? "description"), make("span", {}, `${short} · ${amount}`))
}

/** A tool call, as ui/chat/tool_step.py draws it; one that the student opened stays open. */
function drawStep(item, words, before) {
  const say = value => (typeof value === "string" ? value : "")
  const list = value => (Array.isArray(value) ? value.map(String) : [])
  const details = []
  const asksBack = item.state === "asks" // Nothing broke: its line says what is asked.
  if (item.sentence && !asksBack) details.push(text(say(item.sentence)))
  if (list(item.asked).length) details.push(caption(make("p", {}, words.asked_for ?? "")), text(list(item.asked).join("\n")))
  for (const line of list(item.did)) details.push(caption(make("p", {}, icon("subdirectory_arrow_right"), ` ${line}`)))
  if (item.found) details.push(caption(make("p", {}, words.found ?? "")), place(markdown(...readHtml(item.found, () => {}))))
  const isOpen = item.state === "failed" || Boolean(before?.querySelector("details[open]"))
  const label = [item.label, item.service, asksBack ? item.sentence : item.note || item.seconds].map(say).filter(Boolean).join(" · ")
  return step(label, ["running", ...AT_REST].includes(item.state) ? item.state : "running", details, { isOpen })
}

/** Sources of the answer: a few in a line, many in a line that opens, which `label` names (ui/chat/citations.py). */
function drawSources({ label, html }) {
  const listed = caption(...readHtml(html, () => {}))
  return label ? step(String(label), "link", [listed]) : listed
}
