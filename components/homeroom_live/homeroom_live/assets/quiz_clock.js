// The clock of a mock exam: as long as the server says, told aloud twice and otherwise quiet.
const TOLD_LEFT_S = [300, 60]

export class QuizClock {
  /** onLast: a second before it is over. */
  constructor(panel, words, { onLast, onOver }) {
    Object.assign(this, { panel, words, onLast, onOver, endsAt: null })
  }

  set(leftS) {
    if (leftS === null || leftS === undefined) return
    const isRunning = this.endsAt !== null
    this.endsAt = performance.now() + leftS * 1000
    if (!isRunning) this.tick()
  }

  stop() {
    clearTimeout(this.timer)
    this.endsAt = null
    this.panel.drawClock(null)
  }

  tick() {
    const leftMs = Math.max(0, this.endsAt - performance.now())
    const leftS = Math.ceil(leftMs / 1000)
    this.panel.drawClock(leftS)
    if (TOLD_LEFT_S.includes(leftS)) this.panel.status.textContent = this.words.left.replace("{minutes}", () => leftS / 60)
    if (leftS === 1) this.onLast()
    if (leftMs > 0) return void (this.timer = setTimeout(() => this.tick(), (leftMs % 1000) + 10))
    this.endsAt = null
    this.onOver()
  }
}
