// Elements of the composer. All words come from the page, in the student's language.

const ICONS = {
  attach: "M16.5 6v11a4.5 4.5 0 0 1-9 0V5a3 3 0 0 1 6 0v10.5a1.5 1.5 0 0 1-3 0V6H9v9.5a3 3 0 0 0 6 0V5a4.5 4.5 0 0 0-9 0v12a6 6 0 0 0 12 0V6z",
  send: "M4 20V14l8-2-8-2V4l17 8z",
  stop: "M7 7h10v10H7z",
  down: "M11 4h2v12l5.5-5.5 1.4 1.4L12 19.8l-7.9-7.9 1.4-1.4L11 16z",
  close: "M19 6.4 17.6 5 12 10.6 6.4 5 5 6.4 10.6 12 5 17.6 6.4 19 12 13.4 17.6 19 19 17.6 13.4 12z",
}

export function createElements(words) {
  const field = make("textarea", { rows: 1, placeholder: words.placeholder, ariaLabel: words.placeholder, className: "live-field", dir: "auto" })
  const picker = make("input", { type: "file", multiple: true, hidden: true })
  const attach = iconButton("attach", words.attach)
  const send = iconButton("send", words.send)
  const stop = iconButton("stop", words.stop)
  stop.append(make("span", { textContent: words.stop }))
  const sentence = make("span")
  const retry = make("button", { type: "button", textContent: words.retry, hidden: true })
  const problem = make("div", { className: "live-problem", role: "alert", hidden: true }, sentence, retry)
  const away = make("div", { className: "live-away", role: "status" })
  const chips = make("ul", { className: "live-files", ariaLabel: words.files, hidden: true })
  const limits = make("small", { className: "live-limits", textContent: words.limits, hidden: true })
  const box = make("div", { className: "live-box" }, field, picker, attach, stop, send)
  const down = iconButton("down", words.down)
  down.hidden = true
  const root = make("div", { className: "live-composer-root" }, down, problem, away, chips, limits, box)
  return { root, down, box, field, picker, attach, send, stop, problem, away, sentence, retry, chips, limits }
}

/** Draw a chip for each chosen file, with a button that leaves it out. */
export function drawFiles({ chips, limits, problem, sentence }, files, { words, refusal, onLeaveOut }) {
  const before = chips.drawn ?? []
  if (before.length === files.length && files.every((file, at) => file === before[at])) return
  chips.drawn = files
  chips.hidden = limits.hidden = !files.length
  chips.replaceChildren(...files.map((file, at) => {
    const remove = iconButton("close", words.remove.replace("{file}", () => file.name))
    remove.addEventListener("click", () => onLeaveOut(file))
    const chip = make("li", { className: refusal(file, at) ? "is-refused" : "" },
      make("span", { textContent: file.name, title: file.name, dir: "auto" }), make("small", { textContent: size(file.size) }), remove)
    return chip
  }))
  const told = files.map(refusal).find(Boolean) ?? ""
  if (told || (chips.told && sentence.textContent === chips.told)) {
    sentence.textContent = told
    problem.hidden = !told
  }
  chips.told = told
}

/** As `format_size` in services/files/upload.py. */
const size = bytes => bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000))} KB` : `${tenths(bytes / 1_000_000)} MB`
const tenths = number => number.toLocaleString(document.documentElement.lang || "en", { maximumFractionDigits: 1 })

/** Let the field grow with its text; from some lines on it scrolls. */
export function fit(field) {
  field.style.height = "auto"
  field.style.height = `${field.scrollHeight}px`
}

function iconButton(name, label) {
  const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg")
  icon.setAttribute("viewBox", "0 0 24 24")
  icon.setAttribute("aria-hidden", "true")
  const path = document.createElementNS(icon.namespaceURI, "path")
  path.setAttribute("d", ICONS[name])
  icon.append(path)
  return make("button", { type: "button", className: `live-${name}`, ariaLabel: label, title: label }, icon)
}

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}
