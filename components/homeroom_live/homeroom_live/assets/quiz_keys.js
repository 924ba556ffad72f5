// Keyboard of a quiz: 1–9 choose, Enter answers and goes on, Esc leaves; a question's own field keeps its keys.
const FIELD = "textarea, input:not([type=radio], [type=checkbox])"

/** What a key does, or null where it belongs to what has the keyboard. quiz: the session of quiz.js. */
export function keyAction({ key, target, altKey, ctrlKey, metaKey }, quiz) {
  const on = selector => target instanceof Element && target.closest(selector)
  if (on(".quiz-objection")) return null
  // What is being written is not left by one press.
  if (key === "Escape") return on(FIELD)?.value ? () => quiz.panel.root.querySelector(".quiz-title")?.focus() : () => quiz.close()
  if (altKey || on("button, a, summary")) return null
  if (key === "Enter") {
    if (on("textarea") && !(ctrlKey || metaKey)) return null
    if (quiz.feedback) return () => quiz.next()
    return quiz.question ? () => quiz.answer() : null
  }
  if (ctrlKey || metaKey || on(FIELD) || !/^[1-9]$/.test(key) || quiz.feedback || quiz.isBusy) return null
  return quiz.question?.choose ? () => quiz.question.choose(Number(key) - 1) : null
}
