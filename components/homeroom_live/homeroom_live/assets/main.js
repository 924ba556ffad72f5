// Entry of the component, which the page mounts twice: as the field for messages, and below the chat as the answer that comes.
// Streamlit calls it when it is mounted and whenever its data change.
import { mountAnswer } from "./follow.js"
import { mountComposer } from "./composer.js"

export default function (component) {
  return component.data.part === "composer" ? mountComposer(component) : mountAnswer(component)
}
