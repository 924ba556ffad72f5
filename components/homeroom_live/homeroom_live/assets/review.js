// Review of flashcards: shows a card, its back, and takes the rating, without waiting for the server; api/live/study_review.py
// sends the next cards ahead. Mounted by ui/study/review_panel.py.
import { createReview, drawBack, drawEnd, drawFront, drawNote, drawProblem, drawProgress, drawEditor, ready } from "./review_elements.js"
import { newKey, Outbox, post } from "./study_outbox.js"

const FEW = 6 // Cards at hand below which more are asked for.
const GOOD = 3
const LONGEST_S = 300

export function mountReview(component) {
  const { parentElement, data } = component
  const before = parentElement.review
  if (before && before.data.course === data.course) before.update(component)
  else {
    before?.remove()
    parentElement.review = new ReviewSession(component)
  }
  const mounted = parentElement.review
  const mount = ++mounted.mounts
  // A page that is drawn anew may mount it again at once.
  return () => setTimeout(() => { if (mount === mounted.mounts) mounted.remove() }, 100)
}

class ReviewSession {
  constructor(component) {
    this.mounts = 0
    this.update(component)
    Object.assign(this, { cards: [], waiting: [], given: [], current: null, isShown: false, done: 0, left: 0, perCardS: 9, undoId: "", end: null })
    this.ended = new AbortController()
    const on = (kind, listener) => window.addEventListener(kind, listener, { signal: this.ended.signal })
    on("keydown", event => this.pressed(event))
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.catchUp() }, { signal: this.ended.signal })
    this.outbox = new Outbox({
      onSent: (entry, body) => this.sent(entry, body),
      onRefused: (entry, message, status) => { if (status !== 404 || entry.path !== "undo") this.note(message) },
      onState: (waiting, status) => this.tellState(waiting, status),
    })
    this.begin()
  }

  update(component) {
    this.component = component
    this.data = component.data
    this.words = component.data.words
  }

  remove() {
    this.ended.abort()
    this.outbox.remove()
    clearTimeout(this.timer)
    this.elements?.root.remove()
    if (this.component.parentElement.review === this) delete this.component.parentElement.review
  }

  async begin() {
    await ready
    if (this.ended.signal.aborted) return
    this.elements = createReview(this.words, {
      onShow: () => this.showBack(),
      onRate: rating => this.rate(rating),
      onUndo: () => this.undo(),
      onEdit: () => this.edit(),
      onForExam: () => this.switchForExam(),
      onSuspend: () => this.suspend(),
    })
    this.component.parentElement.append(this.elements.root)
    await this.fetchCards()
    this.next()
  }

  /** Ask for the next cards; what was rated here and is still on its way is not shown again. */
  async fetchCards({ more = false } = {}) {
    if (this.fetching) return this.fetching
    this.fetching = this.fetchNow(more).finally(() => { this.fetching = null })
    return this.fetching
  }

  async fetchNow(more) {
    if (this.outbox.size) await this.outbox.send()
    const answer = await post("queue", { course: this.data.course, more: more || Boolean(this.isMore) })
    this.problem = answer.body ? null : answer
    if (!answer.body) return
    const { cards, ...told } = answer.body
    const busy = new Set([...this.waiting.map(({ card }) => card.id), ...this.outbox.entries.map(({ body }) => body.card)])
    const known = new Set([this.current?.id, ...this.cards.map(({ id }) => id)])
    const listed = new Set(cards.map(({ id }) => id))
    // What another tab has done meanwhile is not asked once more; what undo or a rating here brought back stays.
    const isOpen = ({ id, isBack }) => isBack || listed.has(id) || this.outbox.size > 0 || told.due + told.new > cards.length
    this.cards = this.cards.filter(isOpen)
    if (this.current && !isOpen(this.current)) this.current = null
    this.cards.push(...cards.filter(({ id }) => !busy.has(id) && !known.has(id)))
    this.end = told
    this.left = Math.max(told.due + told.new, this.cards.length + this.waiting.length + (this.current ? 1 : 0))
    this.isAll = told.due + told.new <= cards.length
    if (told.due + told.new) this.perCardS = (told.minutes * 60) / (told.due + told.new)
    if (!this.given.length) this.undoId = told.undo
    this.drawProgress()
  }

  /** The tab is looked at again: another one may have gone on meanwhile. */
  async catchUp() {
    if (!this.elements || this.isEditing) return
    await this.fetchCards()
    if (!this.current && !this.isEditing) this.next()
  }

  async next() {
    clearTimeout(this.timer)
    this.isEditing = false
    const taken = this.take()
    if (taken) {
      this.current = taken
      this.isShown = false
      this.shownAt = performance.now()
      drawFront(this.elements, this.words, taken, { canUndo: this.canUndo(), chunks: this.data.chunks })
      this.drawProgress()
      this.takeFocus()
      if (this.cards.length < FEW && !this.isAll) this.fetchCards()
      return
    }
    this.current = null
    if (!this.isChecked) {
      this.isChecked = true
      await this.fetchCards()
      this.isChecked = this.cards.length === 0
      if (this.cards.length) return this.next()
    }
    this.isChecked = false
    if (this.ended.signal.aborted || this.current) return
    if (this.problem) return drawProblem(this.elements, this.words, this.problem, { onRetry: () => this.retry(), canUndo: this.canUndo() })
    drawEnd(this.elements, this.words, { ...this.end, here: this.done }, {
      canUndo: this.canUndo(),
      onMore: () => this.goOn(),
      onClose: () => this.component.setTriggerValue("close", Date.now()),
    })
    this.takeFocus()
  }

  /** The next card: first what was just learned and is due again; ahead of its time where nothing else is left. */
  take() {
    const ready = this.waiting.findIndex(({ at }) => at <= Date.now())
    if (ready >= 0) return { ...this.waiting.splice(ready, 1)[0].card, isBack: true, isRepeat: true }
    if (this.cards.length) return this.cards.shift()
    this.waiting.sort((one, other) => one.at - other.at)
    const early = this.waiting.shift()
    return early && { ...early.card, isBack: true, isRepeat: true }
  }

  async retry() {
    await this.fetchCards()
    this.next()
  }

  async goOn() {
    this.isMore = true
    await this.fetchCards()
    this.next()
  }

  showBack() {
    if (!this.current || this.isShown || this.isEditing) return
    this.isShown = true
    drawBack(this.elements, this.words, this.current)
    this.takeFocus()
  }

  rate(rating) {
    const card = this.current
    if (!card || !this.isShown || this.isEditing) return
    const { again_s, label } = card.ratings[rating]
    const id = newKey()
    const seconds = Math.min(LONGEST_S, (performance.now() - this.shownAt) / 1000)
    const comesAgain = again_s !== null
    this.given.push({ id, card, comesAgain })
    if (comesAgain) this.waiting.push({ card, at: Date.now() + again_s * 1000 })
    else [this.done, this.left] = [this.done + 1, Math.max(0, this.left - 1)]
    this.current = null
    this.outbox.add("rate", { card: card.id, rating, id, seconds: Math.round(seconds * 10) / 10 })
    this.elements.status.textContent = `${this.words[`rating_${rating}`]}: ${label}`
    this.next()
  }

  canUndo() {
    return Boolean(this.given.length || this.undoId)
  }

  /** Take back the last rating: at once where it was given here, also while it has not been sent. */
  async undo() {
    if (this.isEditing || !this.elements) return
    const last = this.given.pop()
    if (last) {
      this.waiting = this.waiting.filter(({ card }) => card.id !== last.card.id)
      if (!last.comesAgain) [this.done, this.left] = [Math.max(0, this.done - 1), this.left + 1]
      this.outbox.add("undo", { id: last.id })
      return this.showAgain(last.card)
    }
    const id = this.undoId
    if (!id) return
    this.undoId = ""
    const answer = await post("undo", { id })
    if (!answer.body) {
      if (answer.status !== 404) this.undoId = id
      return this.note(answer.message || this.words.offline)
    }
    this.undoId = answer.body.undo
    this.left += 1
    this.showAgain(answer.body.card)
  }

  showAgain(card) {
    this.cards = this.cards.filter(({ id }) => id !== card.id)
    if (this.current && this.current.id !== card.id) this.cards.unshift(this.current)
    this.cards.unshift({ ...card, isBack: true })
    this.current = null
    this.elements.status.textContent = this.words.undone
    this.next()
  }

  /** What the server says of a rating or an undo that has arrived: when its card comes again, and what its buttons say then. */
  sent({ path, body }, answer) {
    if (path === "rate" && answer.ratings) {
      const held = this.waiting.find(({ card }) => card.id === body.card)
      if (held) held.card = { ...held.card, ratings: answer.ratings, is_new: false }
    }
    if (path === "undo" && !this.given.length) this.undoId = answer.undo
  }

  async edit() {
    const card = this.current
    if (!card || this.isEditing) return
    this.isEditing = true
    drawEditor(this.elements, this.words, card, {
      onCancel: () => this.closeEditor(card),
      onSave: async text => {
        const answer = await post("edit", { card: card.id, ...text })
        if (!answer.body) return answer.message || this.words.offline
        this.closeEditor({ ...card, ...answer.body.card })
        return ""
      },
    })
  }

  closeEditor(card) {
    this.isEditing = false
    this.current = card
    drawFront(this.elements, this.words, card, { canUndo: this.canUndo(), chunks: this.data.chunks })
    if (this.isShown) drawBack(this.elements, this.words, card)
    this.takeFocus()
  }

  async switchForExam() {
    const card = this.current
    if (!card) return
    const answer = await post("for-exam", { card: card.id, on: !card.is_for_exam })
    if (!answer.body) return this.note(answer.message || this.words.offline)
    Object.assign(card, { is_for_exam: answer.body.card.is_for_exam, ratings: answer.body.card.ratings })
    this.note(card.is_for_exam ? this.words.is_for_exam : this.words.is_not_for_exam)
    if (this.current === card && !this.isEditing) this.closeEditor(card)
  }

  async suspend() {
    const card = this.current
    if (!card || this.isEditing) return
    const answer = await post("suspend", { card: card.id, on: true })
    if (!answer.body) return this.note(answer.message || this.words.offline)
    this.note(this.words.suspended)
    this.left = Math.max(0, this.left - 1)
    if (this.current === card) this.next()
  }

  tellState(waiting, status) {
    const sentence = waiting ? (status === 401 || status === 403 ? this.words.signed_out : this.words.kept) : ""
    if (this.elements) drawNote(this.elements, sentence)
  }

  note(sentence) {
    if (sentence) this.elements.status.textContent = this.elements.told.textContent = sentence
    clearTimeout(this.toldTimer)
    this.toldTimer = setTimeout(() => { this.elements.told.textContent = "" }, 8_000)
  }

  drawProgress() {
    const total = this.done + this.left
    const again = this.waiting.length + (this.current?.isRepeat ? 1 : 0)
    const at = Math.min(this.done + 1, total), minutes = Math.ceil((this.left * this.perCardS) / 60)
    if (this.elements) drawProgress(this.elements, this.words, { at, done: this.done, left: this.left, again, total, minutes })
  }

  pressed(event) {
    if (!this.elements || event.defaultPrevented || event.isComposing || event.altKey) return
    const { target } = event
    const isInside = this.elements.root.contains(target)
    const isFree = target === document.body || isInside
    const isTyping = target instanceof Element && target.closest("input, textarea, select, [contenteditable=true]")
    if (!isFree || isTyping || document.querySelector("[data-testid=stDialog], [role=dialog][aria-modal=true]")) return
    const isUndo = event.key.toLowerCase() === "u" || (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey))
    if ((event.ctrlKey || event.metaKey) && !isUndo) return
    const onControl = target instanceof Element && target.closest("button, a")
    const act = this.actionOf(event.key, isUndo, onControl)
    if (!act || (event.repeat && !isUndo)) return
    event.preventDefault()
    act()
  }

  actionOf(key, isUndo, onControl) {
    if (isUndo) return () => this.undo()
    if (/^[1-4]$/.test(key)) return this.isShown ? () => this.rate(Number(key)) : null
    if (key === " " || key === "Enter") {
      if (onControl || !this.current) return null // A button or a link does what it says.
      return () => (this.isShown ? this.rate(GOOD) : this.showBack())
    }
    return key.toLowerCase() === "e" ? () => this.edit() : null
  }

  /** The keyboard and who listens follow the card; what is typed elsewhere is left alone. */
  takeFocus() {
    const { root, card } = this.elements
    const { activeElement: focused, body } = document
    if (!focused || focused === body || root.contains(focused) || !focused.isConnected) card.focus({ preventScroll: true })
  }
}
