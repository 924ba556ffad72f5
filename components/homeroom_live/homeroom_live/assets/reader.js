// The reader: a page of a course material beside the chat. It is one element of the page's document, whatever Streamlit draws
// anew; reader_link.js opens it, and its pages come from api/live/reader.py.
import { createReader, drawPage, drawProblem, drawWaiting } from "./reader_elements.js"
import { loadPage, loadPicture } from "./reader_pages.js"
import { createSplitter } from "./reader_splitter.js"

const NARROW = matchMedia("(max-width: 999px)")
const SLOW_MS = 200 // What comes sooner replaces the page before it without a flicker.
const ZOOM = 2

const style = new Promise(resolve => {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("reader.css", import.meta.url).href })
  link.onload = link.onerror = resolve
  document.head.append(link)
})

export class Reader {
  constructor(component) {
    this.update(component)
    this.prefersText = false
    this.isLarge = false
    this.ended = new AbortController()
    window.addEventListener("keydown", event => this.pressed(event), { signal: this.ended.signal })
    NARROW.addEventListener("change", () => this.fit(), { signal: this.ended.signal })
  }

  update(component) {
    this.component = component
    this.words = component.data.words
  }

  remove() {
    this.ended.abort()
    this.close()
  }

  pressed(event) {
    if (!this.elements || event.defaultPrevented || event.isComposing) return
    const isInside = this.elements.root.contains(document.activeElement)
    // What opened above it, such as a menu or a dialog, is closed first.
    const isCovered = document.querySelector("[data-testid=stDialog], [data-testid=stPopoverBody], [role=listbox], [role=menu]")
    if (event.key === "Escape" && (isInside || !isCovered)) return this.close()
    const isFree = isInside && document.activeElement !== this.elements.number && !(event.ctrlKey || event.metaKey || event.altKey)
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!isFree || !step || (this.isLarge && document.activeElement === this.elements.body)) return
    event.preventDefault()
    this.leaf(step)
  }

  /** opener: the link that was followed, which gets the keyboard back in the end. */
  async open(asked, opener) {
    await style
    if (this.ended.signal.aborted) return
    this.opener = opener
    if (!this.elements) this.draw()
    this.show(asked)
    this.elements.root.focus({ preventScroll: true })
  }

  draw() {
    this.elements = createReader(this.words, {
      onClose: () => this.close(),
      onLeaf: step => this.leaf(step),
      onPage: page => this.turnTo(page),
      onText: isText => { this.prefersText = isText; this.drawContent() },
      onZoom: () => { this.isLarge = !this.isLarge; this.drawContent() },
      onAsk: () => this.ask(),
    })
    const app = document.querySelector("[data-testid=stApp]") ?? document.body
    app.append(this.elements.root)
    createSplitter(this.words, this.elements.root)
    this.fit()
  }

  /** Beside the page where there is room; else over it, as a dialog that a phone's Back closes. */
  fit() {
    if (!this.elements) return
    const { root } = this.elements
    document.documentElement.classList.add("reader-open")
    root.setAttribute("role", NARROW.matches ? "dialog" : "complementary")
    if (NARROW.matches) root.setAttribute("aria-modal", "true")
    else root.removeAttribute("aria-modal")
    for (const covered of document.querySelectorAll("[data-testid=stAppViewContainer], [data-testid=stHeader]")) covered.inert = NARROW.matches
    this.watcher?.destroy()
    this.watcher = NARROW.matches && window.CloseWatcher ? new CloseWatcher() : null
    if (this.watcher) this.watcher.onclose = () => this.close()
  }

  close() {
    if (!this.elements) return
    this.watcher?.destroy()
    this.asked = this.page = this.watcher = null
    this.request?.abort()
    this.elements.root.remove()
    this.elements = null
    document.documentElement.classList.remove("reader-open")
    for (const covered of document.querySelectorAll("[data-testid=stAppViewContainer], [data-testid=stHeader]")) covered.inert = false
    this.openerNow()?.focus({ preventScroll: true })
    keepInAddress(null)
  }

  /** The link that was followed; where the page was drawn anew since, the one in its place. */
  openerNow() {
    if (!this.opener || this.opener.isConnected) return this.opener
    return [...document.links].find(link => link.href === this.opener.href && link.getClientRects().length)
  }

  leaf(step) {
    if (this.asked) this.turnTo(this.asked.page + step)
  }

  turnTo(page) {
    const count = this.page?.count ?? Infinity
    const wanted = Math.min(Math.max(1, page), count)
    if (this.asked && wanted !== this.asked.page) this.show({ ...this.asked, page: wanted, passage: "" })
    else if (this.asked) this.elements.number.value = this.asked.page
  }

  async show(asked) {
    if (asked.material !== this.asked?.material) this.page = null
    this.asked = asked
    this.request?.abort()
    const request = (this.request = new AbortController())
    const { elements } = this
    elements.number.value = asked.page
    const slow = setTimeout(() => drawWaiting(elements, this.words), SLOW_MS)
    const found = await loadPage(asked, request.signal)
    clearTimeout(slow)
    if (request.signal.aborted || !this.elements) return
    this.page = found.page ?? this.page
    if (!found.page) return drawProblem(elements, this.words, { ...found, isKnown: Boolean(this.page), onRetry: () => this.show(asked) })
    this.drawContent()
    keepInAddress(asked)
    if (asked.page < found.page.count) this.next = setTimeout(() => loadPage({ ...asked, page: asked.page + 1, passage: "" }), 400)
  }

  async drawContent() {
    const { elements, page, asked, request } = this
    if (!page) return
    elements.practise.href = `/study?${new URLSearchParams({ practise: asked.material, page: asked.page })}`
    const showsPicture = page.has_pictures && !this.prefersText
    const options = { isText: !showsPicture, isLarge: this.isLarge && showsPicture, zoom: ZOOM }
    if (!showsPicture || !page.page) return drawPage(elements, this.words, page, options)
    const slow = setTimeout(() => drawPage(elements, this.words, page, { ...options, isWaiting: true }), SLOW_MS)
    const picture = await loadPicture({ ...asked, passage: page.page.passage }, request.signal)
    clearTimeout(slow)
    if (request.signal.aborted || elements !== this.elements || asked !== this.asked || this.prefersText) return
    const told = picture.address ? { picture } : { isText: true, note: picture.message || this.words.no_picture }
    drawPage(elements, this.words, page, { ...options, ...told })
  }

  /** Put the page into the field for messages; a page without that field opens a new chat with it. */
  ask() {
    const place = this.page?.place
    if (!place) return
    if (NARROW.matches) this.close()
    const asked = new CustomEvent("homeroom-ask-about", { detail: { place, sentence: this.words.about.replace("{place}", () => place) }, cancelable: true })
    if (window.dispatchEvent(asked)) this.component.setTriggerValue("ask", asked.detail.sentence)
  }
}

/** Have the Materials page open the same page again when it is reloaded, bookmarked or sent to another device. */
function keepInAddress(asked) {
  if (location.pathname !== "/materials") return
  const address = new URL(location.href)
  for (const [name, value] of [["open", asked?.material], ["page", asked?.page]])
    if (value) address.searchParams.set(name, value)
    else address.searchParams.delete(name)
  address.hash = asked?.passage ? `passage=${encodeURIComponent(asked.passage)}` : ""
  history.replaceState(history.state, "", address)
}
