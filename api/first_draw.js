// A page comes in parts, which would push each other about. Its first draw is shown whole: a chat when a message can be
// written in it, other pages when their script has ended and nothing was added for a moment; each of them soon in any case,
// a little later where the browser has not made yet what it was sent, and one that nothing comes for in the end.
{
  const QUIET_MS = 120, LATEST_MS = 1500, UNMADE_MS = 4000, GIVEN_UP_MS = 20000
  const root = document.documentElement
  const find = selector => document.querySelector(selector)
  const hasContent = () => find(".stMain [data-testid=stElementContainer] :is(p, h1, h2, button, a)")
  const isChat = () => location.pathname === "/" && find("[data-testid=stSidebar]")
  const canWrite = () => [...document.querySelectorAll("textarea.live-field, textarea[data-testid=stChatInputTextArea]")]
    .some(field => !field.disabled && field.offsetParent)
  // On a slow machine the sidebar comes after the page that it makes narrower, some fields after their neighbours, in whose
  // place Streamlit draws a bar until their scripts are there, and the notes of a new chat after the field above them.
  const notes = "[data-testid=stBottomBlockContainer] > * > [data-testid=stElementContainer] > .stMarkdown"
  // A page that opens the reader by its address is narrower once the reader is there.
  const opensReader = location.pathname === "/materials" && new URLSearchParams(location.search).has("open")
  const isMade = () => (find("[data-testid=stSidebar]") || !find(".spoken[data-of]")) && !find("[data-testid=stSkeleton]") &&
    (find(notes) || !find(".st-key-greeting")) && (!opensReader || find(".reader") || !find(".spoken[data-of]"))
  let isLate = false, quiet, latest, end
  const show = () => {
    look.disconnect()
    for (const timer of [quiet, latest, end]) clearTimeout(timer)
    root.classList.remove("is-being-drawn")
  }
  const showMade = () => isMade() && show()
  const look = new MutationObserver(() => {
    if ((isLate || canWrite()) && isMade()) return show()
    if (!hasContent()) return
    if (!latest) {
      latest = setTimeout(() => { isLate = true; showMade() }, LATEST_MS)
      clearTimeout(end)
      // Where the first part took long, so do the others.
      end = setTimeout(show, Math.max(UNMADE_MS, performance.now()))
    }
    clearTimeout(quiet)
    if (!isChat() && find("[data-test-script-state=notRunning]")) quiet = setTimeout(showMade, QUIET_MS)
  })
  root.classList.add("is-being-drawn")
  end = setTimeout(show, GIVEN_UP_MS)
  look.observe(document, { childList: true, subtree: true, attributeFilter: ["data-test-script-state", "disabled"] })
}
