// The field for messages: text, files, Send and Stop. It stays open during an answer, so that the next question can be written.
import * as drafts from "./drafts.js"
import { createElements, drawFiles, fit } from "./composer_elements.js"
import { onRunning, runningChat, startAnswer } from "./follow.js"
import { openChat, requestedChat } from "./page.js"
import { sendMessage, stopAnswer } from "./send.js"

const files = new Map() // chosen files by chat: they last as long as the page's document
let put = 0

export function mountComposer(component) {
  const mounted = component.parentElement.liveComposer ?? (component.parentElement.liveComposer = new Composer(component))
  mounted.update(component)
  return () => mounted.remove()
}

class Composer {
  constructor({ parentElement, data }) {
    this.elements = createElements(data.words)
    this.chat = null
    this.isSending = false
    parentElement.append(this.elements.root)
    document.documentElement.classList.add("live-composer")
    this.listen()
    this.forget = onRunning(() => this.draw())
  }

  update(component) {
    this.component = component
    this.data = component.data
    if (!this.isSending) this.open(requestedChat())
    if (this.data.put && this.data.put.id > put) {
      put = this.data.put.id
      this.write(this.data.put.text)
    }
    document.documentElement.classList.toggle("live-failed", Boolean(this.data.failed) && files.get("")?.length > 0)
    this.draw()
  }

  remove() {
    this.forget()
    this.ended.abort()
    this.elements.root.remove()
    document.documentElement.classList.remove("live-composer")
  }

  listen() {
    const { field, picker, attach, send, stop, retry, box, root } = this.elements
    this.ended = new AbortController()
    const on = (element, kind, listener) => element.addEventListener(kind, listener, { signal: this.ended.signal })
    on(field, "input", () => { drafts.keepDraftText(this.chat, field.value); this.draw() })
    on(field, "keydown", event => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return
      event.preventDefault()
      this.send()
    })
    on(field, "paste", ({ clipboardData }) => this.add(clipboardData.files))
    on(attach, "click", () => picker.click())
    on(picker, "change", () => { this.add(picker.files); picker.value = "" })
    on(send, "click", () => this.send())
    on(retry, "click", () => this.send())
    on(stop, "click", () => { stop.disabled = true; stopAnswer(runningChat()).then(() => { stop.disabled = false }) })
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
    on(window, "popstate", () => { if (!this.isSending) this.open(requestedChat()); this.draw() })
    on(window, "beforeunload", event => { if (this.files.length) event.preventDefault() })
  }

  get files() {
    return files.get(this.chat) ?? []
  }

  /** Show the draft of a chat. */
  open(chat) {
    if (chat === this.chat) return
    this.chat = chat
    this.elements.field.value = drafts.draftText(chat)
    this.say(!this.files.length && drafts.hadFiles() ? this.data.words.files_gone : "")
    drafts.keepHasFiles(this.files.length > 0)
  }

  write(text) {
    this.elements.field.value = text
    drafts.keepDraftText(this.chat, text)
    this.elements.field.focus()
  }

  add(added) {
    if (!added?.length) return
    files.set(this.chat, [...this.files, ...added])
    this.say("")
    drafts.keepHasFiles(true)
    this.draw()
    this.elements.field.focus()
  }

  leaveOut(file) {
    files.set(this.chat, this.files.filter(one => one !== file))
    drafts.keepHasFiles(this.files.length > 0)
    this.draw()
    this.elements.field.focus()
  }

  isTooLarge = file => file.size > this.data.largest_bytes

  /** Show a sentence above the field. */
  say(sentence, { canRetry = false } = {}) {
    const { problem, sentence: place, retry } = this.elements
    place.textContent = sentence
    problem.hidden = !sentence
    retry.hidden = !canRetry
  }

  draw() {
    const { root, field, send, stop } = this.elements
    const isRunning = this.chat !== "" && runningChat() === this.chat
    root.classList.toggle("is-sending", this.isSending)
    field.readOnly = this.isSending
    send.disabled = this.isSending || !(field.value.trim() || this.files.length)
    stop.hidden = !isRunning
    drawFiles(this.elements, this.files, { words: this.data.words, isTooLarge: this.isTooLarge, onLeaveOut: file => this.leaveOut(file) })
    fit(field)
  }

  async send() {
    const { words, file_questions } = this.data
    const chosen = this.files, chat = this.chat
    const text = this.elements.field.value.trim() ? this.elements.field.value : ""
    if (this.isSending || !(text || chosen.length)) return
    if (chosen.some(this.isTooLarge)) return this.say(words.too_large)
    this.isSending = true
    this.say("")
    this.draw()
    const content = await signature(text, chosen)
    const { assistant, effort, tab } = this.data
    const question = text || file_questions[Number(chosen.length > 1)]
    const result = await sendMessage({
      chat, text: question, files: chosen, assistant, effort, tab, key: drafts.submissionKey(chat, content),
    })
    this.isSending = false
    if (result.ids) this.accepted(chat, result.ids, question, chosen)
    else this.refused(chat, result, question, chosen)
    this.draw()
  }

  accepted(chat, { conversation_id, turn_id }, question, chosen) {
    drafts.forgetDraft(chat)
    files.delete(chat)
    if (requestedChat() !== chat) return this.open(requestedChat())
    this.elements.field.value = ""
    if (!chat) openChat(conversation_id)
    this.chat = conversation_id
    startAnswer({ chat: conversation_id, turn: turn_id, question, files: chosen.map(({ name, size }) => ({ name, size })) })
    this.elements.field.focus()
  }

  /** Keep text and files, and say why; where Homeroom cannot be reached this way, the page's script sends the text. */
  refused(chat, { message, status, isBlocked, isOffline }, text, chosen) {
    const { words } = this.data
    if (isOffline) return this.say(words.offline, { canRetry: true })
    if (!isBlocked && status !== 401) return this.say(message)
    if (chosen.length) {
      files.delete(chat)
      return this.component.setTriggerValue("blocked", chat)
    }
    drafts.forgetDraft(chat)
    this.elements.field.value = ""
    this.component.setTriggerValue("typed", { text, chat })
  }
}

/** What tells one message from another: the text, and the names and sizes of its files. Only a digest is kept. */
async function signature(text, chosen) {
  const whole = JSON.stringify([text, chosen.map(({ name, size }) => [name, size])])
  if (!crypto.subtle) return whole
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(whole))
  return Array.from(new Uint8Array(digest).slice(0, 12), one => one.toString(16).padStart(2, "0")).join("")
}
