// A page comes in parts, which would push each other about. Its first draw is shown whole: a chat when a message can be
// written in it, other pages when their script has ended and nothing was added for a moment; each of them soon in any case,
// and one that nothing comes for in the end.
{
  const QUIET_MS = 120, LATEST_MS = 1500, GIVEN_UP_MS = 8000
  const root = document.documentElement
  const find = selector => document.querySelector(selector)
  const hasContent = () => find(".stMain [data-testid=stElementContainer] :is(p, h1, h2, button, a)")
  const isChat = () => location.pathname === "/" && find("[data-testid=stSidebar]")
  const canWrite = () => [...document.querySelectorAll("textarea.live-field, textarea[data-testid=stChatInputTextArea]")]
    .some(field => !field.disabled && field.offsetParent)
  let quiet, latest, givenUp
  const show = () => {
    look.disconnect()
    clearTimeout(quiet)
    clearTimeout(latest)
    clearTimeout(givenUp)
    root.classList.remove("is-being-drawn")
  }
  const look = new MutationObserver(() => {
    if (canWrite()) return show()
    if (!hasContent()) return
    latest ??= setTimeout(show, LATEST_MS)
    clearTimeout(quiet)
    if (!isChat() && find("[data-test-script-state=notRunning]")) quiet = setTimeout(show, QUIET_MS)
  })
  root.classList.add("is-being-drawn")
  givenUp = setTimeout(show, GIVEN_UP_MS)
  look.observe(document, { childList: true, subtree: true, attributeFilter: ["data-test-script-state", "disabled"] })
}
