// One text of an answer: finished blocks, which are never touched again, and the words that still grow, which stay words.
import { code, make, markdown, place, step, text } from "./elements.js"
import { readHtml } from "./html.js"

/** Summary for those who cannot see the picture: the server's own comment in the source. */
const summaryOf = source => /^\s*%%\s*stAlt\s*:[^\S\n]*(.+)$/m.exec(source)?.[1].trim() ?? ""

export class Text {
  /** context: { chunks, words, pictures } of the answer. */
  constructor(context) {
    this.context = context
    this.element = make("div", { class: "la-group" })
    this.blocks = []
    this.rendered = make("div", { class: "la-block" })
    this.tail = document.createTextNode("")
    this.growing = make("p", { class: "la-growing" })
    this.waiting = ""
    this.waitingHtml = null
  }

  /** Words that come are kept until the page is painted. html: of all that grows, these words included, or null. */
  add(words, html) {
    if (html === null) this.waiting += words
    else [this.waitingHtml, this.waiting] = [html, ""]
  }

  /** Show what was kept. */
  flush() {
    const isPlaced = this.waitingHtml === null && this.tail.parentElement
    if (this.waitingHtml !== null) this.render(this.waitingHtml)
    if (this.waiting) this.tail.appendData(this.waiting)
    if (!isPlaced) this.placeGrowing();
    [this.waiting, this.waitingHtml] = ["", null]
  }

  render(html) {
    this.tail.data = ""
    this.rendered.replaceChildren(...this.read(html))
  }

  read(html) {
    return readHtml(html, (...formula) => this.set(...formula))
  }

  /** Replace the blocks from `from` on, and the growing words; `false` when there are fewer blocks. */
  replace(from, blocks, words) {
    if (!Number.isInteger(from) || from < 0 || from > this.blocks.length) return false
    for (const { element, place } of this.blocks.splice(from)) {
      element.remove()
      if (place && !place.firstChild.hasChildNodes()) place.remove()
    }
    for (const block of blocks) this.append(block);
    [this.waiting, this.waitingHtml] = ["", null]
    this.render("")
    this.tail.data = words
    this.placeGrowing()
    return true
  }

  append(block) {
    if (block?.kind === "html") {
      const element = make("div", { class: "la-block" }, ...this.read(block.html))
      const here = this.lastPlace()
      here.firstChild.append(element)
      this.blocks.push({ element, place: here })
    } else {
      // A kind that is not known yet still counts: the server's numbers go by it.
      const element = make("div", { class: "la-group" }, ...(block?.kind === "diagram" ? this.diagram(block) : []))
      this.element.append(element)
      this.blocks.push({ element, place: null })
    }
  }

  set(element, tex, isDisplay) {
    import("./formulas.js").then(({ setFormula }) => setFormula(element, tex, isDisplay, this.context.chunks.formulas), () => {})
  }

  lastPlace() {
    const last = this.blocks.at(-1)?.place
    if (last) return last
    const here = place(markdown())
    this.element.append(here)
    return here
  }

  /** What grows stands behind the last block, its newest words at the end of what is rendered of it. */
  placeGrowing() {
    const hasWords = this.tail.data.trim() !== "", isRendered = this.rendered.hasChildNodes()
    const before = this.rendered.parentElement ?? this.growing.parentElement
    for (const part of [this.tail, this.growing, this.rendered]) part.remove()
    if (isRendered || hasWords) {
      const inside = isRendered ? [...this.rendered.querySelectorAll("p, li, h1, h2, h3, h4, h5, h6, td, pre code")].at(-1) : null
      const last = inside ?? this.growing
      last.append(this.tail)
      const here = this.lastPlace().firstChild
      if (isRendered) here.append(this.rendered)
      if (!inside) here.append(this.growing)
    }
    if (before && !before.hasChildNodes()) before.parentElement.remove()
  }

  *diagram({ title, mermaid, lines, source }) {
    if (title) yield place(markdown(make("p", {}, make("strong", {}, String(title)))))
    const { chunks, words, pictures } = this.context
    const chart = make("div", { "data-testid": "stMermaidChart", class: "la-chart", "aria-busy": "true" })
    const picture = place(markdown(make("div", { "data-testid": "stMarkdownPre", class: "la-pre" }, chart)))
    const written = Array.isArray(lines) ? lines.join("\n") : ""
    const asText = step(words.show_as_text ?? "", "notes", [text(written), place(code(String(source ?? ""), { wraps: true }))])
    yield picture
    yield asText
    import("./diagrams.js").then(({ drawDiagram }) => drawDiagram(String(mermaid), chunks.diagrams, this.element)).then(address => {
      pictures.push(address)
      chart.removeAttribute("aria-busy")
      chart.append(make("img", { src: address, alt: summaryOf(String(mermaid)) }))
    }).catch(() => {
      picture.remove()
      asText.querySelector("details").open = true
    })
  }
}
