// The field for messages: text, files, Send and Stop. It stays open during an answer, so that the next question can be written.
import * as drafts from "./drafts.js"
import { createElements, drawFiles, fit } from "./composer_elements.js"
import { onRunning, runningChat, showQuestion } from "./follow.js"
import { openChat, requestedChat } from "./page.js"
import { leadDown } from "./scroll.js"
import { sendMessage, stopAnswer } from "./send.js"
import { onServerAway, waitForServer } from "./server_watch.js"

const notPdf = new WeakSet() // chosen files whose name says PDF and whose first words do not
const files = new Map() // chosen files by chat: they last as long as the page's document
const BEGINS_CHAT = ".st-key-suggestions button, .st-key-greeting [class*=st-key-plan-] button" // They send a message.
const LEADS_HERE = ".st-key-new-chat, .st-key-sidebar-pages"
let put = "" // What was last put into the field by the page: it comes with every run.

export function mountComposer(component) {
  const mounted = component.parentElement.liveComposer ?? (component.parentElement.liveComposer = new Composer(component))
  mounted.update(component)
  return () => mounted.remove()
}

class Composer {
  constructor({ parentElement, data }) {
    this.data = data
    this.elements = createElements(data.words)
    this.chat = null
    this.isSending = false
    this.isWaiting = false // What is being sent goes out once Homeroom answers again; what is written is the next message.
    this.withFiles = "" // The text of a message that waits with files, which no reload brings back.
    this.isHeld = false // The message in the field is sent as soon as the student has agreed.
    parentElement.append(this.elements.root)
    document.documentElement.classList.add("live-composer")
    document.documentElement.classList.remove("live-missing")
    this.listen()
    const forgetRunning = onRunning(running => {
      if (!running && this.isUntilEnd) this.say("")
      this.draw()
    })
    const forgetAway = onServerAway(isAway => { this.elements.away.textContent = isAway ? this.data.words.away : "" })
    this.forget = () => { forgetRunning(); forgetAway() }
  }

  update(component) {
    this.component = component
    this.data = component.data
    this.elements.field.placeholder = this.elements.field.ariaLabel = this.data.words.placeholder
    if (!this.isSending || this.isWaiting) this.open(requestedChat())
    if (this.data.put && this.data.put.id !== put) {
      put = this.data.put.id
      this.write(this.data.put.text)
    }
    this.draw()
    if (this.isHeld && !this.data.waits) this.send()
  }

  remove() {
    this.forget()
    this.ended.abort()
    this.elements.root.remove()
    document.documentElement.classList.remove("live-composer")
    window.dispatchEvent(new Event("live-composer-left")) // To api/drafts.js, which cares for Streamlit's field from now on.
  }

  listen() {
    const { field, picker, attach, send, stop, retry, box, root } = this.elements
    this.ended = new AbortController()
    leadDown(this.elements.down, this.ended.signal)
    const on = (element, kind, listener) => element.addEventListener(kind, listener, { signal: this.ended.signal })
    on(field, "input", () => {
      if (!this.isSending || this.isWaiting) this.keepText(field.value)
      this.draw()
    })
    on(field, "keydown", event => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return
      event.preventDefault()
      this.send()
    })
    on(field, "paste", ({ clipboardData }) => this.add(clipboardData.files))
    on(attach, "click", () => picker.click())
    on(picker, "change", () => { this.add(picker.files); picker.value = "" })
    // A button that goes leaves the keyboard in the field; after a tap that would open a phone's keyboard.
    const pressed = (button, action) => on(button, "click", ({ detail }) => { action(); if (detail === 0) field.focus() })
    pressed(send, () => this.send())
    pressed(retry, () => this.send())
    pressed(stop, () => { stop.disabled = true; stopAnswer(runningChat()).then(() => { stop.disabled = false }) })
    on(box, "click", ({ target }) => { if (target === box) field.focus() })
    on(document, "dragover", event => {
      if (!event.dataTransfer?.types.includes("Files")) return
      event.preventDefault()
      root.classList.add("is-dragged-over")
    })
    for (const kind of ["dragleave", "drop"]) on(document, kind, event => {
      if (kind === "dragleave" && event.relatedTarget) return
      root.classList.remove("is-dragged-over")
    })
    on(document, "drop", event => {
      if (!event.dataTransfer?.files.length) return
      event.preventDefault()
      this.add(event.dataTransfer.files)
    })
    document.addEventListener("click", ({ target }) => {
      if (target instanceof Element && target.closest(BEGINS_CHAT)) this.isBeginning = true
    }, { capture: true, signal: this.ended.signal }) // Streamlit's buttons keep their clicks to themselves.
    on(window, "homeroom-ask-about", event => { event.preventDefault(); this.askAbout(event.detail) })
    on(window, "popstate", () => { if (!this.isSending || this.isWaiting) this.open(requestedChat()); this.draw() })
    on(window, "beforeunload", event => { if (this.files.length) event.preventDefault() })
  }

  get files() {
    return files.get(this.chat) ?? []
  }

  /** Show the draft of a chat. */
  open(chat) {
    if (chat === this.chat) return
    this.isHeld = false
    if (this.chat === "" && this.isBeginning) this.moveDraft(chat)
    this.isBeginning = false
    if (this.chat === null || chat === "") this.takeFocus()
    this.chat = chat
    this.elements.field.value = drafts.draftText(chat)
    this.say(!this.files.length && drafts.hadFiles() ? this.data.words.files_gone : "")
    drafts.keepHasFiles(this.files.length > 0)
    const waiting = drafts.waitingMessage(chat)
    if (waiting && !this.isSending) this.begin({ ...waiting, chat, text: waiting.question, files: [] })
  }

  keepText(text) {
    drafts.keepDraftText(this.chat, [this.withFiles, text].filter(Boolean).join("\n\n"))
  }

  /** Have the keyboard in the field where a page begins, as soon as Streamlit shows it; on a phone that would open its
   * keyboard over the page. */
  takeFocus(tries = 40) {
    const { activeElement: focused, body } = document
    const isFree = !focused || focused === body || focused.closest(LEADS_HERE)
    if (!isFree || this.ended.signal.aborted || !matchMedia("(hover: hover) and (pointer: fine)").matches) return
    this.elements.field.focus({ preventScroll: true })
    if (tries && document.activeElement !== this.elements.field) setTimeout(() => this.takeFocus(tries - 1), 50)
  }

  /** What is written while a new chat begins belongs to that chat. */
  moveDraft(chat) {
    const chosen = this.files
    drafts.forgetDraft(this.chat)
    drafts.keepDraftText(chat, this.elements.field.value)
    files.delete(this.chat)
    files.set(chat, chosen)
    drafts.keepHasFiles(chosen.length > 0)
  }

  write(text) {
    this.elements.field.value = text
    drafts.keepDraftText(this.chat, text)
    this.elements.field.focus()
  }

  /** Name a page that the reader shows, at the end of what is being written. */
  askAbout({ place, sentence }) {
    const { field } = this.elements
    this.write(field.value.trim() ? `${field.value.trimEnd()} (${place})` : sentence)
    field.setSelectionRange(field.value.length, field.value.length)
    this.draw()
  }

  add(added) {
    if (!added?.length) return
    files.set(this.chat, [...this.files, ...added])
    this.say("")
    drafts.keepHasFiles(true)
    this.draw()
    this.elements.field.focus()
    this.lookInto([...added])
  }

  /** Mark what only calls itself a PDF: its sign stands within the first 1,024 bytes (ISO 32000-1, Annex H). */
  async lookInto(added) {
    for (const file of added.filter(({ name }) => /\.pdf$/i.test(name))) {
      const begin = await file.slice(0, 1_024).text().catch(() => "%PDF-")
      if (!begin.includes("%PDF-")) notPdf.add(file)
    }
    this.elements.chips.drawn = undefined
    this.draw()
  }

  leaveOut(file) {
    files.set(this.chat, this.files.filter(one => one !== file))
    drafts.keepHasFiles(this.files.length > 0)
    this.draw()
    this.elements.field.focus()
  }

  /** Why a file cannot be attached, as far as that shows before it is sent; "" for one that can. */
  refusal = (file, at) => {
    const { name, size } = file
    const { words, largest_bytes, most_files, extensions, steps_instead } = this.data
    if (at >= most_files) return words.too_many
    if (notPdf.has(file)) return words.no_pdf.replace("{file}", () => name)
    if (size > largest_bytes) return words.too_large
    const ending = /[^.].*\.([^.]+)$/.exec(name.replace(/[. ]+$/, ""))?.[1].toLowerCase() ?? ""
    if (extensions.includes(ending)) return ""
    return words.unreadable.replace("{file}", () => name).replace("{step}", () => steps_instead[ending] ?? steps_instead[""])
  }

  /** Show a sentence above the field. isUntilEnd: it holds only while an answer runs. */
  say(sentence, { canRetry = false, isUntilEnd = false, isNote = false } = {}) {
    this.isUntilEnd = isUntilEnd
    const { problem, sentence: place, retry } = this.elements
    place.textContent = sentence
    problem.hidden = !sentence
    problem.classList.toggle("is-note", isNote)
    retry.hidden = !canRetry
  }

  draw() {
    const { root, field, send, stop } = this.elements
    const isRunning = this.chat !== "" && runningChat() === this.chat
    root.classList.toggle("is-sending", this.isSending && !this.isWaiting)
    const hasMessage = Boolean(field.value.trim() || this.files.length)
    send.disabled = this.isSending || !hasMessage
    // While an answer runs, Stop takes the place of a Send that has nothing to send.
    send.hidden = isRunning && !hasMessage
    stop.hidden = !isRunning
    drawFiles(this.elements, this.files, { words: this.data.words, refusal: this.refusal, onLeaveOut: file => this.leaveOut(file) })
    fit(field)
  }

  async send() {
    const { words, file_questions } = this.data
    const chosen = this.files, chat = this.chat
    const text = this.elements.field.value.trim() ? this.elements.field.value : ""
    if (this.isSending || !(text || chosen.length)) return
    const refused = chosen.map(this.refusal).find(Boolean)
    if (refused) return this.say(refused)
    this.isHeld = this.data.waits
    if (this.isHeld) return this.say(words.held, { isNote: true })
    const question = text || file_questions[Number(chosen.length > 1)]
    // What is written from now on is the next message.
    this.elements.field.value = ""
    files.delete(chat)
    const { assistant, effort } = this.data
    await this.begin({ chat, text, question, files: chosen, assistant, effort })
  }

  /** Show a message and send it. key: under which it was tried before a reload. */
  async begin({ chat, text, question, files: chosen, assistant, effort, key }) {
    this.isSending = true
    this.say("")
    const shown = showQuestion({ chat, question, files: chosen.map(({ name, size }) => ({ name, size })) })
    this.draw()
    const message = { chat, text: question, files: chosen, assistant, effort, tab: this.data.tab, key }
    message.key ??= drafts.submissionKey(chat, await signature(text, chosen))
    const result = await this.deliver(message, { text, shown })
    const wasWaiting = this.isWaiting
    this.isSending = this.isWaiting = false
    this.withFiles = ""
    // Where another field has come meanwhile, it has taken the message over.
    if (this.ended.signal.aborted) return result.ids && drafts.forgetSent(chat)
    if (result.ids) this.accepted(chat, result.ids, { answered: shown.answered, wasWaiting })
    else this.refused(chat, result, { text, question, chosen, key: message.key, answered: shown.answered })
    this.draw()
  }

  /** Send a message, and while Homeroom is away wait for it as long as it takes, then send it under the same key. */
  async deliver(message, { text, shown }) {
    for (;;) {
      const result = await sendMessage(message)
      if (!result.isOffline) return result
      const { chat, text: question, files: chosen, assistant, effort, key } = message
      if (!this.isWaiting && !this.ended.signal.aborted) {
        this.isWaiting = true
        if (chosen.length) this.withFiles = text
        else drafts.keepWaiting(chat, { question, assistant, effort, key })
        this.keepText(this.elements.field.value)
      }
      shown.wait(true)
      this.draw()
      await waitForServer()
      shown.wait(false)
    }
  }

  accepted(chat, ids, { answered, wasWaiting }) {
    if (requestedChat() !== chat) {
      if (wasWaiting) drafts.forgetSent(chat) // What is written there is the next message.
      else drafts.forgetDraft(chat)
      return this.open(requestedChat())
    }
    this.moveDraft(ids.conversation_id)
    if (!chat) openChat(ids.conversation_id)
    this.chat = ids.conversation_id
    answered(ids)
  }

  /** Put text and files back, and say why; where Homeroom cannot be reached this way, the page's script sends the text. */
  refused(chat, { message, code, status, refused, isBlocked }, { text, question, chosen, key, answered }) {
    const { words } = this.data
    answered(null)
    const isScriptAsked = isBlocked || status === 401
    drafts.keepWaiting(chat, null)
    if (isScriptAsked && !chosen.length) {
      drafts.forgetDraft(chat)
      drafts.keepDraftText(chat, this.elements.field.value)
      return this.component.setTriggerValue("typed", { text: question, chat, key })
    }
    if (requestedChat() !== chat) drafts.keepDraftText(chat, [text, drafts.draftText(chat)].filter(Boolean).join("\n\n"))
    else {
      this.write([text, this.elements.field.value].filter(Boolean).join("\n\n"))
      files.set(chat, [...chosen.filter((_, at) => !refused?.includes(at)), ...this.files])
    }
    if (isScriptAsked) return this.component.setTriggerValue("blocked", chat)
    if (code === "consent_required") { // The page does not ask yet: it draws what is to be agreed to.
      this.isHeld = this.data.waits = true
      this.say(words.held, { isNote: true })
      return this.component.setTriggerValue("held", key)
    }
    const isNote = code === "budget_used_up" // Nothing went wrong.
    this.say(message, { isNote, canRetry: status >= 500, isUntilEnd: status === 409 && runningChat() === chat })
  }
}

/** What tells one message from another: the text, and the names and sizes of its files. Only a digest is kept. */
async function signature(text, chosen) {
  const whole = JSON.stringify([text, chosen.map(({ name, size }) => [name, size])])
  if (!crypto.subtle) return whole
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(whole))
  return Array.from(new Uint8Array(digest).slice(0, 12), one => one.toString(16).padStart(2, "0")).join("")
}
