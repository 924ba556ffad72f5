// The mark of an answer: calm words, the key, the page that it rests on, and the way to disagree.
import { make } from "./elements.js"
import { button, icon, inlineText, sourceOf, textOf } from "./quiz_elements.js"

/** The mark in the place below the question. question: as quiz_question.js drew it. */
export function drawFeedback(panel, words, feedback, { question, chunks, isLast, onNext, onObject, onDecide }) {
  question?.lock()
  if (question && !panel.body.classList.contains("is-marked")) question.mark(feedback, words)
  panel.body.classList.add("is-marked")
  const verdict = make("p", { class: `quiz-verdict is-${feedback.verdict}`, tabindex: "-1", "data-focus": true }, icon(feedback.verdict), make("strong", {}, verdictOf(feedback, words)))
  const order = feedback.verdict !== "right" && question?.rightOrder ? [make("p", { class: "quiz-small" }, words.right_is), question.rightOrder(feedback)] : []
  panel.feedback.replaceChildren(verdict, ...order, ...keyOf(feedback, words, chunks), ...objectionsTo(feedback, words, { onObject, onDecide }))
  panel.foot.replaceChildren(button(isLast ? words.see_result : words.next, onNext, { className: "is-primary", hint: words.key_enter }))
  panel.status.textContent = [verdictOf(feedback, words), feedback.remark].filter(Boolean).join(" ")
  for (const shown of panel.root.querySelectorAll(".quiz-body [data-focus]")) shown.removeAttribute("data-focus")
  if (panel.root.contains(document.activeElement) || document.activeElement === document.body) verdict.focus({ preventScroll: true })
  panel.reveal(verdict, "nearest")
}

export const verdictOf = ({ verdict, is_own: isOwn }, words) => (isOwn ? words[verdict === "right" ? "own_right" : "own_wrong"] : words[`verdict_${verdict}`])

/** What is right, why, and where it stands. */
export function keyOf(feedback, words, chunks) {
  const shown = []
  if (feedback.remarks.length) shown.push(make("div", { class: "quiz-remark" }, textOf(feedback.remarks, chunks, words)))
  if (feedback.accepted.length && feedback.verdict !== "right")
    shown.push(make("p", { dir: "auto" }, `${words.it_is} `, ...feedback.accepted.flatMap((accepted, at) => [at ? ` ${words.also} ` : "", make("strong", {}, inlineText(accepted, chunks))])))
  if (feedback.key.length) shown.push(make("div", { class: "quiz-key" }, make("p", { class: "quiz-small" }, words.full_answer), textOf(feedback.key, chunks, words)))
  if (feedback.explanation.length) shown.push(textOf(feedback.explanation, chunks, words))
  if (feedback.source.words || feedback.source.place) shown.push(sourceOf(feedback.source, words))
  return shown
}

/** The ways to say otherwise: what is pending is marked by the student, what is not right is objected to. */
export function objectionsTo(feedback, words, { onObject, onDecide }) {
  if (feedback.verdict === "pending") {
    const failed = make("p", { class: "quiz-small", role: "alert" })
    const decide = isRight => async () => { failed.textContent = await onDecide(isRight) }
    return [make("p", { class: "quiz-small" }, words.pending_told), make("div", { class: "quiz-choices" }, button(words.had_it, decide(true)), button(words.had_it_not, decide(false))), failed]
  }
  if (feedback.is_own || feedback.verdict === "skipped") return []
  return [button(feedback.verdict === "right" ? words.report : words.disagree, onObject, { className: "is-quiet quiz-disagree" })]
}

/** A calm form: what is not right, and words to it. It says why where it could not be sent. */
export function drawObjection(place, words, { isGap, isRight, onSend }) {
  if (place.querySelector(".quiz-objection")) return
  const opener = place.querySelector(".quiz-disagree")
  const name = `about-${crypto.getRandomValues(new Uint32Array(1))[0]}`
  const mine = isRight ? [] : [["answer", isGap ? words.mine_fits : words.mine_is_right]]
  const options = [...mine, ["question", words.question_is_wrong]]
  const radios = options.map(([value], at) => make("input", { type: "radio", name, value, checked: at === 0 }))
  const field = make("textarea", { class: "quiz-field", rows: "2", maxlength: "500", "aria-label": words.why })
  field.placeholder = words.why
  const failed = make("p", { class: "quiz-small", role: "alert" })
  const leave = () => { form.remove(); if (opener) opener.hidden = false; opener?.focus() }
  const send = async () => {
    const about = radios.find(radio => radio.checked).value
    failed.textContent = await onSend({ about, words: field.value })
  }
  const form = make("form", { class: "quiz-objection", "aria-label": words.disagree },
    make("p", {}, isRight ? words.report_told : words.disagree_told),
    ...options.map(([, label], at) => make("label", { class: "quiz-option is-small" }, radios[at], make("span", {}, label))),
    field, make("div", { class: "quiz-choices" }, button(isRight ? words.ask_no_more : words.count_it, send, { className: "is-primary" }), button(words.cancel, leave)), failed)
  form.addEventListener("submit", event => { event.preventDefault(); send() })
  form.addEventListener("keydown", event => { if (event.key === "Escape") { event.preventDefault(); leave() } })
  if (opener) opener.hidden = true
  place.append(form)
  radios[0].focus({ preventScroll: true })
  form.scrollIntoView({ block: "nearest", behavior: "instant" })
}
