// Requests of the component: a message, and Stop.

const HEADERS = { "X-Requested-With": "homeroom" }
const TIMEOUT_MS = 30_000
const FILES_TIMEOUT_MS = 180_000
const PAUSE_MS = 400

/**
 * Send a message; resolves to one of
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
  let answer = await post()
  if (!answer) {
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
    answer = await post()
  }
  const told = await answer?.json().catch(() => null)
  if (answer?.status === 202 && told?.conversation_id) return { ids: told }
  if (told?.error?.message) return { status: answer.status, ...told.error }
  return (await isHomeroomThere()) ? { isBlocked: true } : { isOffline: true }
}

export const stopAnswer = chat => request(`/live/${chat}/stop`, { timeoutMs: TIMEOUT_MS })

const request = (path, { headers = {}, body, timeoutMs }) =>
  fetch(path, { method: "POST", headers: { ...HEADERS, ...headers }, body, signal: AbortSignal.timeout(timeoutMs) }).catch(() => null)

const isHomeroomThere = async () =>
  navigator.onLine && Boolean((await fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(5_000) }).catch(() => null))?.ok)

function form(fields, files) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  for (const file of files) body.append("files", file)
  return body
}
