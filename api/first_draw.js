// A page comes in parts, which would push each other about: its first draw is shown when a message can be written, when the
// script has ended, or a little after the first part.
{
  const LATEST_MS = 800
  const root = document.documentElement
  const fields = "textarea.live-field, textarea[data-testid=stChatInputTextArea]"
  const isShown = element => !element.disabled && element.offsetParent
  const hasContent = () => document.querySelector(".stMain [data-testid=stElementContainer] :is(p, h1, h2, button, a)")
  const hasEnded = () => document.querySelector("[data-test-script-state=notRunning]")
  const look = new MutationObserver(() => {
    if (!hasContent()) return
    if (hasEnded() || [...document.querySelectorAll(fields)].some(isShown)) show()
    else last ??= setTimeout(show, LATEST_MS)
  })
  let last
  const show = () => {
    look.disconnect()
    clearTimeout(last)
    root.classList.remove("is-first-drawn")
  }
  root.classList.add("is-first-drawn")
  look.observe(document, { childList: true, subtree: true, attributeFilter: ["data-test-script-state", "disabled"] })
}
