// Elements of the reader. All words come from the page, in the student's language; what a material says stays words.
const ICONS = {
  close: "M19 6.4 17.6 5 12 10.6 6.4 5 5 6.4 10.6 12 5 17.6 6.4 19 12 13.4 17.6 19 19 17.6 13.4 12z",
  previous: "M15.4 7.4 14 6l-6 6 6 6 1.4-1.4L10.8 12z",
  next: "M8.6 16.6 10 18l6-6-6-6-1.4 1.4 4.6 4.6z",
  larger: "M15.5 14h-.8l-.3-.3a6.5 6.5 0 1 0-.7.7l.3.3v.8l5 5 1.5-1.5zm-6 0a4.5 4.5 0 1 1 0-9 4.5 4.5 0 0 1 0 9zM9 7h1v2h2v1h-2v2H9v-2H7V9h2z",
  ask: "M4 4h16v12H7.2L4 19.2zm2 2v8.4l.4-.4H18V6z",
  practise: "M12 3 1 9l11 6 9-4.9V17h2V9zM5 13.2v4L12 21l7-3.8v-4L12 17z",
  open: "M5 5h6v2H7v10h10v-4h2v6H5zm8 0h6v6h-2V8.4l-6.3 6.3-1.4-1.4L15.6 7H13z",
}

export function createReader(words, { onClose, onLeaf, onPage, onText, onZoom, onAsk }) {
  const title = make("h2", { className: "reader-title" })
  const facts = make("p", { className: "reader-facts" })
  const close = button("close", words.close, onClose)
  const previous = button("previous", words.previous, () => onLeaf(-1))
  const next = button("next", words.next, () => onLeaf(1))
  const unit = make("label", { htmlFor: "reader-number" })
  const number = make("input", { id: "reader-number", className: "reader-number", type: "number", min: 1, inputMode: "numeric" })
  number.addEventListener("change", () => onPage(parseInt(number.value, 10) || 1))
  number.addEventListener("keydown", event => { if (event.key === "Enter") onPage(parseInt(number.value, 10) || 1) })
  const count = make("span")
  const text = make("button", { type: "button", className: "reader-toggle", textContent: words.text })
  text.addEventListener("click", () => onText(text.getAttribute("aria-pressed") !== "true"))
  const zoom = button("larger", words.larger, onZoom)
  const ask = button("ask", words.ask, onAsk, { isLabelled: true })
  const practise = make("a", { className: "reader-button" }, icon("practise"), make("span", { textContent: words.practise }))
  const original = make("a", { target: "_blank", rel: "noopener noreferrer", className: "reader-button" })
  const status = make("p", { className: "reader-heard", role: "status" })
  const body = make("div", { className: "reader-body", tabIndex: 0, role: "group" })
  body.addEventListener("click", ({ target }) => { if (target.className === "reader-picture") onZoom() })
  const bar = make("div", { className: "reader-bar" }, previous, unit, number, count, next, make("span", { className: "reader-gap" }), text, zoom)
  const foot = make("footer", { className: "reader-foot" }, ask, practise, original)
  const root = make("section", { className: "reader", tabIndex: -1, ariaLabel: words.reader },
    make("header", { className: "reader-head" }, make("div", { className: "reader-names" }, title, facts), close),
    bar, body, foot, status)
  return { root, bar, foot, title, facts, close, previous, next, unit, number, count, text, zoom, ask, practise, original, body, status }
}

/** Draw a page. picture: { address, markTop }; isWaiting: it is on its way; isText: the text stands in its place. */
export function drawPage(elements, words, found, { isText, isLarge, zoom, picture = null, isWaiting = false, note = "" }) {
  const { root, body } = elements
  drawFacts(elements, words, found, { isText, isLarge })
  const page = found.page
  root.classList.toggle("is-large", isLarge)
  body.style.setProperty("--zoom", isLarge ? zoom : 1)
  const content = []
  for (const sentence of [...(found.is_live ? [] : [words.as_of.replace("{moment}", () => found.as_of)]), ...found.notes, note].filter(Boolean))
    content.push(make("p", { className: "reader-note", textContent: sentence }))
  if (!page) content.push(make("p", { textContent: words.no_such_page }))
  else if (isWaiting) content.push(make("div", { className: "reader-waiting is-page" }))
  else if (picture && !isText) content.push(pictureOf(elements, words, found, picture))
  else content.push(found.is_slide ? make("div", { className: "reader-slide" }, ...textOf(page, words)) : make("div", {}, ...textOf(page, words)))
  if (page?.speaker_notes.length && !isWaiting)
    content.push(make("h3", { textContent: words.speaker_notes }), ...blocks(page.speaker_notes))
  body.replaceChildren(...content)
  body.setAttribute("aria-busy", String(isWaiting))
  const mark = body.querySelector("mark")
  if (mark) mark.scrollIntoView({ block: "center", behavior: "instant" })
  else if (!picture || isText) body.scrollTo(0, 0)
}

function drawFacts({ bar, foot, title, facts, previous, next, unit, number, count, text, zoom, ask, original, status }, words, found, { isText, isLarge }) {
  title.textContent = found.title
  foot.hidden = false
  facts.textContent = [found.course, found.module, found.dated].filter(Boolean).join(" · ")
  unit.textContent = found.unit
  count.textContent = words.of.replace("{count}", () => found.count)
  number.max = found.count
  number.value = found.page?.number ?? number.value
  previous.disabled = Number(number.value) <= 1
  next.disabled = Number(number.value) >= found.count
  text.hidden = zoom.hidden = !found.has_pictures
  text.setAttribute("aria-pressed", String(isText))
  zoom.disabled = isText
  for (const element of [previous, unit, number, count, next]) element.hidden = found.count < 2
  bar.hidden = text.hidden && previous.hidden
  zoom.setAttribute("aria-pressed", String(isLarge))
  ask.hidden = !found.page
  drawOriginal(original, found)
  status.textContent = `${found.unit} ${number.value} ${count.textContent}`
}

function drawOriginal(original, { url, url_label }) {
  const isWeb = /^https?:\/\//i.test(url) && Boolean(url_label)
  original.hidden = !isWeb
  if (!isWeb) return
  original.href = url
  original.replaceChildren(icon("open"), make("span", { textContent: url_label }))
}

function pictureOf({ body }, words, found, { address, markTop }) {
  const image = make("img", { className: "reader-picture", alt: words.picture_of.replace("{place}", () => found.place) })
  const show = () => {
    const top = markTop === null ? 0 : image.offsetTop + markTop * image.offsetHeight - body.clientHeight / 3
    body.scrollTo({ top: Math.max(0, top), left: 0, behavior: "instant" })
  }
  image.addEventListener("load", show, { once: true })
  image.src = address
  return image
}

const textOf = (page, words) => {
  if (page.is_blank && !page.blocks.length) return [make("p", { textContent: words.only_picture })]
  const level = page.blocks[0]?.kind === "heading" ? "p" : "h3" // Above its own heading stands what that belongs to.
  const named = page.label ? [make(level, { className: "reader-label", textContent: page.label })] : []
  return [...named, ...(page.blocks.length ? blocks(page.blocks) : [make("p", { textContent: words.empty })])]
}

const blocks = found => found.map(({ kind, lines }) => {
  if (kind === "list") return make("ul", { dir: "auto" }, ...lines.map(line => make("li", {}, ...pieces(line))))
  if (kind === "table") return tableOf(lines)
  if (kind === "code") return make("pre", { tabIndex: 0 }, ...lines.flatMap((line, at) => [at ? "\n" : "", ...pieces(line)]))
  if (kind === "heading") return make("div", {}, ...lines.map(line => make("h3", { dir: "auto" }, ...pieces(line))))
  return make("div", { dir: "auto" }, ...lines.map(line => make("p", { dir: "auto" }, ...pieces(line))))
})

const tableOf = rows => make("div", { className: "reader-table" }, make("table", {}, make("tbody", {},
  ...rows.map(cells => make("tr", {}, ...cells.map(cell => make("td", { dir: "auto" }, ...pieces(cell))))))))

const pieces = parts => parts.map(([words, isMarked]) => (isMarked ? make("mark", { textContent: words }) : words))

export function drawWaiting({ body, status }, words) {
  const lines = [70, 95, 88, 92, 40].map(width => make("div", { className: "reader-waiting", style: `width: ${width}%` }))
  body.replaceChildren(make("p", { className: "reader-note", textContent: words.reading }), ...lines)
  body.setAttribute("aria-busy", "true")
  status.textContent = words.reading
}

/** Say why there is no page; what is known of the material stays. */
export function drawProblem(elements, words, { message, status, title, url, url_label, isKnown, onRetry }) {
  const { body, bar, foot, ask, original } = elements
  const canRetry = ![403, 404, 422].includes(status)
  const retry = canRetry ? [button(null, words.retry, onRetry, { isLabelled: true })] : []
  if (!isKnown) {
    [elements.title.textContent, elements.facts.textContent] = [title || words.reader, ""]
    bar.hidden = true
    foot.hidden = !url_label
    drawOriginal(original, { url, url_label })
  }
  ask.hidden = true
  body.replaceChildren(make("p", { className: "reader-problem", role: "alert", textContent: message || words.offline }), ...retry)
  body.setAttribute("aria-busy", "false")
}

function button(name, label, onPress, { isLabelled = false } = {}) {
  const inner = [name ? icon(name) : "", isLabelled ? make("span", { textContent: label }) : ""]
  const element = make("button", { type: "button", className: isLabelled ? "reader-button" : "reader-icon", title: isLabelled ? "" : label }, ...inner)
  if (!isLabelled) element.ariaLabel = label
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
