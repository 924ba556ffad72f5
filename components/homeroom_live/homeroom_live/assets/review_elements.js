// Elements of the review. All words come from the page, in the student's language; what a card says was sanitised by the server.
import { readHtml } from "./html.js"
import { setFormula } from "./formulas.js"
import { post } from "./study_outbox.js"

const ICONS = {
  undo: "M12.5 8c-2.6 0-5 1-6.9 2.6L2 7v9h9l-3.6-3.6A8 8 0 0 1 20 16l2.4-.8A10.5 10.5 0 0 0 12.5 8z",
  edit: "M3 17.3V21h3.8L17.8 9.9l-3.7-3.7zM20.7 7a1 1 0 0 0 0-1.4l-2.3-2.3a1 1 0 0 0-1.4 0l-1.8 1.8 3.7 3.7z",
  exam: "M12 3 1 9l11 6 9-4.9V17h2V9zM5 13.2v4L12 21l7-3.8v-4L12 17z",
  suspend: "M6 5h4v14H6zm8 0h4v14h-4z",
  page: "M6 2h9l5 5v15H6zm8 1.5V8h4.5zM8 12v1.5h8V12zm0 4v1.5h8V16z",
}
const RATINGS = [1, 2, 3, 4]
const MARK = /⟦(\d{1,3})⟧/
const pictures = new Map() // addresses by card and number, for as long as the page lasts

export const ready = new Promise(resolve => {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("review.css", import.meta.url).href })
  link.onload = link.onerror = resolve
  document.head.append(link)
})

export function createReview(words, { onShow, onRate, onUndo, onEdit, onForExam, onSuspend }) {
  const progress = make("p", { className: "review-progress" })
  const bar = make("div", { className: "review-bar", ariaHidden: "true" }, make("div"))
  const card = make("article", { className: "review-card", tabIndex: -1 })
  const show = button(words.show, onShow, { className: "review-show", hint: words.key_space })
  const ratings = make("div", { className: "review-ratings", role: "group", ariaLabel: words.how_well },
    ...RATINGS.map(rating => ratingButton(words, rating, onRate)))
  const undo = button(words.undo, onUndo, { icon: "undo", hint: "U" })
  const edit = button(words.edit, onEdit, { icon: "edit", hint: "E" })
  const exam = button(words.not_for_exam, onForExam, { icon: "exam" })
  const suspend = button(words.suspend, onSuspend, { icon: "suspend" })
  const tools = make("div", { className: "review-tools" }, undo, edit, exam, suspend)
  const note = make("p", { className: "review-note", role: "status", hidden: true })
  const told = make("p", { className: "review-told", ariaHidden: "true" })
  const status = make("p", { className: "review-heard", role: "status" })
  const foot = make("div", { className: "review-foot" }, note, told, show, ratings, tools)
  // Safari gives the keyboard to no button that is clicked: it goes to the nearest element around it that takes it.
  const root = make("section", { className: "review", tabIndex: -1, ariaLabel: words.review },
    make("div", { className: "review-head" }, progress, bar), card, foot, status)
  return { root, progress, bar, card, show, ratings, undo, edit, exam, suspend, tools, note, told, status, foot }
}

export function drawFront(elements, words, card, { canUndo, chunks }) {
  const { card: place, show, ratings, undo, edit, exam, suspend, foot } = elements
  elements.chunks = chunks
  const front = make("div", { className: "review-side review-front", dir: "auto" }, ...side(card, "front", chunks))
  place.replaceChildren(...[card.topic && make("p", { className: "review-topic", dir: "auto", textContent: card.topic }), front].filter(Boolean))
  place.setAttribute("aria-label", words.front)
  place.classList.remove("is-end")
  place.scrollTo(0, 0)
  foot.hidden = show.hidden = edit.hidden = suspend.hidden = false
  ratings.hidden = true
  undo.disabled = !canUndo
  exam.hidden = !card.has_exam
  exam.setAttribute("aria-pressed", String(!card.is_for_exam))
}

export function drawBack(elements, words, card) {
  const { card: place, show, ratings } = elements
  place.querySelector(".review-answer")?.remove()
  const back = make("div", { className: "review-side review-back", dir: "auto" }, ...side(card, "back", elements.chunks))
  const answer = make("div", { className: "review-answer" }, make("hr"), back, ...source(words, card))
  place.append(answer)
  place.setAttribute("aria-label", words.back)
  show.hidden = true
  ratings.hidden = false
  for (const rated of ratings.children) {
    const { label } = card.ratings[rated.dataset.rating]
    rated.lastChild.textContent = label
  }
  // A long answer is read from its beginning.
  answer.scrollIntoView({ block: answer.offsetHeight > innerHeight / 2 ? "start" : "nearest", behavior: "instant" })
}

/** Field for both sides. onSave resolves to what is wrong, or "". */
export function drawEditor({ card: place, foot }, words, card, { onSave, onCancel }) {
  foot.hidden = true
  const problem = make("p", { className: "review-problem", role: "alert", hidden: true })
  const fields = ["front", "back"].map(name => make("textarea", { id: `review-${name}`, className: "review-field", rows: 5, value: card.text[name], dir: "auto" }))
  const save = button(words.save, () => submit(), { className: "review-primary" })
  const submit = async () => {
    save.disabled = true
    const wrong = await onSave({ front: fields[0].value, back: fields[1].value })
    save.disabled = false
    problem.textContent = wrong
    problem.hidden = !wrong
  }
  const form = make("div", { className: "review-editor" },
    ...fields.flatMap((field, at) => [make("label", { htmlFor: field.id, textContent: at ? words.back : words.front }), field]),
    problem, make("div", { className: "review-choices" }, save, button(words.cancel, onCancel)))
  form.addEventListener("keydown", event => {
    if (event.key === "Escape") onCancel()
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  place.replaceChildren(form)
  place.setAttribute("aria-label", words.edit)
  fields[0].focus()
}

export function drawEnd(elements, words, told, { canUndo, onMore, onClose }) {
  const sentences = [told.next, told.rest].filter(Boolean)
  const wasEmpty = !told.here && !told.done
  const content = [make("h2", { textContent: wasEmpty ? words.nothing : words.done }), ...sentences.map(words => make("p", { textContent: words }))]
  const choices = make("div", { className: "review-choices" }, button(words.close, onClose, { className: "review-primary" }))
  if (told.has_more) choices.append(button(words.more, onMore))
  drawCalm(elements, [...content, choices], { canUndo })
}

export function drawProblem(elements, words, { message }, { onRetry, canUndo }) {
  drawCalm(elements, [make("p", { role: "alert", textContent: message || words.offline }), button(words.retry, onRetry)], { canUndo })
}

function drawCalm({ card, show, ratings, undo, edit, exam, suspend, foot, root }, content, { canUndo }) {
  card.replaceChildren(...content)
  card.classList.add("is-end")
  card.removeAttribute("aria-label")
  foot.hidden = false
  show.hidden = ratings.hidden = edit.hidden = exam.hidden = suspend.hidden = true
  undo.disabled = !canUndo
  root.querySelector(".review-progress").textContent = ""
}

export function drawProgress({ progress, bar, card }, words, numbers) {
  const { done, again, total } = numbers
  const isOver = card.classList.contains("is-end") || !total
  // Cards that come back hold the first count where it is.
  progress.textContent = isOver ? "" : (again ? words.progress_again : words.progress).replace(/\{(\w+)\}/g, (_, name) => numbers[name])
  bar.firstChild.style.inlineSize = `${total ? (100 * done) / total : 0}%`
  bar.hidden = !total
}

export function drawNote({ note }, sentence) {
  if (note.textContent !== sentence) note.textContent = sentence
  note.hidden = !sentence
}

/** Nodes of a side: its HTML, formulas set, and pictures in the places of their marks. */
function side(card, name, chunks) {
  const { html, pictures: shown } = card[name]
  const nodes = html.flatMap(block => readHtml(block, (element, tex, isDisplay) => setFormula(element, tex, isDisplay, chunks?.formulas)))
  const holder = make("div", {}, ...nodes)
  const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT)
  const marked = []
  while (walker.nextNode()) if (MARK.test(walker.currentNode.data)) marked.push(walker.currentNode)
  for (const text of marked) {
    const parts = text.data.split(MARK).map((part, at) => (at % 2 ? picture(card, part, shown) : part))
    text.replaceWith(...parts.filter(Boolean))
  }
  return [...holder.childNodes]
}

function picture(card, number, shown) {
  if (!(number in shown)) return ""
  const image = make("img", { className: "review-picture", alt: shown[number] })
  const key = `${card.id}/${number}`
  if (!pictures.has(key)) pictures.set(key, post("picture", { card: card.id, number: Number(number) }, async response => URL.createObjectURL(await response.blob())))
  pictures.get(key).then(({ body }) => {
    if (body) image.src = body
    else pictures.delete(key)
  })
  return image
}

/** Line below the back: the page that the card was made from. */
function source(words, { source: found }) {
  if (!found?.place && !found?.url) return []
  const label = found.place || words.open_page
  if (!found.url) return [make("p", { className: "review-source", textContent: label })]
  const address = found.words ? `${found.url.split("#")[0]}#passage=${encodeURIComponent(found.words.slice(0, 300))}` : found.url
  const link = make("a", { href: address, target: "_blank", rel: "noopener" }, icon("page"), make("span", { textContent: label }))
  return [make("p", { className: "review-source" }, link)]
}

function ratingButton(words, rating, onRate) {
  const element = make("button", { type: "button", className: `review-rating is-${rating}` },
    make("span", { className: "review-name", textContent: words[`rating_${rating}`] }),
    make("kbd", { textContent: rating, ariaHidden: "true" }), make("span", { className: "review-interval" }))
  element.dataset.rating = rating
  element.addEventListener("click", () => onRate(rating))
  return element
}

function button(label, onPress, { icon: name = "", className = "", hint = "" } = {}) {
  const element = make("button", { type: "button", className: `review-button ${className}` },
    ...(name ? [icon(name)] : []), make("span", { textContent: label }), ...(hint ? [make("kbd", { textContent: hint, ariaHidden: "true" })] : []))
  element.addEventListener("click", onPress)
  return element
}

function icon(name) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", "svg")
  element.setAttribute("viewBox", "0 0 24 24")
  element.setAttribute("aria-hidden", "true")
  const path = document.createElementNS(element.namespaceURI, "path")
  path.setAttribute("d", ICONS[name])
  element.append(path)
  return element
}

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}
