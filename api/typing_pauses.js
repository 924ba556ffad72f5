// Streamlit tells of a text when its field is left (its TextArea and TextInput, 1.67). The form of an assistant tells of it
// after each pause, too: what was typed is kept then, whatever becomes of the page.
{
  const PAUSE_MS = 1_000
  let late
  document.addEventListener("input", ({ target, isTrusted }) => {
    if (!isTrusted || !(target instanceof Element)) return
    if (!target.closest(".st-key-editor-form") || target.closest(".st-key-editor-preview")) return
    clearTimeout(late)
    late = setTimeout(() => {
      if (document.activeElement !== target) return
      // As if the field were left and come back to: it keeps the focus, and its caret.
      for (const kind of ["focusout", "focusin"]) target.dispatchEvent(new FocusEvent(kind, { bubbles: true }))
    }, PAUSE_MS)
  }, true)
}
