// Formulas, set by the KaTeX that Streamlit ships for its Markdown (its plugin rehype-katex, 1.67): the page loads no second
// copy, and the finished answer looks the same. Without it the formula stays as it was written.
import { imported } from "./chunks.js"

const SVG = "http://www.w3.org/2000/svg"
const MATHML = "http://www.w3.org/1998/Math/MathML"
const HTML_TAGS = new Set(["span"])
const SVG_TAGS = new Set(["svg", "path", "line", "g"])
const MATHML_TAGS = new Set(("math semantics annotation mrow mi mn mo mtext mspace msup msub msubsup mfrac msqrt mroot mover munder "
  + "munderover mtable mtr mtd mstyle mpadded mphantom menclose merror mlabeledtr").split(" "))
const ATTRIBUTES = new Map(Object.entries({
  className: "class", ariaHidden: "aria-hidden", style: "style", width: "width", height: "height", viewBox: "viewBox", d: "d",
  preserveAspectRatio: "preserveAspectRatio", x1: "x1", x2: "x2", y1: "y1", y2: "y2", strokeWidth: "stroke-width",
  ...Object.fromEntries(("encoding display stretchy fence separator mathvariant displaystyle scriptlevel columnalign rowspacing "
    + "columnspacing columnlines rowlines accent accentunder linethickness lspace rspace minsize maxsize notation largeop movablelimits "
    + "form symmetric mathcolor mathbackground mathsize depth voffset side title").split(" ").map(name => [name, name])),
}))
const DEEPEST = 400

/** Replace the formula's words by the formula, once it is known how. */
export async function setFormula(element, tex, isDisplay, address) {
  try {
    const plugin = (await imported(address)).default
    const words = { type: "text", value: tex }
    const className = ["language-math", isDisplay ? "math-display" : "math-inline"]
    const tree = { type: "root", children: [{ type: "element", tagName: "code", properties: { className }, children: [words] }] }
    plugin()(tree, { message() {} })
    const drawn = tree.children.map(node => fromTree(node, "", 0)).filter(Boolean)
    if (drawn.length) element.replaceChildren(...drawn)
  } catch { /* It stays as it was written. */ }
}

/** Build the part of the page that a tree describes (hast); what is not known is left out. */
function fromTree(node, space, depth) {
  if (node.type === "text") return document.createTextNode(node.value)
  if (node.type !== "element" || depth > DEEPEST) return null
  const tag = node.tagName
  const inside = tag === "svg" ? SVG : tag === "math" ? MATHML : space
  const known = inside === SVG ? SVG_TAGS : inside === MATHML ? MATHML_TAGS : HTML_TAGS
  if (!known.has(tag)) return null
  const element = inside ? document.createElementNS(inside, tag) : document.createElement(tag)
  for (const [name, value] of Object.entries(node.properties ?? {})) {
    const attribute = ATTRIBUTES.get(name) ?? ATTRIBUTES.get(name.toLowerCase())
    if (attribute && value !== false && value !== null) element.setAttribute(attribute, Array.isArray(value) ? value.join(" ") : String(value))
  }
  element.append(...node.children.map(child => fromTree(child, inside, depth + 1)).filter(Boolean))
  return element
}
