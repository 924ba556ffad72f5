// Words that still grow, laid out as the finished block will be: lists, headings, code, tables, emphasis. All of it is words
// and plain elements that are made here: a link has no address before the server has looked at it. A line that is complete
// is not drawn again.
import { code, make } from "./elements.js"

const FENCE = /^\s*(`{3,}|~{3,})/
const BEGUN = /^\s*(?:[-*+=_#]+|\d{1,9}[.)]?|[`~]{1,2})\s*$/
const HEADING = /^\s{0,3}(#{1,6})\s+(.*)$/s
const RULE = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/
const QUOTE = /^\s{0,3}>\s?(.*)$/
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/
const TASK = /^\[([ xX])\]\s+(.*)$/
const ROW = /^\s*\|(.*)$/
const DASHES = /^\s*\|[\s|:-]*$/
const DEEPEST = 4
const DEEPEST_LIST = 12
/** Characters of a line in which Markdown is looked for, emphasis over at most 200: a longer line is words, so that none takes
    long, however often it is drawn as it grows. */
const LONGEST = 3_000
const marks = end => new RegExp([
  String.raw`(?<ticks>\x60+)(?<code>.{1,200}?)(?:\k<ticks>${end})`,
  String.raw`\*\*(?<strong>(?=\S).{1,200}?)(?:\*\*${end})`,
  String.raw`~~(?<s>.{1,200}?)(?:~~${end})`,
  String.raw`(?<![\w*_])(?<mark>[*_])(?<em>(?=[^\s*_]).{1,200}?)(?:\k<mark>(?!\w)${end})`,
  String.raw`!?\[(?<link>[^\]\n]{1,200})\]\([^)\n]{0,500}(?:\)${end})`,
  String.raw`\\(?<sign>[!-\/:-@[-\x60{-~])`,
].join("|"), "g")
const CLOSED = marks(""), OPEN = marks("|$")

export class Growing {
  constructor() {
    this.element = make("div", { class: "la-block la-growing" })
    this.set("")
  }

  get hasWords() {
    return this.text.trim() !== ""
  }

  /** Begin anew with these words. */
  set(words) {
    this.element.replaceChildren();
    [this.text, this.line, this.state, this.trial] = ["", "", { lists: [] }, []]
    this.add(words)
  }

  add(words) {
    if (!words) return
    this.text += words
    for (const node of this.trial.splice(0)) node.remove()
    const lines = (this.line + words).split("\n")
    this.line = lines.pop()
    for (const line of lines) this.draw(line, this.state, CLOSED)
    this.trial = []
    if (!this.line || BEGUN.test(this.line)) return
    this.draw(this.line, { ...this.state, lists: this.state.lists.map(list => ({ ...list })) }, OPEN)
  }

  append(parent, ...nodes) {
    parent.append(...nodes)
    this.trial.push(...nodes)
    return nodes[0]
  }

  /** Draw one line after the others, whose `state` is brought up to it. */
  draw(line, state, ends) {
    if (state.fence) return this.drawCode(line, state)
    const isLong = line.length >= LONGEST
    const fence = isLong ? null : FENCE.exec(line)
    if (fence) return this.openFence(fence[1], state)
    if (!line.trim()) return Object.assign(state, { block: null, isApart: true })
    const isApart = state.isApart
    state.isApart = false
    if (isLong) return this.drawWords(line, state, ends, isApart)
    const [, signs, title] = HEADING.exec(line) ?? []
    if (signs) return this.begin(state, make("div", { class: "la-heading" }, make(`h${signs.length}`, {}, ...inline(withoutEnd(title), ends))))
    if (RULE.test(line)) return this.begin(state, make("hr"))
    if (ROW.test(line)) return this.drawRow(line, state, ends)
    const quoted = QUOTE.exec(line)
    if (quoted) return this.drawQuote(quoted[1], state, ends)
    const item = ITEM.exec(line)
    if (item) return this.drawItem(item, state, ends, isApart)
    this.drawWords(line, state, ends, isApart)
  }

  /** A block of its own, after which nothing goes on that was open. */
  begin(state, element) {
    Object.assign(state, { lists: [], block: null, table: null })
    this.append(this.element, element)
  }

  openFence(mark, state) {
    const box = code("")
    this.begin(state, make("div", { class: "la-pre" }, box))
    state.fence = { mark, place: box.querySelector("code") }
  }

  drawCode(line, state) {
    if (line.trim().startsWith(state.fence.mark)) state.fence = null
    else this.append(state.fence.place, document.createTextNode(`${line}\n`))
  }

  drawRow(line, state, ends) {
    if (DASHES.test(line)) return
    const cells = ROW.exec(line)[1].replace(/\|\s*$/, "").split(/(?<!\\)\|/)
    const isHead = !state.table
    if (isHead) {
      const table = make("table", {}, make("tbody"))
      this.begin(state, table)
      state.table = table.firstChild
    }
    this.append(state.table, make("tr", {}, ...cells.map(cell => make(isHead ? "th" : "td", {}, ...inline(cell.trim(), ends)))))
  }

  drawQuote(words, state, ends) {
    if (state.block?.localName !== "p" || state.block.parentElement?.localName !== "blockquote") {
      const block = make("p")
      this.begin(state, make("blockquote", {}, block))
      state.block = block
    }
    this.append(state.block, ...inline(`${words}\n`, ends))
  }

  drawItem([, lead, sign, words], state, ends, isApart) {
    const indent = lead.length, isOrdered = /\d/.test(sign)
    const { lists } = state
    const kept = lists.filter(list => list.indent <= indent).slice(0, DEEPEST_LIST)
    let list = kept.at(-1)
    const isInside = list && indent >= list.indent + 2 && kept.length < DEEPEST_LIST
    if (!list || isInside || list.isOrdered !== isOrdered) {
      const above = isInside ? list.item : kept.at(-2)?.item
      if (list && !isInside) kept.pop()
      const element = make(isOrdered ? "ol" : "ul", isOrdered ? { start: String(parseInt(sign, 10)) } : {})
      this.append(above ?? this.element, element)
      list = { indent, isOrdered, element, item: null }
      kept.push(list)
    } else if (isApart) list.element.classList.add("la-loose")
    const task = TASK.exec(words)
    const box = task ? [make("input", { type: "checkbox", disabled: true, checked: task[1] !== " " }), " "] : []
    list.item = this.append(list.element, make("li", { class: task ? "task-list-item" : null }, ...box, ...inline(task?.[2] ?? words, ends)))
    Object.assign(state, { lists: kept, block: list.item, table: null })
  }

  drawWords(line, state, ends, isApart) {
    const inItem = state.lists.length && !(isApart && /^\S/.test(line)) ? state.lists.at(-1).item : null
    const goesOn = !isApart && (state.block ?? inItem)
    if (goesOn) return void this.append(goesOn, ...inline(`\n${line.trim()}`, ends))
    const block = make("p", {}, ...inline(line.trim(), ends))
    if (inItem) this.append(inItem, block)
    else this.begin(state, block)
    state.block = block
  }
}

/** The words of a heading without the signs that may close it. */
function withoutEnd(title) {
  let end = title.trimEnd().length
  while (title[end - 1] === "#") end -= 1
  return title.slice(0, end)
}

/** Words with their emphasis, as nodes. */
function inline(words, ends, depth = 0) {
  const nodes = []
  let at = 0
  for (const found of depth < DEEPEST && words.length < LONGEST ? words.matchAll(ends) : []) {
    const { code: ticked, strong, s, em, link, sign } = found.groups
    if (found.index > at) nodes.push(words.slice(at, found.index))
    at = found.index + found[0].length
    if (sign) nodes.push(sign)
    else if (ticked) nodes.push(make("code", {}, ticked))
    else {
      const tag = strong ? "strong" : s ? "del" : em ? "em" : "span"
      nodes.push(make(tag, { class: link ? "la-link" : null }, ...inline(strong ?? s ?? em ?? link, ends, depth + 1)))
    }
  }
  nodes.push(words.slice(at))
  return nodes.map(node => (typeof node === "string" ? document.createTextNode(node) : node))
}
