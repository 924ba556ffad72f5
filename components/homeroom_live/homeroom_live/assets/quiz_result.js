// The end of an attempt: what is still open before a mock exam is handed in, and how it came out.
import { make } from "./elements.js"
import { button, clear, fill, heading, icon, inlineText, textOf } from "./quiz_elements.js"
import { keyOf, objectionsTo, verdictOf } from "./quiz_feedback.js"

export function drawHandIn(panel, words, { open, isPractice = false, onBack, onFinish }) {
  clear(panel)
  const told = open ? fill(open === 1 ? words.one_open : words.some_open, { count: open }) : words.none_open
  panel.body.append(heading(isPractice ? words.finish_ask : words.hand_in_ask), make("p", {}, told))
  panel.foot.append(button(isPractice ? words.finish_now : words.hand_in_now, onFinish, { className: "is-primary" }), button(words.back, onBack))
}

export function drawResult(panel, words, { quiz, attempt, result, questions }, acts) {
  clear(panel, { where: acts.hasTitle ? "" : quiz.title })
  const pending = attempt.pending ? [make("p", { class: "quiz-note" }, fill(attempt.pending === 1 ? words.one_pending : words.some_pending, { count: attempt.pending }))] : []
  panel.body.append(heading(result.score), ...result.sentences.map(sentence => make("p", { class: "quiz-small" }, sentence)), ...pending, ...topicsOf(result.topics, words))
  const wrong = result.missed ? [button(fill(result.missed === 1 ? words.practise_one : words.practise_some, { count: result.missed }), acts.onWrong, { className: "is-primary" })] : []
  const again = button(words.take_again, acts.onAgain, { className: result.missed ? "" : "is-primary" })
  const close = acts.hasTitle ? [button(words.close, acts.onClose, { className: "is-quiet" })] : []
  panel.body.append(make("div", { class: "quiz-choices is-acts" }, ...wrong, again, ...close))
  panel.body.append(make("h3", { class: "quiz-subtitle" }, words.each_question), ...result.review.map((feedback, at) => row(feedback, at, words, questions, acts)))
  panel.status.textContent = result.score
}

function topicsOf(topics, words) {
  if (topics.length < 2) return []
  const rows = topics.map(({ topic, right, count, words: told }) => {
    const bar = make("div", { class: "quiz-bar is-topic", "aria-hidden": "true" }, make("div"))
    bar.firstChild.style.inlineSize = `${Math.round((right / count) * 100)}%`
    return make("li", {}, make("span", { dir: "auto" }, topic), make("span", { class: "quiz-small" }, told), bar)
  })
  return [make("h3", { class: "quiz-subtitle" }, words.by_topic), make("ul", { class: "quiz-topics" }, ...rows)]
}

/** One question of the result: a line that opens to the answer that was given, the key and its page. */
function row(feedback, at, words, questions, { chunks, onObject, onDecide }) {
  const question = questions[feedback.question]
  const prompt = textOf(question.prompt, chunks, words)
  const first = prompt.querySelector("p, li, h1, h2, h3") ?? prompt
  const short = make("span", { class: "quiz-short", dir: "auto" }, `${at + 1}. ${first.textContent.trim()}`)
  const summary = make("summary", {}, icon(feedback.verdict, `quiz-sign is-${feedback.verdict}`), short, make("span", { class: "quiz-heard" }, `: ${verdictOf(feedback, words)}`))
  const inner = make("div", { class: "quiz-feedback" })
  const details = make("details", { class: "quiz-row" }, summary, inner)
  details.addEventListener("toggle", () => {
    if (!details.open || inner.childElementCount) return
    inner.append(make("p", { class: `quiz-verdict is-${feedback.verdict}` }, make("strong", {}, verdictOf(feedback, words))), prompt,
      ...givenTo(question, feedback, words, chunks), ...keyOf(feedback, words, chunks),
      ...objectionsTo(feedback, words, { onObject: () => onObject(feedback, inner), onDecide: isRight => onDecide(feedback, isRight) }))
  })
  return details
}

function givenTo(question, { given, right, verdict }, words, chunks) {
  const isStatement = question.kind === "true_false"
  const label = place => (isStatement ? [words.true, words.false][place] : inlineText(question.options[place], chunks))
  const list = places => make(question.kind === "ordering" ? "ol" : "ul", { class: "quiz-given" }, ...places.map(place => make("li", {}, label(place))))
  const shown = []
  if (given?.text) shown.push(make("p", { class: "quiz-small" }, words.you_said), make("p", { class: "quiz-words", dir: "auto" }, given.text))
  if (given?.chosen.length) shown.push(make("p", { class: "quiz-small" }, words.you_said), list(given.chosen))
  if ((isStatement || question.options.length) && verdict !== "right") shown.push(make("p", { class: "quiz-small" }, words.right_is), list(right))
  return shown
}
