// What Streamlit leaves to the eyes (1.67): an answer that is there is said to a screen reader, and a card that was
// decided with the keyboard keeps the focus, which would fall back to the beginning of the page with its buttons. A table
// that is wider than its answer scrolls by the arrow keys, too.
{
  // What a running answer shows: drawn by the page's script, or by the live component.
  const signs = ["st-key-stop", "live-answer"].map(name => document.getElementsByClassName(name))
  const card = /\bst-key-(?:approval|question)-[0-9a-f]+/
  const MUTE = "[data-testid^=stIcon], [data-testid^=stChatMessageAvatar], [role=img], .katex-html, [class*=st-key-foot-]"
  let running = null, decided = null
  const heard = document.createElement("div")
  const words = document.createElement("div")
  heard.id = "heard"
  words.setAttribute("role", "status")
  // Out of reach for a search in the page, which would find each answer twice.
  heard.attachShadow({ mode: "closed" }).append(words)

  const say = () => {
    const answer = [...document.querySelectorAll("[data-testid=stChatMessage]")].at(-1)?.cloneNode(true)
    if (!answer) return
    if (!heard.isConnected) document.body.append(heard)
    answer.querySelectorAll(MUTE).forEach(one => one.remove())
    answer.querySelectorAll("p, li, h1, h2, h3, h4, tr, td, pre, div").forEach(one => one.append("\n"))
    words.textContent = answer.textContent.replace(/\s*\n\s*/g, "\n").trim()
  }
  const tables = document.getElementsByTagName("table"), watched = new WeakSet()
  const sizes = new ResizeObserver(changes => {
    for (const { target } of changes) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0
      else target.removeAttribute("tabindex")
    }
  })
  const watchTables = () => {
    for (const table of tables) {
      if (watched.has(table) || !table.closest("[data-testid=stChatMessage]")) continue
      watched.add(table)
      sizes.observe(table)
    }
  }
  new MutationObserver(() => {
    watchTables()
    const here = signs.some(found => found.length) ? location.href : null
    if (running && !here && location.href.startsWith(running)) say()
    running = here
    if (!decided || document.activeElement !== document.body) return
    const now = document.querySelector(`[class*="${decided}-"]`)
    now?.setAttribute("tabindex", "-1")
    now?.focus({ preventScroll: true })
  }).observe(document, { childList: true, subtree: true })
  const note = ({ type, key, target }) => {
    const pressed = type === "keydown" && (key === "Enter" || key === " ") && target instanceof Element && target.closest("button")
    decided = (pressed && card.exec(pressed.closest("[class*=st-key-approval-], [class*=st-key-question-]")?.className)?.[0]) || null
  }
  for (const kind of ["keydown", "pointerdown"]) window.addEventListener(kind, note, true)
}
