// The reader's edge: pulled, or moved by the arrow keys, it gives the page more or less room beside the chat
// (https://www.w3.org/WAI/ARIA/apg/patterns/windowsplitter/). The width is kept in this browser; reader.css bounds it.
const KEPT = "homeroom-reader-width"
const STEP = 32

export function createSplitter(words, root) {
  const edge = Object.assign(document.createElement("div"), { className: "reader-splitter", tabIndex: 0, role: "separator", ariaOrientation: "vertical", ariaLabel: words.width })
  edge.ariaValueMin = "0"
  edge.ariaValueMax = "100"
  const resize = width => {
    document.documentElement.style.setProperty("--reader-width", `${Math.round(width)}px`)
    tell()
  }
  const tell = () => { edge.ariaValueNow = String(Math.round((100 * root.offsetWidth) / innerWidth)) }
  const keep = () => store(root.offsetWidth)
  const reset = () => {
    document.documentElement.style.removeProperty("--reader-width")
    store(null)
    tell()
  }
  edge.addEventListener("pointerdown", event => {
    if (event.button) return
    event.preventDefault()
    edge.focus({ preventScroll: true })
    edge.setPointerCapture(event.pointerId)
  })
  edge.addEventListener("pointermove", event => {
    if (edge.hasPointerCapture(event.pointerId)) resize(root.getBoundingClientRect().right - event.clientX)
  })
  edge.addEventListener("lostpointercapture", keep)
  edge.addEventListener("dblclick", reset)
  edge.addEventListener("keydown", event => {
    const step = { ArrowLeft: STEP, ArrowRight: -STEP, Home: -innerWidth, End: innerWidth }[event.key]
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    resize(Math.max(0, root.offsetWidth + step))
    keep()
  })
  const kept = Number(read())
  if (kept > 0) document.documentElement.style.setProperty("--reader-width", `${kept}px`)
  root.prepend(edge)
  requestAnimationFrame(tell)
}

/** Where the browser keeps nothing for pages, the width lasts as long as the page. */
function store(width) {
  try {
    if (width === null) localStorage.removeItem(KEPT)
    else localStorage.setItem(KEPT, String(width))
  } catch { /* Storage is switched off. */ }
}

function read() {
  try {
    return localStorage.getItem(KEPT)
  } catch {
    return null
  }
}
