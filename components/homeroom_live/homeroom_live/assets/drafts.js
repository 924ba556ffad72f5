// Drafts: what is being written stays in this tab, for each chat, until it is sent. Where it is kept, `api/drafts.js` keeps
// what is written in Streamlit's own field, and forgets both with the sign-in.

import { owner } from "./page.js"

const KEY = "drafts"

const read = () => {
  const empty = { of: owner(), words: {}, hasFiles: false, sent: {}, waiting: {} }
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY))
    return kept?.of === empty.of ? { ...empty, ...kept } : empty
  } catch {
    return empty // Nothing is kept where the browser keeps nothing.
  }
}
const change = update => {
  const kept = read()
  update(kept)
  try {
    if (kept.of) sessionStorage.setItem(KEY, JSON.stringify(kept))
  } catch { /* As above. */ }
}
const put = (map, chat, value) => { if (value) map[chat] = value; else delete map[chat] }

export const draftText = chat => read().words[chat] ?? ""
export const keepDraftText = (chat, text) => change(kept => put(kept.words, chat, text))
export const hadFiles = () => read().hasFiles
export const keepHasFiles = has => { if (has !== hadFiles()) change(kept => { kept.hasFiles = has }) }

/** Key under which a message is sent: the same one for the same message, also after a reload, so that it is sent once. */
export function submissionKey(chat, content) {
  const before = read().sent[chat]
  if (before?.content === content) return before.key
  const key = crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map(one => one.toString(16)).join("")
  change(kept => { kept.sent[chat] = { key, content } })
  return key
}
export const forgetDraft = chat => change(kept => { put(kept.words, chat); kept.hasFiles = false; forgetIn(kept, chat) })

/** Message that is sent once Homeroom answers again, also after a reload, beside what is written meanwhile. */
export const waitingMessage = chat => read().waiting[chat]
export const keepWaiting = (chat, message) => change(kept => put(kept.waiting, chat, message))
export const forgetSent = chat => change(kept => forgetIn(kept, chat))
const forgetIn = (kept, chat) => { put(kept.sent, chat); put(kept.waiting, chat) }
