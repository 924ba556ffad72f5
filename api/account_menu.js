// The menu behind the student's name, by keyboard: it opens at the page's end, where Tab would come last. Arrows walk in it.
{
  const opener = () => document.querySelector(".st-key-sidebar-foot button")
  const lines = () => [...document.querySelectorAll(".st-key-account-menu :is(a, button)")]
  let isByKey = false
  document.addEventListener("pointerdown", () => { isByKey = false }, true)
  document.addEventListener("keydown", event => {
    const all = lines(), at = all.indexOf(document.activeElement)
    if (["Enter", " "].includes(event.key)) isByKey = document.activeElement === opener()
    else if (at >= 0 && ["ArrowDown", "ArrowUp"].includes(event.key)) {
      event.preventDefault()
      all.at((at + (event.key === "ArrowDown" ? 1 : -1)) % all.length).focus()
    } else if (at >= 0 && event.key === "Escape") setTimeout(() => opener()?.focus())
  }, true)
  const menus = document.getElementsByClassName("st-key-account-menu")
  let wasOpen = false
  new MutationObserver(() => {
    const isOpen = menus.length > 0 && lines().length > 0
    if (isOpen && !wasOpen && isByKey) setTimeout(() => lines()[0]?.focus(), 50)
    wasOpen = isOpen
  }).observe(document, { childList: true, subtree: true })
}
