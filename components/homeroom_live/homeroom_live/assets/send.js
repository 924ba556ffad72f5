// Requests of the component: a message, and Stop.

import { pageHeaders, retryAfterS } from "./page.js"
import { isHomeroomThere } from "./server_watch.js"

const TIMEOUT_MS = 30_000
const FILES_TIMEOUT_MS = 180_000
const PAUSE_MS = 400
const TRIES = 2
const GATEWAY_TRIES = 8 // A proxy needs a second or two until it knows that a replica is gone, and asks the other one.
const REPLACED_MS = 25_000 // How long a process may take to end, and the next one to begin.
const BUSY_TRIES = 6 // A store that hiccupped answers again within a second or two, and what it left is gone then.
const GATEWAY = [502, 503, 504]

/**
 * Send a message, again under its own key while a process is replaced, so that the next one takes it once; resolves to one of
 *   { ids: { conversation_id, turn_id } }   accepted
 *   { status, message }                     refused by Homeroom, with its sentence for the student
 *   { isBlocked: true }                     something between the browser and Homeroom answers instead of it
 *   { isOffline: true }                     no answer: it may have arrived or not
 */
export async function sendMessage({ chat, text, files, assistant, effort, tab, key }) {
  const fields = { text, ...(chat ? {} : { assistant, ...(effort ? { effort } : {}) }), tab }
  const post = () => request(chat ? `/live/${chat}/messages` : "/live/messages", {
    headers: { "Idempotency-Key": key, ...(files.length ? {} : { "Content-Type": "application/json" }) },
    body: files.length ? form(fields, files) : JSON.stringify(fields),
    timeoutMs: files.length ? FILES_TIMEOUT_MS : TIMEOUT_MS,
  })
  const until = Date.now() + REPLACED_MS
  let answer, told, isReplaced = false
  for (let tries = 1; ; tries += 1) {
    answer = await post()
    told = await answer?.json().catch(() => null)
    const isRestarting = told?.error?.code === "restarting"
    const isForLater = told?.error?.code === "send_again"
    const isBusy = answer?.status === 503 && ["busy", "unavailable"].includes(told?.error?.code)
    const isOfGateway = !told?.error && GATEWAY.includes(answer?.status)
    isReplaced ||= isRestarting
    const mayPass = !answer || isRestarting || isForLater || isBusy || isOfGateway
    const most = isBusy ? BUSY_TRIES : answer ? GATEWAY_TRIES : TRIES
    if (!mayPass || (isReplaced || isForLater ? Date.now() > until : tries >= most)) break
    const pauseMs = isForLater ? 1_000 * (retryAfterS(answer.headers) || 1) : PAUSE_MS * (isReplaced ? 2 : 1)
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
  if (answer?.status === 202 && told?.conversation_id) return { ids: told }
  if (told?.error?.message) return { status: answer.status, ...told.error }
  return (await isHomeroomThere()) ? { isBlocked: true } : { isOffline: true }
}

export const stopAnswer = chat => request(`/live/${chat}/stop`, { timeoutMs: TIMEOUT_MS })

const request = (path, { headers = {}, body, timeoutMs }) =>
  fetch(path, { method: "POST", headers: { ...pageHeaders(), ...headers }, body, signal: AbortSignal.timeout(timeoutMs) }).catch(() => null)

function form(fields, files) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  for (const file of files) body.append("files", file)
  return body
}
