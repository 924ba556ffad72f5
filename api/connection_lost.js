// What a student reads when Homeroom goes away: Streamlit's dialog (1.67) speaks to its programmer. It stays where it is,
// since it closes by itself once the connection is back; its words are covered by ours, which may not end up in its own nodes.
{
  const WORDS = {
    en: ["Homeroom cannot be reached", "Your chats are safe, and what you typed is kept. This page goes on by itself as soon as "
      + "Homeroom is back. Are you still online?", "Try now", "Not yet. It goes on by itself."],
    es: ["No se puede conectar con Homeroom", "Tus chats están a salvo y lo que escribiste se conserva. Esta página sigue sola en "
      + "cuanto Homeroom vuelva. ¿Sigues con conexión?", "Probar ahora", "Todavía no. Sigue sola."],
  }
  const cover = dialog => {
    const [title, text, again, notYet] = WORDS[document.documentElement.lang.slice(0, 2)] ?? WORDS.en
    const ours = document.createElement("div")
    ours.className = "connection-lost"
    const [heading, words, button] = ["h2", "p", "button"].map(name => document.createElement(name))
    heading.textContent = title
    heading.id = "connection-lost"
    words.textContent = text
    words.setAttribute("role", "status")
    button.textContent = again
    // A reload while nobody answers would end at the browser's own error page.
    button.addEventListener("click", () => fetch("/health", { cache: "no-store" })
      .then(({ ok }) => ok ? location.reload() : Promise.reject())
      .catch(() => { words.textContent = notYet }))
    ours.append(heading, words, button)
    dialog.append(ours)
    dialog.classList.add("is-connection-lost")
    dialog.setAttribute("aria-labelledby", heading.id)
    button.focus()
  }
  /** Whether our field for messages is there: its own line says so, and one goes on typing (components/homeroom_live). */
  const hasOwnLine = () => document.documentElement.classList.contains("live-composer")
  new MutationObserver(() => {
    for (const dialog of document.querySelectorAll("[role=dialog]:not(.is-connection-lost)")) {
      if (/^\s*Connection error/.test(dialog.textContent)) hasOwnLine() ? dialog.querySelector("[aria-label=Close]").click() : cover(dialog)
    }
  }).observe(document, { childList: true, subtree: true })
}
