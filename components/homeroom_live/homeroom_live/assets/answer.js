// Draws one running turn from its events (api/live). Owner of this file: helper D.
//
// createAnswer(host, { question, files, words, onNotice }) -> { apply(name, data), remove() }
//   host: empty element below the drawn chat, in the page's own document (the component's CSS variables `--st-…` apply).
//   question: text of the bubble that the student just sent from here, or null when the page has drawn the question already.
//   files: [{ name, size }] sent with it.
//   words: texts in the student's language, by name (ui/chat/live_component.py: ANSWER_WORDS; add yours there).
//   onNotice(action): the student pressed the button of a notice ("retry" or "continue"); follow.js asks the page for it.
// apply(name, data): one event of LIVE.md, `snapshot`, `text`, `block`, `step`, `card` or `end`; data is parsed already.
//   Before the first event the answer shows "Thinking …".
// remove(): takes everything out of host, at once (the page's own finished answer appears in the same frame).
export function createAnswer(host, { question, files, words }) {
  const root = document.createElement("div")
  root.className = "live-answer"
  const asked = document.createElement("p")
  const said = document.createElement("p")
  if (question !== null) asked.textContent = question
  said.textContent = words.thinking
  root.append(asked, said)
  host.append(root)
  let text = ""
  return {
    apply(name, data) {
      if (name === "snapshot") text = data.items.map(item => item.text ?? item.label ?? "").join("\n")
      if (name === "text") text += data.text
      if (name === "block") text = data.text
      said.textContent = text || words.thinking
    },
    remove: () => root.remove(),
  }
}
