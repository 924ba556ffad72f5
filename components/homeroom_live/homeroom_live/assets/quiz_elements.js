// Elements of a quiz that all of its steps share. All words come from the page, in the student's language; what was written by a
// model or a student is the server's sanitised HTML, built anew (html.js), or stays words.
import { make } from "./elements.js"
import { readHtml } from "./html.js"
import { scrollArea } from "./scroll.js"
import { Text } from "./text.js"

const SETTLED_MS = [80, 300]
const OFF_END = 16 // Pixels: less counts as the end.

export const ICONS = {
  up: "m7.4 15.4 4.6-4.6 4.6 4.6L18 14l-6-6-6 6z",
  down: "M7.4 8.6 12 13.2l4.6-4.6L18 10l-6 6-6-6z",
  right: "m9 16.2-3.5-3.5L4 14.1l5 5L20 8.1l-1.4-1.4z",
  partly: "M4 11h16v2.5H4z",
  wrong: "M19 6.4 17.6 5 12 10.6 6.4 5 5 6.4 10.6 12 5 17.6 6.4 19 12 13.4 17.6 19 19 17.6 13.4 12z",
  skipped: "M5 11h14v2H5z",
  pending: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm1 3v4.6l3.2 2-1 1.6L11 12.6V7z",
  page: "M6 3h8l4 4v14H6zm2 2v14h8V8h-3V5zm1.5 6h5v1.5h-5zm0 3h5v1.5h-5z",
}

export function icon(name, className = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", "svg")
  element.setAttribute("viewBox", "0 0 24 24")
  element.setAttribute("aria-hidden", "true")
  element.setAttribute("class", className)
  const path = document.createElementNS(element.namespaceURI, "path")
  path.setAttribute("d", ICONS[name])
  element.append(path)
  return element
}

export function button(label, onPress, { className = "", hint = "", name = "" } = {}) {
  const element = make("button", { type: "button", class: `quiz-button ${className}`.trim() },
    ...(name ? [icon(name)] : []), make("span", {}, label), hint ? make("kbd", { "aria-hidden": "true" }, hint) : null)
  element.addEventListener("click", onPress)
  return element
}

export const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole)

/** Blocks of a text, as they look in an answer. */
export function textOf(blocks, chunks, words) {
  const text = new Text({ chunks, words, pictures: [] })
  text.replace(0, blocks, "")
  return make("div", { class: "quiz-text live-answer", dir: "auto" }, text.element)
}

/** A text inside of a line, such as an option: without the paragraph around it. */
export function inlineText(blocks, chunks) {
  const setLater = (element, tex, isDisplay) =>
    import("./formulas.js").then(({ setFormula }) => setFormula(element, tex, isDisplay, chunks.formulas), () => {})
  const nodes = blocks.flatMap(({ kind, html, source }) => (kind === "html" ? readHtml(html, setLater) : [String(source ?? "")]))
  const [only] = nodes
  const inner = nodes.length === 1 && only.localName === "p" ? [...only.childNodes] : nodes
  return make("span", { class: "quiz-line live-answer", dir: "auto" }, ...inner)
}

/** The link to the page that a question was made from; the reader opens it where there is one (reader_link.js). */
export function sourceOf({ words: quoted, place, url }, words) {
  const isKnown = /^(https?:\/\/[^\s/]+)?\/[^\s]*$/i.test(url)
  const name = place || words.source
  const link = isKnown ? make("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, icon("page"), make("span", {}, name)) : make("span", {}, place)
  const quote = quoted ? [make("blockquote", { dir: "auto" }, quoted)] : []
  return make("figure", { class: "quiz-source" }, ...quote, make("figcaption", {}, link))
}

export function createPanel(words) {
  const status = make("p", { class: "quiz-heard", role: "status" })
  const note = make("p", { class: "quiz-note", hidden: true })
  const kept = make("div", { class: "quiz-kept" })
  const where = make("span", { class: "quiz-where" })
  const clock = make("span", { class: "quiz-clock", role: "timer", "aria-live": "off" })
  const leave = make("span", { class: "quiz-leave" })
  const bar = make("div", { class: "quiz-bar", "aria-hidden": "true" }, make("div"))
  const head = make("div", { class: "quiz-head" }, make("div", { class: "quiz-told" }, where, clock, leave), bar)
  const body = make("div", { class: "quiz-body" })
  const feedback = make("div", { class: "quiz-feedback" })
  const foot = make("div", { class: "quiz-foot" })
  // Safari gives the keyboard to no button that is clicked: it goes to the nearest element around it that takes it.
  const root = make("section", { class: "quiz", tabindex: "-1", "aria-label": words.quiz }, head, body, feedback, note, kept, foot, status)
  const panel = { root, head, where, clock, leave, bar, body, feedback, note, kept, foot, status, words }
  for (const kind of ["pointerdown", "focusin"]) root.addEventListener(kind, () => leaveEnd(root))
  panel.drawClock = leftS => {
    clock.hidden = leftS === null
    if (leftS === null) return
    const minutes = Math.floor(leftS / 60), seconds = String(leftS % 60).padStart(2, "0")
    clock.replaceChildren(fill(words.clock, { time: `${minutes}:${seconds}` }))
  }
  panel.tellKept = (sentence, action) => {
    kept.replaceChildren(make("p", { role: "status" }, sentence), ...(action ? [button(action.label, action.onPress)] : []))
  }
  /** Show the step that was gone to, also in a chat, which follows its end when something in it grows. */
  panel.reveal = (element, block) => {
    const show = () => {
      const { top, bottom } = element.getBoundingClientRect()
      if (element.isConnected && (block === "nearest" || top < 56 || bottom > innerHeight)) element.scrollIntoView({ block, behavior: "instant" })
    }
    show()
    for (const ms of SETTLED_MS) setTimeout(show, ms)
  }
  /** What the keyboard goes to: the question, its mark, or the heading of what stands there. */
  panel.focus = () => {
    root.querySelector("[data-focus]")?.focus({ preventScroll: true })
    panel.reveal(head.hidden ? body : head, "start")
  }
  panel.drawClock(null)
  return panel
}

/** A chat whose end is looked at goes along with it when something grows, away from the question: who is at a quiz is not there. */
function leaveEnd(root) {
  const area = scrollArea(root)
  const below = area.scrollHeight - area.clientHeight - area.scrollTop
  if (below < OFF_END && area.scrollTop > OFF_END) area.scrollTop -= OFF_END - below
}

/** Empty the panel for the next step. */
export function clear(panel, { where = "", share = null } = {}) {
  for (const place of [panel.leave, panel.body, panel.feedback, panel.foot]) place.replaceChildren()
  panel.body.classList.remove("is-marked", "is-locked")
  panel.where.textContent = where
  panel.bar.hidden = share === null
  panel.bar.firstChild.style.inlineSize = `${Math.round((share ?? 0) * 100)}%`
  panel.head.hidden = !where && share === null
  drawNote(panel, "")
}

export function drawNote({ note, status }, sentence) {
  note.hidden = !sentence
  note.textContent = sentence
  if (sentence) status.textContent = sentence
}

export const heading = (...children) => make("h2", { class: "quiz-title", tabindex: "-1", "data-focus": true, dir: "auto" }, ...children)

export function drawIntro(panel, words, quiz, { hasTitle, onBegin }) {
  clear(panel)
  const told = quiz.minutes ? [make("p", {}, words.exam_told)] : []
  const trouble = quiz.trouble ? [make("p", { class: "quiz-small" }, quiz.trouble)] : []
  const about = hasTitle ? [heading(quiz.about)] : [heading(quiz.title), make("p", { class: "quiz-small" }, quiz.about)]
  panel.body.append(...about, ...told, ...trouble)
  panel.foot.append(button(words.begin, onBegin, { className: "is-primary" }))
}

export function drawWriting(panel, words, quiz) {
  const sentence = quiz.trouble || quiz.progress
  if (panel.body.querySelector(".quiz-writing")) {
    panel.body.querySelector(".quiz-writing").textContent = sentence
    panel.bar.firstChild.style.inlineSize = `${Math.round((quiz.made / Math.max(1, quiz.wanted)) * 100)}%`
  } else {
    clear(panel, { where: quiz.title, share: quiz.made / Math.max(1, quiz.wanted) })
    panel.body.append(make("p", { class: "quiz-writing" }, sentence), make("p", { class: "quiz-small" }, words.writing_told))
  }
  if (panel.status.textContent !== sentence) panel.status.textContent = sentence
}

export function drawProblem(panel, words, { message, onRetry = null }) {
  clear(panel)
  panel.body.append(make("p", { class: "quiz-problem", role: "alert" }, message))
  if (onRetry) panel.foot.append(button(words.retry, onRetry))
}
