// Second line of defence for the server's sanitised HTML: it is read in a document where nothing loads or runs, and what is
// known is built anew. Everything else is left out.
import { code, make } from "./elements.js"

const KNOWN = new Set(("p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code table thead tbody tr th td a strong em s del hr br sup "
  + "section input span small").split(" "))
const DEEPEST = 60

/** Nodes for the HTML of one block. `onFormula(element, tex, isDisplay)` is called for each place of a formula. */
export function readHtml(html, onFormula) {
  const template = document.createElement("template")
  template.innerHTML = typeof html === "string" ? html : ""
  return built(template.content, { onFormula, depth: 0 })
}

function built(parent, context) {
  return context.depth > DEEPEST ? [] : [...parent.childNodes].map(node => copied(node, context)).filter(Boolean)
}

function copied(node, context) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data)
  const tag = node.nodeType === Node.ELEMENT_NODE ? node.localName : ""
  if (!KNOWN.has(tag) || node.namespaceURI !== "http://www.w3.org/1999/xhtml") return null
  if (tag === "pre") return make("div", { "data-testid": "stMarkdownPre", class: "la-pre" }, block(node))
  if (tag === "input") return checkbox(node)
  if (tag === "span") return spanned(node, context)
  const children = built(node, { ...context, depth: context.depth + 1 })
  // A displayed formula stands by itself, as in Streamlit's Markdown.
  if (tag === "p" && children.length === 1 && children[0].className === "la-formula la-display") return children[0]
  const copy = make(tag, attributes(tag, node), ...children)
  return tag[0] === "h" && tag !== "hr" ? make("div", { "data-testid": "stHeadingWithActionElements", class: "la-heading" }, copy) : copy
}

/** A formula, or the score of a row. */
function spanned(node, context) {
  if (node.className === "formula") return formula(node, context)
  return node.parentNode.localName === "li" && !node.className ? make("span", {}, node.textContent) : null
}

function attributes(tag, node) {
  if (tag === "a") return link(node.getAttribute("href"))
  if (tag === "ul") return node.className === "answer-rows" ? { class: "answer-rows", role: "list" } : {}
  if (tag === "ol") return { start: /^-?\d{1,9}$/.test(node.getAttribute("start")) ? node.getAttribute("start") : null }
  if (tag === "td" || tag === "th") return { style: aligned(node.getAttribute("align")) }
  if (tag === "li" && /^tone-(\d|plain)$/.test(node.className)) return { class: node.className }
  if (tag === "li") return { class: node.querySelector(":scope > input, :scope > p > input") ? "task-list-item" : null }
  return {}
}

const aligned = side => (["left", "center", "right"].includes(side) ? `text-align: ${side}` : null)

function link(address) {
  const isKnown = /^(https?:\/\/|mailto:)[^\u0000-\u0020]+$/i.test(address ?? "")
  return isKnown ? { href: address, target: "_blank", rel: "noopener noreferrer nofollow" } : {}
}

function block(pre) {
  const inner = pre.querySelector("code") ?? pre
  const language = /^language-[\w+#.-]{1,40}$/.test(inner.className) ? inner.className : ""
  return code(inner.textContent.replace(/^\n|\n$/g, ""), { language })
}

function checkbox(node) {
  return node.type === "checkbox" ? make("input", { type: "checkbox", disabled: true, checked: node.hasAttribute("checked") }) : null
}

function formula(node, { onFormula }) {
  const isDisplay = node.dataset.display === "true"
  const element = make("span", { class: isDisplay ? "la-formula la-display" : "la-formula" }, node.textContent)
  onFormula(element, node.textContent, isDisplay)
  return element
}
