// What is being written stays in this tab, for each chat, until it is sent: Streamlit's field forgets it with its page
// (its ChatInput, 1.67). It stands in no address and is sent to nobody, and it goes with the sign-in.
{
  const KEPT = "drafts"
  const FAILED = "[data-testid=stAlertContainer]"
  const REFUSED = ".stFileChip[aria-invalid=true]"
  const boxes = document.getElementsByClassName("stChatInput")
  const speakers = document.getElementsByClassName("spoken")
  const places = document.getElementsByClassName("st-key-live-field")
  const LATE_MS = 8_000
  let field, chat, words = "", isSent = false, late

  const read = of => {
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEPT))
      if (kept?.of === of) return kept
    } catch { /* Nothing is kept where the browser keeps nothing. */ }
    return { of, words: {}, hasFiles: false }
  }
  const write = kept => {
    try {
      kept ? sessionStorage.setItem(KEPT, JSON.stringify(kept)) : sessionStorage.removeItem(KEPT)
    } catch { /* As above. */ }
  }
  /** With the sign-in goes all that a student wrote: answers of a quiz that were not sent, too (components/homeroom_live). */
  const forget = () => {
    write(null)
    try {
      for (const key of Object.keys(sessionStorage)) if (key.startsWith("homeroom-quiz:")) sessionStorage.removeItem(key)
    } catch { /* As above. */ }
  }
  // React takes a value for the student's own only when it comes with an event, past its own setter.
  const put = text => {
    if (field.value === text) return
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(field, text)
    field.dispatchEvent(new Event("input", { bubbles: true }))
  }

  /** Whether our own field is about to come: Streamlit's is out of sight until then (ui/style.css). */
  const isAwaited = root => places.length > 0 && !root.contains("live-missing") && !places[0].querySelector(FAILED)

  const look = (isTyped = false) => {
    if (!speakers.length) return
    const of = speakers[0].dataset.of
    if (!of) return forget()
    // The component's field keeps its own (components/homeroom_live).
    const root = document.documentElement.classList
    if (root.contains("live-composer")) return void (field = undefined)
    // Where its files neither come nor fail, Streamlit's field is shown after all (ui/style.css).
    if (places.length) late ??= setTimeout(() => {
      late = undefined
      root.toggle("live-missing", places.length > 0 && !root.contains("live-composer"))
      look()
    }, LATE_MS)
    // The component's field keeps its files while other pages are shown: what comes late must not say that they are gone.
    if (isAwaited(root)) return void (field = undefined)
    const now = boxes[0]?.querySelector("textarea")
    if (!now || location.pathname !== "/") return
    const kept = read(of), before = JSON.stringify(kept)
    const here = new URLSearchParams(location.search).get("c") ?? ""
    const hasFiles = boxes[0].getElementsByClassName("stFileChip").length > 0
    if (now === field && now.value !== words) {
      // The app empties the field when it sends, and fills it when that could not be.
      if (!isTyped) isSent = !now.value
      words = now.value
      keep(kept)
    }
    if (now !== field) {
      [field, chat, isSent] = [now, here, false]
      words = now.value || kept.words[here] || ""
      document.documentElement.classList.toggle("files-gone", kept.hasFiles && !hasFiles)
    } else if (here !== chat) {
      // What is written while a new chat begins belongs to that chat.
      const goesAlong = isSent && !chat
      if (goesAlong) delete kept.words[chat]
      else words = kept.words[here] ?? "";
      [chat, isSent] = [here, false]
    }
    if (hasFiles || isSent) document.documentElement.classList.remove("files-gone")
    keep(kept)
    kept.hasFiles = hasFiles
    if (JSON.stringify(kept) !== before) write(kept)
    put(words)
  }
  const keep = kept => {
    if (words) kept.words[chat] = words
    else delete kept.words[chat]
  }

  // A message is not sent without a file that its student believes to be with it.
  const hold = event => {
    const { target, key, shiftKey, isComposing } = event
    const box = target instanceof Element ? target.closest(".stChatInput") : null
    const sends = event.type === "click"
      ? target.closest?.("[data-testid=stChatInputSubmitButton]")
      : key === "Enter" && !shiftKey && !isComposing && target === field
    if (!sends || !box?.querySelector(REFUSED)) return
    event.preventDefault()
    event.stopPropagation()
  }

  new MutationObserver(() => look()).observe(document, { childList: true, subtree: true })
  // Before React: what it draws for a letter would be looked at as if the app had put that letter there.
  document.addEventListener("input", ({ target }) => { if (target === field) look(true) }, true)
  for (const kind of ["keyup", "click", "popstate", "live-composer-left"]) window.addEventListener(kind, () => look())
  for (const kind of ["keydown", "click"]) window.addEventListener(kind, hold, true)
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest(".st-key-suggestions button")) isSent = true
  }, true)
  window.addEventListener("beforeunload", event => { if (boxes[0]?.querySelector(".stFileChip")) event.preventDefault() })
}
