// Where the chat stands: the last question at the top of the view, with room below it in which its answer grows. Nothing moves
// a student who has scrolled; a round button leads down to the newest words again.
const HEAD_GAP = 12
const NEAR = 8
const HIDDEN_WORDS = 48 // Pixels of the answer below the view, from which on the button is worth a look.
const BY_HAND_MS = 400 // A scroll this soon after a wheel, a finger or a key is the student's own.
const BY_HAND = ["wheel", "touchmove", "keydown", "pointerdown", "focusin"]

let view = null // of the part of the page that scrolls now
let down = null

/** The chat's place on the page, in which `element` scrolls. */
export function chatView(element) {
  const area = scrollArea(element)
  if (view?.area !== area) {
    view?.close()
    view = new ChatView(area, view)
  }
  view.element = element
  return view
}

/** Have this button lead down to the newest words, whenever they are out of sight. */
export function leadDown(button, signal) {
  down = button
  button.addEventListener("click", () => view?.goDown(), { signal })
  addEventListener("resize", () => view?.update(), { signal })
  // Where this field stands, another part of the page may scroll than did without it.
  if (view?.element.isConnected) chatView(view.element).update()
}

class ChatView {
  /** before: the view of the part that scrolled until now. */
  constructor(area, before) {
    this.area = area
    this.isPlaced = before?.isPlaced ?? false // The last question is to stay at the top.
    this.followsEnd = before?.followsEnd ?? false // The student has gone down to the newest words.
    this.byHandAt = -Infinity
    this.ended = new AbortController()
    const { signal } = this.ended
    for (const kind of BY_HAND) document.addEventListener(kind, () => { this.byHandAt = performance.now() }, { capture: true, passive: true, signal })
    area.addEventListener("scroll", () => this.look(), { passive: true, signal })
    // Without it nobody scrolls by keys while an answer comes: nothing in it takes the keyboard then.
    if (area !== document.scrollingElement) area.tabIndex = 0
    this.sizes = new ResizeObserver(() => this.update())
    this.sizes.observe(area)
    if (this.content) this.sizes.observe(this.content)
  }

  close() {
    this.ended.abort()
    this.sizes.disconnect()
    this.area.style.removeProperty("--chat-room")
    this.area.removeAttribute("tabindex")
  }

  get content() {
    return this.area.querySelector(":scope > [data-testid=stVerticalBlock]") ?? this.area.firstElementChild
  }

  /** The last question that is shown, drawn by the page or by the answer that comes. */
  get question() {
    const shown = [...document.querySelectorAll("[class*=st-key-exchange-], .live-answer.has-question")]
    return shown.filter(element => element.offsetParent !== null).at(-1) ?? null
  }

  /** Show the last question at the top, and keep it there until the student scrolls. */
  place() {
    [this.isPlaced, this.followsEnd, this.byHandAt] = [true, false, -Infinity]
    this.update()
  }

  /** Show the page from its beginning: it is no chat, or stands where a search has led. */
  leave({ isNew }) {
    this.isPlaced = this.followsEnd = false
    if (isNew) this.area.scrollTop = 0
    this.update()
  }

  goDown() {
    [this.isPlaced, this.followsEnd, this.byHandAt] = [false, true, -Infinity]
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth"
    this.area.scrollTo({ top: this.end, behavior })
  }

  /** Where the newest words are in view, at the bottom. */
  get end() {
    const { area, content } = this
    if (!content) return 0
    return Math.max(0, content.getBoundingClientRect().bottom - area.getBoundingClientRect().top + area.scrollTop - area.clientHeight + HEAD_GAP)
  }

  look() {
    if (performance.now() - this.byHandAt < BY_HAND_MS) {
      this.isPlaced = false
      this.followsEnd &&= this.end - this.area.scrollTop <= NEAR
    }
    this.showButton()
  }

  update() {
    const { area, content, question } = this
    if (!content) return
    const under = area.getBoundingClientRect().top + this.headHeight
    const length = question ? content.getBoundingClientRect().bottom - question.getBoundingClientRect().top : Infinity
    const room = Math.max(0, Math.floor(area.clientHeight - this.headHeight - length))
    area.style.setProperty("--chat-room", `${room}px`)
    if (this.isPlaced && question) {
      const moved = question.getBoundingClientRect().top - under
      if (Math.abs(moved) > 1) area.scrollTop += moved
    } else if (this.followsEnd && this.end > area.scrollTop) area.scrollTop = this.end
    this.showButton()
  }

  /** Pixels at the top that the chat's menu and Streamlit's header take. */
  get headHeight() {
    const head = document.querySelector(".st-key-chat-head")
    const header = document.querySelector("[data-testid=stHeader]")?.offsetHeight ?? 0
    return header + (head?.offsetHeight ?? 0) + HEAD_GAP
  }

  showButton() {
    if (!down) return
    const isFar = this.question !== null && this.end - this.area.scrollTop > HIDDEN_WORDS
    if (isFar) {
      const { top, left, width } = (down.closest("[data-testid=stBottom]") ?? down.parentElement).getBoundingClientRect()
      Object.assign(down.style, { left: `${left + width / 2}px`, bottom: `${innerHeight - top + 8}px` })
    }
    down.hidden = !isFar
  }
}

/** The part of the page in which an element scrolls. */
export function scrollArea(element) {
  for (let area = element.parentElement; area; area = area.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(area).overflowY) && area !== document.body) return area
  }
  return document.scrollingElement
}
