// Links to pages of course materials (services/navigation.py: material_address): a click opens the reader here, which comes
// with the first of them. With a key held, or where this cannot load, such a link opens the Materials page.

let mounted = null // What a page mounted lasts until that page is left, whatever it draws anew.

/** Mount for a page. Its data: { words, origin, opens }; `opens` is the address of a page to open at once, or "". */
export function mountReader(component) {
  mounted ??= new ReaderLinks()
  const links = mounted
  links.update(component)
  const mount = ++links.mounts
  // A page that is drawn anew may mount it again at once.
  return () => setTimeout(() => { if (mount === links.mounts) links.remove() }, 100)
}

/** What an address asks the reader to open, or null for any other one. */
export function pageOf(address, origins) {
  const { origin, pathname, searchParams, hash } = parsed(address) ?? {}
  if (!origin) return null
  const material = searchParams.get("open")
  if (!origins.includes(origin) || pathname !== "/materials" || !material) return null
  return { material, page: Math.max(1, parseInt(searchParams.get("page"), 10) || 1), passage: passageOf(hash) }
}

/** `URL.parse`, which Safari knows since 18. */
function parsed(address) {
  try {
    return address ? new URL(address, location.href) : null
  } catch {
    return null
  }
}

function passageOf(hash) {
  try {
    return hash.startsWith("#passage=") ? decodeURIComponent(hash.slice("#passage=".length)).slice(0, 400) : ""
  } catch {
    return ""
  }
}

/** The passage of the citation behind a link to the same page, which an answer's own words hold. */
function passageBehind(link) {
  const others = link.closest("[data-testid=stChatMessage]")?.querySelectorAll("a[href]") ?? []
  const isBehind = other => link.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING
  const mark = [...others].find(other => isBehind(other) && other.href.startsWith(`${link.href}#passage=`))
  return mark ? passageOf(new URL(mark.href).hash) : ""
}

class ReaderLinks {
  constructor() {
    this.mounts = 0
    this.ended = new AbortController()
    // Streamlit's links keep their clicks to themselves.
    window.addEventListener("click", event => this.clicked(event), { signal: this.ended.signal, capture: true })
  }

  update(component) {
    const isFirst = !this.component
    this.component = component
    this.reader?.update(component)
    const { origin, opens } = component.data
    this.origins = [location.origin, origin]
    const asked = isFirst ? pageOf(opens, this.origins) : null
    if (asked) this.open({ ...asked, passage: passageOf(location.hash) })
  }

  remove() {
    this.ended.abort()
    this.reader?.remove()
    if (mounted === this) mounted = null
  }

  clicked(event) {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    const asked = link && isPlain ? pageOf(link.href, this.origins) : null
    if (!asked) return
    event.preventDefault()
    event.stopPropagation()
    this.open({ ...asked, passage: asked.passage || passageBehind(link) }, link)
  }

  async open(asked, link = null) {
    try {
      const { Reader } = await import("./reader.js")
      if (this.ended.signal.aborted) return
      this.reader ??= new Reader(this.component)
      this.reader.open(asked, link)
    } catch {
      if (link) window.open(link.href, "_blank", "noopener")
    }
  }
}
