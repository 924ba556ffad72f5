// Streamlit may take an expander away for a moment as it draws what opens in it: the keyboard goes back to it then.
{
  const WITHIN_MS = 5000
  const keyOf = node => [...(node.closest("[class*=st-key-]")?.classList ?? [])].find(name => name.startsWith("st-key-"))
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    if (relatedTarget || !(target instanceof Element) || !target.matches("summary") || !keyOf(target)) return
    const again = `.${CSS.escape(keyOf(target))} summary`
    const look = new MutationObserver(() => {
      if (target.isConnected || document.activeElement !== document.body) return
      const summary = document.querySelector(again)
      if (!summary) return
      look.disconnect()
      summary.focus({ preventScroll: true })
    })
    look.observe(document.body, { childList: true, subtree: true })
    setTimeout(() => look.disconnect(), WITHIN_MS)
  }, true)
}
