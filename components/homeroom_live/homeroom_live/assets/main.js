// Entry of the component, which the chat mounts as the field for messages and as the answer that comes below them, the Materials
// page as the reader of course materials, and the page Study as the review of cards and, like the chat, as a quiz.
// Streamlit calls it when it is mounted and whenever its data change.
import { mountAnswer } from "./follow.js"
import { mountComposer } from "./composer.js"
import { mountReader } from "./reader_link.js"

// Once for the page: a style of the component's own would be fetched for each mount.
const styles = Promise.all(["composer.css", "answer.css"].map(name => new Promise(resolve => {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL(name, import.meta.url).href })
  link.onload = link.onerror = resolve
  document.head.append(link)
})))

export default async function (component) {
  // Settings' switch for notifications is asked for there alone.
  if (component.data.part === "push") return void (await (await import("./push.js")).mountPush(component))
  if (component.data.part === "reader") return mountReader(component)
  if (component.data.part === "review") return (await import("./review.js")).mountReview(component)
  if (component.data.part === "quiz") return (await import("./quiz.js")).mountQuiz(component)
  await styles
  return component.data.part === "composer" ? mountComposer(component) : mountAnswer(component)
}
