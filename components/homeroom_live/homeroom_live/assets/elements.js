// Small pieces of the page that look like Streamlit's own (1.67): they carry its test ids, by which our style sheet finds them.

/** An element with attributes; children are elements, or words that stay words. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value === true ? "" : value)
  }
  element.append(...children.filter(child => child !== null && child !== undefined))
  return element
}

const tested = (tag, name, className, ...children) => make(tag, { "data-testid": name, class: className }, ...children)

export const icon = (name, testId = "stIconMaterial") =>
  make("span", { class: "la-icon", "data-testid": testId, "aria-hidden": "true", translate: "no" }, name)

/** Place of one element in the column of an answer. */
export const place = (...children) => tested("div", "stElementContainer", "la-place", ...children)

export const markdown = (...children) => tested("div", "stMarkdownContainer", "la-markdown", ...children)

export const caption = (...children) => place(tested("div", "stCaptionContainer", "la-markdown la-caption", ...children))

export const text = words => place(tested("div", "stText", "la-text", words))

export function code(words, { language = "", wraps = false } = {}) {
  const inner = make("code", { class: language || null }, words)
  const box = make("pre", {}, make("div", {}, inner))
  return make("div", { "data-testid": "stCode", class: wraps ? "la-code la-wraps" : "la-code", tabindex: "0" }, box)
}

/** A bubble of the transcript; what comes into it goes into `content`. */
export function bubble(speaker, iconName) {
  const content = tested("div", "stVerticalBlock", "la-column")
  const group = tested("div", "stChatMessageContent", "la-content", content)
  group.setAttribute("role", "group")
  group.setAttribute("aria-label", `Chat message from ${speaker}`)
  const avatar = tested("div", "stChatMessageAvatarCustom", "la-avatar", icon(iconName))
  avatar.setAttribute("aria-hidden", "true")
  const message = tested("div", "stChatMessage", `la-message la-${speaker}`, avatar, group)
  return { element: tested("div", "stLayoutWrapper", "la-wrapper", message), group, content }
}

/** A line that opens: `state` is running, done, asks, failed or the name of an icon. With `null` for details it is a line only. */
export function step(label, state, details, { isOpen = false } = {}) {
  const signs = { done: "check_circle", asks: "help", failed: "error" }
  const sign = state === "running" ? make("span", { class: "la-spinner", "data-testid": "stSpinnerIcon" }) : icon(signs[state] ?? state)
  const chevron = icon("keyboard_arrow_right")
  const hasDetails = details !== null
  const marks = make("div", { class: "la-signs", "aria-hidden": "true" },
    tested("div", "stExpanderStepIcon", "la-sign", sign),
    hasDetails ? tested("div", "stExpanderStepChevron", "la-chevron", chevron) : null)
  const words = tested("div", "stMarkdownContainer", "la-markdown la-label", make("p", {}, label))
  const line = make("span", { class: "la-line" }, marks, make("div", { class: "la-words" }, words),
    state === "failed" ? make("span", { class: "la-heard" }, " — error") : null)
  const expander = tested("div", "stExpander", `la-step la-is-${state}`)
  if (!hasDetails) expander.append(make("div", { class: "la-summary" }, line))
  else expander.append(tested("div", "stExpanderStepConnector", "la-connector"), opening(line, chevron, details, isOpen))
  return make("div", { "data-testid": "stLayoutWrapper", "data-step": "true", class: "la-wrapper" }, expander)
}

function opening(line, chevron, details, isOpen) {
  const summary = make("summary", { class: "la-summary" }, line)
  const inner = tested("div", "stExpanderDetails", "la-details", tested("div", "stVerticalBlock", "la-column la-close", ...details))
  const element = make("details", { open: isOpen }, summary, inner)
  const show = () => {
    summary.setAttribute("aria-expanded", String(element.open))
    chevron.textContent = element.open ? "keyboard_arrow_down" : "keyboard_arrow_right"
  }
  element.addEventListener("toggle", show)
  show()
  return element
}
