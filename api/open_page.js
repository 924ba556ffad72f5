// Streamlit marks the link of the open page in the sidebar for eyes alone (`isCurrentPage` of its PageLink, 1.67).
const openLines = document.getElementsByClassName("st-key-page-is-open")
new MutationObserver(() => {
  const line = openLines[0]?.querySelector("a, button")
  if (line?.ariaCurrent === "page") return
  for (const marked of document.querySelectorAll("[data-testid=stSidebar] [aria-current=page]")) marked.removeAttribute("aria-current")
  line?.setAttribute("aria-current", "page")
}).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] })
