// Taking a quiz: one question at a time with its mark right below, or a mock exam against the server's clock. What the server
// knows is all there is: a reload or a second tab goes on where it is (api/live/study_quiz.py). Mounted by ui/study/quiz_panel.py.
import { QuizClock } from "./quiz_clock.js"
import { createPanel, drawIntro, drawNote, drawProblem, drawWriting } from "./quiz_elements.js"
import { drawFeedback, drawObjection } from "./quiz_feedback.js"
import { keyAction } from "./quiz_keys.js"
import { drawQuestion } from "./quiz_question.js"
import { drawHandIn, drawResult } from "./quiz_result.js"
import { newKey, Outbox, post } from "./study_outbox.js"

const LOOK_MS = 2_000
const SLOWEST_LOOK_MS = 8_000
const SAVE_AFTER_MS = 600
const GRACE_MS = 2_000
let active = null // Of several quizzes in a chat, the one that the keyboard was last in.

const style = new Promise(resolve => {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("quiz.css", import.meta.url).href })
  link.onload = link.onerror = resolve
  document.head.append(link)
})

const sessions = new Map() // By their place on the page, which may be drawn anew while something is being answered.

export function mountQuiz(component) {
  const { place } = component.data
  const mounted = sessions.get(place) ?? new QuizSession(component)
  sessions.set(place, mounted)
  mounted.update(component)
  mounted.move()
  const mount = ++mounted.mounts
  // A page that is drawn anew mounts it again soon, and what is being answered stays.
  return () => setTimeout(() => { if (mount === mounted.mounts) mounted.remove() }, GRACE_MS)
}

class QuizSession {
  constructor(component) {
    this.mounts = 0
    this.update(component)
    this.ended = new AbortController()
    this.given = {}
    this.panel = createPanel(this.words)
    this.panel.root.addEventListener("focusin", () => { active = this })
    // What stands there counts, too: it is sent before the clock is over.
    this.clock = new QuizClock(this.panel, this.words, { onLast: () => this.save(), onOver: () => this.timeIsOver() })
    const { signal } = this.ended
    window.addEventListener("keydown", event => this.pressed(event), { signal })
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.catchUp() }, { signal })
    this.outbox = new Outbox({
      area: "quiz",
      scope: `${this.data.quiz}:`,
      storage: sessionStorage,
      isFinal: status => status === 409,
      onSent: (entry, body) => this.sent(entry, body),
      onRefused: (entry, message, status, { state }) => this.refused(message, state),
      onState: (waiting, status) => this.tellWaiting(waiting, status),
    })
    this.begin()
  }

  update(component) {
    this.component = component
    this.data = component.data
    this.words = component.data.words
  }

  /** Stand where the page has its place now. */
  move() {
    const { root } = this.panel, { parentElement } = this.component
    if (!root.isConnected && !this.told || root.parentElement === parentElement) return
    const focused = root.contains(document.activeElement) ? document.activeElement : null
    parentElement.append(root)
    focused?.focus({ preventScroll: true })
  }

  remove() {
    this.ended.abort()
    this.outbox.remove()
    for (const timer of [this.looking, this.saving]) clearTimeout(timer)
    this.clock.stop()
    this.panel.root.remove()
    if (active === this) active = null
    if (sessions.get(this.data.place) === this) sessions.delete(this.data.place)
  }

  async begin() {
    await style
    if (this.ended.signal.aborted) return
    this.component.parentElement.append(this.panel.root)
    if (this.outbox.size) await this.outbox.send()
    await this.load()
  }

  post(path, body) {
    return post(path, body, undefined, "quiz")
  }

  async load() {
    const answer = await this.post("state", { quiz: this.data.quiz })
    if (this.ended.signal.aborted) return
    if (!answer.body) return this.fail(answer, () => this.load())
    this.take(answer.body)
  }

  /** The tab is looked at again: another one may have gone on meanwhile. Nothing that is being written is lost by it. */
  async catchUp() {
    const attempt = this.told?.attempt
    if (!attempt || this.isBusy || this.outbox.size) return
    const { body } = await this.post("state", { quiz: this.data.quiz })
    if (!body || this.ended.signal.aborted || this.isBusy) return
    const now = body.attempt
    const isSame = now?.id === attempt.id && now.is_finished === attempt.is_finished && now.answered === attempt.answered && now.order.length === attempt.order.length
    if (!isSame) this.take(body)
    else this.clock.set(now.left_s)
  }

  /** Draw what the server told of the quiz. */
  take(told, { note = "" } = {}) {
    this.told = told
    const { quiz, attempt } = told
    clearTimeout(this.looking)
    this.clock.stop()
    this.feedback = null
    if (!quiz.is_made && !attempt) return this.wait(quiz)
    if (quiz.is_failed) drawProblem(this.panel, this.words, { message: quiz.trouble || this.words.failed })
    else if (!attempt) drawIntro(this.panel, this.words, quiz, { hasTitle: this.data.closes, onBegin: () => this.start() })
    else if (attempt.is_finished) this.showResult()
    else this.showAttempt()
    if (note) drawNote(this.panel, note)
    this.takeFocus()
  }

  /** Look again and again while the quiz is written; it goes on by itself. */
  wait(quiz) {
    drawWriting(this.panel, this.words, quiz)
    this.lookMs = Math.min((this.lookMs ?? LOOK_MS / 1.2) * 1.2, SLOWEST_LOOK_MS)
    this.looking = setTimeout(async () => {
      const { body } = await this.post("state", { quiz: this.data.quiz })
      if (this.ended.signal.aborted) return
      if (body && body.quiz.made !== quiz.made) this.lookMs = LOOK_MS
      if (body) this.take(body)
      else this.wait(quiz)
    }, this.lookMs)
  }

  async start(onlyWrong = false) {
    if (this.isBusy) return
    this.isBusy = true
    const answer = await this.post("start", { quiz: this.data.quiz, only_wrong: onlyWrong })
    this.isBusy = false
    if (!answer.body) return this.fail(answer, () => this.start(onlyWrong))
    active = this
    this.given = {}
    this.hasBegun = true
    this.take(answer.body)
  }

  showAttempt() {
    const { attempt, given = {} } = this.told
    if (!attempt.is_exam) return this.ask(attempt.number)
    this.given = { ...given, ...this.given }
    this.clock.set(attempt.left_s)
    this.ask(this.at !== undefined && this.at < attempt.order.length ? this.at : attempt.number ?? 0)
  }

  /** Show the question with this number. draft: what stood in its field before. */
  ask(number, draft = null) {
    const { attempt, questions } = this.told
    this.feedback = null
    this.at = number
    if (number === null || number >= attempt.order.length) return this.showEnd()
    const id = attempt.order[number]
    this.askedAt = performance.now()
    this.question = drawQuestion(this.panel, this.words, {
      id, number, attempt,
      question: questions[id],
      isRepeat: !attempt.is_exam && attempt.order.indexOf(id) < number,
      given: attempt.is_exam ? this.given[id] : draft,
      answered: new Set(Object.keys(this.given).filter(key => isGiven(this.given[key]))),
      chunks: this.data.chunks,
      onAnswer: () => this.answer(),
      onSkip: () => this.answer({ isSkipped: true }),
      onChange: () => this.changed(),
      onGo: to => this.go(to),
      onHandIn: () => this.handIn(),
      onFinish: () => this.askToFinish(),
    })
    this.takeFocus()
  }

  /** All that could be asked without the server is answered, and some of it is still on its way. */
  showEnd() {
    if (!this.outbox.size) return this.load()
    drawProblem(this.panel, this.words, { message: this.words.waits, onRetry: async () => { if (await this.outbox.send()) this.load() } })
  }

  answer({ isSkipped = false } = {}) {
    const { attempt } = this.told
    if (this.isBusy || this.feedback || !this.question) return
    if (attempt.is_exam) return this.go(this.at + 1)
    const given = isSkipped ? { chosen: [], text: "" } : this.question.read()
    if (!isSkipped && !isGiven(given)) return drawNote(this.panel, this.words.choose_first)
    this.isBusy = true
    this.question.lock()
    drawNote(this.panel, this.question.isSlow ? this.words.comparing : "")
    this.outbox.add("answer", this.body(this.at, given))
  }

  body(number, given) {
    const { attempt } = this.told
    const seconds = Math.min(3_600, Math.round((performance.now() - this.askedAt) / 100) / 10)
    return { attempt: attempt.id, question: attempt.order[number], number, ...given, id: newKey(), seconds }
  }

  sent(entry, { attempt, feedback }) {
    if (!this.told?.attempt || attempt.id !== this.told.attempt.id) return
    const { left_s: before } = this.told.attempt
    this.told.attempt = { ...attempt, left_s: attempt.left_s ?? before }
    if (attempt.is_exam) return this.clock.set(attempt.left_s)
    if (entry.body.number !== this.at || !feedback) return
    this.isBusy = false
    this.showFeedback(feedback)
  }

  showFeedback(feedback) {
    this.feedback = feedback
    drawNote(this.panel, "")
    if (this.told.attempt.is_finished) this.panel.leave.replaceChildren()
    drawFeedback(this.panel, this.words, feedback, {
      question: this.question,
      chunks: this.data.chunks,
      isLast: this.told.attempt.is_finished,
      onNext: () => this.next(),
      onObject: () => this.object(feedback),
      onDecide: isRight => this.decide(feedback, isRight),
    })
  }

  /** To the next question, also one whose predecessor has not been sent yet. */
  next() {
    const { attempt } = this.told
    const isWaiting = this.outbox.size > 0
    this.isBusy = false
    if (attempt.is_finished && !isWaiting) return this.load()
    this.ask(isWaiting ? this.at + 1 : attempt.number)
  }

  refused(message, state) {
    this.isBusy = false
    if (state) this.take(state, { note: message })
    else if (this.question && !this.feedback) {
      this.question.unlock()
      drawNote(this.panel, message || this.words.offline)
    }
  }

  tellWaiting(waiting, status) {
    const { attempt } = this.told ?? {}
    if (!waiting || !attempt) return this.panel.root.parentElement && this.panel.kept.replaceChildren()
    const isSignedOut = status === 401 || status === 403
    const canGoOn = this.isBusy && !attempt.is_exam && this.at + 1 < attempt.order.length
    drawNote(this.panel, "")
    this.panel.tellKept(isSignedOut ? this.words.signed_out : this.words.kept, canGoOn ? { label: this.words.next, onPress: () => this.next() } : null)
  }

  // A mock exam: every change is kept on the server, questions are gone to in any order, and the clock ends it.

  changed() {
    if (!this.told.attempt.is_exam) return
    clearTimeout(this.saving)
    this.saving = setTimeout(() => this.save(), SAVE_AFTER_MS)
  }

  save() {
    clearTimeout(this.saving)
    const { attempt } = this.told
    if (!attempt?.is_exam || attempt.is_finished || !this.question) return
    const id = attempt.order[this.at], given = this.question.read()
    if (JSON.stringify(given) === JSON.stringify(this.given[id] ?? { chosen: [], text: "" })) return
    this.given[id] = given
    this.outbox.add("answer", this.body(this.at, given))
  }

  go(to) {
    this.save()
    if (to >= this.told.attempt.order.length) return this.handIn()
    this.ask(Math.max(0, to))
  }

  handIn() {
    this.save()
    const { order } = this.told.attempt
    const open = order.filter(id => !isGiven(this.given[id])).length
    this.question = null
    drawHandIn(this.panel, this.words, { open, onBack: () => this.ask(this.at), onFinish: () => this.finish() })
    this.takeFocus()
  }

  /** Before all is answered, in practice. The way back leads to what stood there. */
  askToFinish() {
    if (this.isBusy || !this.question) return
    const { feedback, at } = this, { answered, count } = this.told.attempt
    const given = this.question.read()
    this.question = this.feedback = null
    const back = () => {
      this.ask(at, given)
      if (feedback) this.showFeedback(feedback)
    }
    drawHandIn(this.panel, this.words, { open: count - answered, isPractice: true, onBack: back, onFinish: () => this.finish() })
    this.takeFocus()
  }

  async finish() {
    if (this.isBusy) return
    this.isBusy = true
    this.save()
    await this.outbox.send()
    const answer = await this.post("finish", { attempt: this.told.attempt.id })
    this.isBusy = false
    if (!answer.body) return this.fail(answer, () => this.finish())
    this.take(answer.body)
  }

  async timeIsOver() {
    await this.outbox.send()
    await this.load()
    if (this.told.attempt?.is_finished) drawNote(this.panel, this.words.time_over)
  }

  showResult() {
    this.question = null
    this.at = undefined
    const { attempt } = this.told
    drawResult(this.panel, this.words, this.told, {
      chunks: this.data.chunks,
      hasTitle: this.data.closes,
      onAgain: () => this.start(),
      onWrong: () => this.start(true),
      onClose: () => this.close(),
      onObject: (feedback, place) => this.object(feedback, place),
      onDecide: (feedback, isRight) => this.decide(feedback, isRight),
    })
    if (attempt.pending) this.lookForMarks()
  }

  lookForMarks(tries = 0) {
    this.looking = setTimeout(async () => {
      const { body } = await this.post("state", { quiz: this.data.quiz })
      if (this.ended.signal.aborted || !this.told.attempt?.is_finished) return
      if (body && body.attempt?.pending !== this.told.attempt.pending) this.take(body)
      else if (tries < 20) this.lookForMarks(tries + 1)
    }, Math.min(LOOK_MS + 500 * tries, SLOWEST_LOOK_MS))
  }

  // Disagreeing: the student's own word counts at once.

  object(feedback, place = this.panel.feedback) {
    const isGap = this.told.questions[feedback.question].kind === "cloze"
    drawObjection(place, this.words, { isGap, isRight: feedback.verdict === "right", onSend: told => this.disagree(feedback, told) })
  }

  decide(feedback, isRight) {
    return this.disagree(feedback, { is_right: isRight })
  }

  async disagree(feedback, told) {
    const answer = await this.post("disagree", { attempt: this.told.attempt.id, question: feedback.question, ...told })
    if (!answer.body) return answer.message || this.words.offline
    this.told.attempt = { ...this.told.attempt, ...answer.body.attempt }
    if (answer.body.result && !this.feedback) {
      this.told.result = answer.body.result
      this.showResult()
    } else this.showFeedback(answer.body.feedback)
    this.panel.status.textContent = this.words.counted
    return ""
  }

  fail({ message, status }, onRetry) {
    const canRetry = ![403, 404, 422].includes(status)
    drawProblem(this.panel, this.words, { message: message || this.words.offline, onRetry: canRetry ? onRetry : null })
  }

  close() {
    this.save()
    if (this.data.closes) this.component.setTriggerValue("close", Date.now())
    else document.activeElement?.blur()
  }

  pressed(event) {
    if (event.defaultPrevented || event.isComposing || !this.panel.root.isConnected) return
    const { target } = event
    const isInside = this.panel.root.contains(target)
    const isCovered = document.querySelector("[data-testid=stDialog], [role=dialog][aria-modal=true], [data-testid=stPopoverBody]")
    if (isCovered || !(isInside || (target === document.body && (active === this || this.data.closes)))) return
    const act = keyAction(event, this)
    if (!act || event.repeat) return
    event.preventDefault()
    act()
  }

  /** The keyboard and who listens follow the quiz, once it was begun here; what is typed elsewhere is left alone. */
  takeFocus() {
    const { activeElement: focused, body } = document
    const isFree = !focused || focused === body || this.panel.root.contains(focused)
    if (isFree && (this.hasBegun || this.data.closes)) this.panel.focus()
  }
}

const isGiven = given => Boolean(given && (given.chosen.length || given.text.trim()))
