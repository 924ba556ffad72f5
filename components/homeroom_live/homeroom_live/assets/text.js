// One text of an answer: finished blocks, which are never touched again, and the words that still grow, which stay words.
import { code, make, markdown, place, step, text } from "./elements.js"
import { Growing } from "./growing.js"
import { readHtml } from "./html.js"

/** Summary for those who cannot see the picture: the server's own comment in the source. */
const summaryOf = source => /^\s*%%\s*stAlt\s*:[^\S\n]*(.+)$/m.exec(source)?.[1].trim() ?? ""

export class Text {
  /** context: { chunks, words, pictures } of the answer. */
  constructor(context) {
    this.context = context
    this.element = make("div", { class: "la-group" })
    this.blocks = []
    this.words = ""
    this.growing = new Growing()
    this.rendered = make("div", { class: "la-block" })
    this.begin("", null)
  }

  /** Words that come are kept until the page is painted. html: the server's, of all that grows, or null. */
  add(words, html) {
    this.words += words
    this.waiting += words
    this.html = html
    this.isWaiting = true
  }

  begin(words, html) {
    [this.words, this.waiting, this.html, this.isWaiting] = [words, "", html, false]
    this.growing.set(words)
    this.rendered.replaceChildren()
    this.show(this.growing.element, this.growing.hasWords)
  }

  /** Show what was kept. */
  flush() {
    if (!this.isWaiting) return
    if (this.html !== null) this.rendered.replaceChildren(...this.read(this.html))
    else if (this.rendered.parentElement) this.growing.set(this.words)
    else this.growing.add(this.waiting)
    const isRendered = this.html !== null
    this.show(isRendered ? this.rendered : this.growing.element, isRendered || this.growing.hasWords);
    [this.waiting, this.isWaiting] = ["", false]
  }

  /** What grows stands behind the last block. */
  show(element, hasWords) {
    const other = element === this.rendered ? this.growing.element : this.rendered
    const before = other.parentElement ?? element.parentElement
    other.remove()
    if (!hasWords) element.remove()
    else if (this.element.lastElementChild?.lastElementChild?.lastElementChild !== element) this.lastPlace().firstChild.append(element)
    if (before && !before.hasChildNodes()) before.parentElement.remove()
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
    for (const block of blocks) this.append(block)
    this.begin(words, null)
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
