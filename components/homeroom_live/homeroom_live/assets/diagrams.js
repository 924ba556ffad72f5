// Diagrams, drawn by the Mermaid that Streamlit ships and with Streamlit's settings (its MermaidChart, 1.67), as a picture in
// which nothing can act (docs/decisions/0026). The source was written anew by the server.
import { imported } from "./chunks.js"

/** Under this name Streamlit keeps the settings that Mermaid was given last. */
const SETTINGS = Symbol.for("streamlit.mermaid.themeConfigKey")
const SECURE = ["secure", "securityLevel", "startOnLoad", "maxTextSize", "suppressErrorRendering", "maxEdges", "htmlLabels", "themeCSS",
  "fontFamily", "altFontFamily", "dompurifyConfig"]
/** What would name addresses, styles or code; the server writes none of it but in labels, its summary and one directive at the top. */
const ACTING = /@\{|%%\{|^\s*(?:click|href|links?|callback|style|classDef|linkStyle|properties|details)\b/m
const OURS = /(?<![^])%%\{init: [^\n]*\}%%\n|^[^\S\n]*%%(?!\{)[^\n]*|"[^"\n]*"/gm
let drawn = 0

/** Address (`blob:`) of the diagram's picture; whoever asks gives it back with `URL.revokeObjectURL`. */
export async function drawDiagram(source, address, page) {
  if (ACTING.test(source.replace(OURS, ""))) throw new Error("Not one of our diagrams")
  const mermaid = (await imported(address)).default
  if (!mermaid[SETTINGS]) {
    const settings = settingsFor(getComputedStyle(page))
    mermaid.initialize({ startOnLoad: false, securityLevel: "strict", secure: SECURE, suppressErrorRendering: true, ...settings })
    mermaid[SETTINGS] = JSON.stringify(settings)
  }
  drawn += 1
  const { svg } = await mermaid.render(`live-diagram-${drawn}`, source)
  return URL.createObjectURL(new Blob([sized(svg)], { type: "image/svg+xml;charset=utf-8" }))
}

/** A picture needs a size of its own. */
function sized(svg) {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").querySelector("svg")
  if (!root) return svg
  const [, , width, height] = (root.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number)
  if (width > 0 && height > 0) {
    root.setAttribute("width", String(width))
    root.setAttribute("height", String(height))
  }
  root.setAttribute("preserveAspectRatio", "xMidYMid meet")
  root.style.removeProperty("max-width")
  return new XMLSerializer().serializeToString(root)
}

/** Streamlit's settings for the diagrams that we write: flowcharts and sequences. */
function settingsFor(style) {
  const theme = name => style.getPropertyValue(`--st-${name}`).trim()
  const mixed = name => mix(theme(name), background)
  const background = theme("background-color")
  const [words, border] = [theme("text-color"), theme("border-color")]
  const faded = fade(words)
  const isDark = lightness(background) <= 0.5
  return {
    darkMode: isDark, theme: "base", look: "classic", fontFamily: theme("font"), fontSize: 14, htmlLabels: false,
    flowchart: { htmlLabels: false },
    themeVariables: {
      darkMode: isDark, primaryColor: mixed("blue-background-color"), primaryTextColor: words, primaryBorderColor: border,
      secondaryColor: mixed("green-background-color"), tertiaryColor: mixed("orange-background-color"), background,
      mainBkg: theme("secondary-background-color"), fontFamily: theme("font"), fontSize: "14px", lineColor: faded, textColor: words,
      noteBkgColor: mixed("yellow-background-color"), noteTextColor: words,
    },
  }
}

function channels(color) {
  const context = document.createElement("canvas").getContext("2d")
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  return [...context.getImageData(0, 0, 1, 1).data]
}
function mix(above, below) {
  const context = document.createElement("canvas").getContext("2d")
  for (const color of [below, above]) {
    context.fillStyle = color
    context.fillRect(0, 0, 1, 1)
  }
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
  return `rgb(${red}, ${green}, ${blue})`
}
const fade = color => `rgba(${channels(color).slice(0, 3).join(", ")}, 0.6)`
function lightness(color) {
  const [red, green, blue] = channels(color)
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255
}
