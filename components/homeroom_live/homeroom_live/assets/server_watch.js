// Whether Homeroom answers: Streamlit's connection (1.67) says when it is lost, and /health when it is back.

const LOST_MS = 1_500 // A connection that is made anew within this time is nothing to speak of.
const PAUSES_MS = [500, 1_000, 2_000]
const STATE = "data-test-connection-state"
const listeners = new Set()
let waiting = null, lostTimer = 0, isLost = false

/** Have `listener` called with whether Homeroom is away, now and whenever that changes; returns what ends it. */
export function onServerAway(listener) {
  listeners.add(listener)
  listener(isAway())
  return () => listeners.delete(listener)
}
const isAway = () => isLost || waiting !== null
const tell = () => { for (const listener of listeners) listener(isAway()) }

export const isHomeroomThere = async () =>
  navigator.onLine && Boolean((await fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(5_000) }).catch(() => null))?.ok)

/** Resolves once Homeroom answers again; until then it is away. */
export function waitForServer() {
  waiting ??= askUntilThere().then(() => { waiting = null; tell() })
  tell()
  return waiting
}

async function askUntilThere() {
  for (let tries = 0; !(await isHomeroomThere()); tries += 1) await pause(PAUSES_MS[tries] ?? PAUSES_MS.at(-1))
}

/** Wait, at most until the device is online again. */
const pause = ms => new Promise(resolve => {
  const ended = new AbortController()
  const end = () => { ended.abort(); resolve() }
  setTimeout(end, ms)
  window.addEventListener("online", end, { signal: ended.signal })
})

const isConnected = () => (document.querySelector(`[${STATE}]`)?.getAttribute(STATE) ?? "CONNECTED") === "CONNECTED"

function look() {
  if (isConnected()) {
    clearTimeout(lostTimer)
    lostTimer = 0
    if (isLost) { isLost = false; tell() }
  } else lostTimer ||= setTimeout(() => { isLost = !isConnected(); tell() }, LOST_MS)
}
new MutationObserver(look).observe(document.documentElement, { subtree: true, attributeFilter: [STATE] })
