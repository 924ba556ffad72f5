// A question and the way to answer it, by its kind: choices, a line, a text, or an order.
import { make } from "./elements.js"
import { button, clear, fill, heading, icon, inlineText, textOf } from "./quiz_elements.js"

const GAP = "____"
const CAN_HOVER = matchMedia("(hover: hover)")
const MOST_LINE = 200
const MOST_TEXT = 4_000

function placeInExam(words, { attempt, number, answered }) {
  return { where: fill(words.question_of, { number: number + 1, count: attempt.count }), share: answered.size / attempt.count }
}

/** What is left of the first round, or of the round of repeats after it. */
function placeInRound(words, { attempt, number, isRepeat }) {
  const { count } = attempt, whole = isRepeat ? attempt.order.length - count : count, done = isRepeat ? number - count : number
  const left = whole - done
  return { where: fill(words[`${isRepeat ? "again" : "rest"}_${left === 1 ? "one" : "some"}`], { count: left }), share: done / whole }
}

/**
 * Draw a question. Returns { read, lock, unlock, choose, mark, isSlow }: read gives { chosen, text } by the shown places,
 * mark shows which of them are right. given: what was answered before.
 */
export function drawQuestion(panel, words, asked) {
  const { question, number, attempt, chunks, given, onChange } = asked
  clear(panel, attempt.is_exam ? placeInExam(words, asked) : placeInRound(words, asked))
  const prompt = heading(textOf(question.prompt, chunks, words))
  if (question.kind === "cloze") showGaps(prompt, words)
  const name = `quiz-${attempt.id}-${number}`
  const field = FIELDS[question.kind]({ question, words, chunks, name, given, onChange, isExam: attempt.is_exam })
  prompt.id = `${name}-prompt`
  field.element.setAttribute("aria-labelledby", prompt.id)
  // With a keyboard one types at once; on a phone it would cover the question.
  if (field.input && CAN_HOVER.matches) {
    prompt.removeAttribute("data-focus")
    field.input.dataset.focus = ""
  }
  panel.body.append(prompt, field.element)
  if (attempt.is_exam) drawExamFoot(panel, words, asked)
  else {
    drawFoot(panel, words, asked)
    panel.leave.replaceChildren(button(words.finish_now, asked.onFinish, { className: "is-quiet is-small" }))
  }
  panel.status.textContent = panel.where.textContent
  return {
    ...field,
    isSlow: question.kind === "short_answer",
    lock: () => setLocked(panel, true),
    unlock: () => setLocked(panel, false),
  }
}

const setLocked = ({ body, foot }, isLocked) => {
  for (const control of [...body.querySelectorAll("input, textarea, button"), ...foot.querySelectorAll("button")]) control.disabled = isLocked
  body.classList.toggle("is-locked", isLocked)
}

function drawFoot(panel, words, { onAnswer, onSkip }) {
  panel.foot.append(button(words.answer, onAnswer, { className: "is-primary", hint: words.key_enter }), button(words.skip, onSkip, { className: "is-quiet" }))
}

function drawExamFoot(panel, words, { attempt, number, answered, onGo, onHandIn }) {
  const isLast = number + 1 >= attempt.order.length
  const back = button(words.back, () => onGo(number - 1))
  back.disabled = number === 0
  const next = button(isLast ? words.look_over : words.next, () => (isLast ? onHandIn() : onGo(number + 1)), { className: "is-primary" })
  const marks = attempt.order.map((id, at) => {
    const state = answered.has(id) ? words.answered : words.open
    const mark = make("button", { type: "button", class: answered.has(id) ? "quiz-number is-given" : "quiz-number", "aria-label": `${fill(words.question_n, { number: at + 1 })}, ${state}`,
      "aria-current": at === number ? "step" : null }, String(at + 1))
    mark.addEventListener("click", () => onGo(at))
    return mark
  })
  const steps = make("nav", { class: "quiz-numbers", "aria-label": words.questions }, ...marks)
  panel.foot.append(back, next, steps, button(words.hand_in, onHandIn, { className: "is-quiet" }))
  steps.scrollLeft = marks[number].offsetLeft - steps.offsetLeft - steps.clientWidth / 2
}

/** Words that stand for the gap are drawn as one, and told as such to who listens. */
function showGaps(place, words) {
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
  const found = []
  while (walker.nextNode()) if (walker.currentNode.data.includes(GAP)) found.push(walker.currentNode)
  for (const node of found) {
    const parts = node.data.split(GAP)
    node.replaceWith(...parts.flatMap((part, at) => (at ? [make("span", { class: "quiz-gap", role: "img", "aria-label": words.gap }), part] : [part])))
  }
}

function choices({ name, labels, isSeveral, given, onChange }) {
  const inputs = labels.map((_, at) => make("input", { type: isSeveral ? "checkbox" : "radio", name, value: String(at), checked: given?.chosen.includes(at) }))
  const rows = labels.map((label, at) => make("label", { class: "quiz-option" }, inputs[at], label, at < 9 ? make("kbd", { "aria-hidden": "true" }, String(at + 1)) : null))
  const element = make("div", { class: "quiz-options", role: isSeveral ? "group" : "radiogroup" }, ...rows)
  element.addEventListener("change", onChange)
  const chosen = () => inputs.flatMap((input, at) => (input.checked ? [at] : []))
  return {
    element,
    read: () => ({ chosen: chosen(), text: "" }),
    choose(at) {
      const input = inputs[at]
      if (!input || input.disabled) return
      input.checked = isSeveral ? !input.checked : true
      input.focus()
      onChange()
    },
    mark({ right }, words) {
      const given = new Set(chosen())
      rows.forEach((row, at) => {
        const state = right.includes(at) ? "right" : given.has(at) ? "wrong" : ""
        if (!state) return
        row.classList.add(`is-${state}`)
        row.append(icon(state, "quiz-sign"), make("span", { class: "quiz-heard" }, state === "right" ? words.is_right : words.is_not_right))
      })
    },
  }
}

function line({ words, given, onChange, isLong }) {
  const input = make(isLong ? "textarea" : "input", isLong
    ? { class: "quiz-field", rows: "4", maxlength: String(MOST_TEXT), placeholder: words.your_answer }
    : { class: "quiz-field", type: "text", maxlength: String(MOST_LINE), placeholder: words.missing, autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "done" })
  input.setAttribute("aria-label", isLong ? words.your_answer : words.missing)
  input.value = given?.text ?? ""
  input.addEventListener("input", onChange)
  const hint = isLong ? [make("p", { class: "quiz-small quiz-keys" }, words.key_send)] : []
  const element = make("div", { class: "quiz-line-field", role: "group" }, input, ...hint)
  return { element, input, read: () => ({ chosen: [], text: input.value }), mark: () => {} }
}

function ordering({ question, words, chunks, given, onChange, isExam }) {
  let order = given?.chosen.length === question.options.length ? [...given.chosen] : question.options.map((_, at) => at)
  let isTouched = Boolean(given?.chosen.length)
  const list = make("ol", { class: "quiz-order", role: "group" })
  const heard = make("p", { class: "quiz-heard", role: "status" })
  const rows = question.options.map((option, at) => {
    const text = inlineText(option, chunks)
    const move = step => () => { moveBy(at, step) }
    const up = make("button", { type: "button", class: "quiz-move" }, icon("up"))
    const down = make("button", { type: "button", class: "quiz-move" }, icon("down"))
    up.addEventListener("click", move(-1))
    down.addEventListener("click", move(1))
    const row = make("li", { class: "quiz-step", tabindex: "0" }, make("span", { class: "quiz-place", "aria-hidden": "true" }), text, up, down)
    row.addEventListener("keydown", event => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
      if (!step) return
      event.preventDefault()
      if (event.altKey || event.shiftKey) moveBy(at, step)
      else rows[order[order.indexOf(at) + step]]?.row.focus()
    })
    return { row, up, down, name: () => text.textContent.trim() }
  })
  function moveBy(at, step) {
    const from = order.indexOf(at), to = from + step
    if (to < 0 || to >= order.length || rows[at].up.disabled && rows[at].down.disabled) return
    order.splice(from, 1)
    order.splice(to, 0, at)
    isTouched = true
    const focused = document.activeElement
    draw()
    if (focused instanceof HTMLElement && rows[at].row.contains(focused)) (focused.disabled ? rows[at].row : focused).focus()
    heard.textContent = fill(words.moved, { place: to + 1, count: order.length, name: rows[at].name() })
    onChange()
  }
  function draw() {
    list.replaceChildren(...order.map(at => rows[at].row))
    order.forEach((at, place) => {
      const { row, up, down, name } = rows[at]
      row.firstChild.textContent = `${place + 1}`
      row.setAttribute("aria-label", fill(words.place_of, { place: place + 1, count: order.length, name: name() }))
      up.setAttribute("aria-label", fill(words.move_up, { name: name() }))
      down.setAttribute("aria-label", fill(words.move_down, { name: name() }))
      up.disabled = place === 0
      down.disabled = place === order.length - 1
    })
  }
  draw()
  const element = make("div", { role: "group" }, make("p", { class: "quiz-small quiz-keys" }, words.key_move), list, heard)
  return {
    element,
    // In a mock exam, which keeps what stands there, the order that was shown is no answer.
    read: () => ({ chosen: isExam && !isTouched ? [] : [...order], text: "" }),
    rightOrder: ({ right }) => make("ol", { class: "quiz-given" }, ...right.map(at => make("li", {}, inlineText(question.options[at], chunks)))),
    mark({ right }, words) {
      order.forEach((at, place) => {
        const isRight = right[place] === at
        rows[at].row.classList.add(isRight ? "is-right" : "is-wrong")
        rows[at].row.append(icon(isRight ? "right" : "wrong", "quiz-sign"), make("span", { class: "quiz-heard" }, isRight ? words.is_right : words.is_not_right))
      })
    },
  }
}

const optionLabels = ({ question, chunks }) => question.options.map(option => inlineText(option, chunks))
const FIELDS = {
  single_choice: context => choices({ ...context, labels: optionLabels(context), isSeveral: false }),
  multiple_choice: context => choices({ ...context, labels: optionLabels(context), isSeveral: true }),
  true_false: context => choices({ ...context, labels: [context.words.true, context.words.false].map(label => make("span", { class: "quiz-line" }, label)), isSeveral: false }),
  cloze: context => line({ ...context, isLong: false }),
  short_answer: context => line({ ...context, isLong: true }),
  ordering,
}
