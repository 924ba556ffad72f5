// Switch for notifications in this browser: its service worker, the permission, the subscription, and Homeroom's own list of it.
import { make } from "./elements.js"
import { pageHeaders } from "./page.js"

const ADDRESS = "/push/subscriptions"
const WORKER = "/service-worker.js"

/** Draws the switch; `changed` tells the page that Homeroom's list is another one now. */
export async function mountPush({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector(".push-switch") ?? parentElement.appendChild(make("div", { class: "push-switch" }))
  const { words } = data
  const show = (note, label, act) => {
    const button = label && make("button", { type: "button", style: BUTTON }, label)
    button?.addEventListener("click", async () => {
      button.disabled = true
      const failure = await act().catch(() => words.failed)
      if (failure) show(failure, label, act)
      else setTriggerValue("changed", Date.now())
    })
    place.replaceChildren(...(button ? [button] : []), make("p", { role: "status", style: NOTE }, note))
  }
  const state = await stateOf(data)
  if (state === "unsupported") show(words.unsupported)
  else if (state === "blocked") show(words.blocked)
  else if (state === "on") show(words.on, words.switch_off, switchOff)
  else show(words.off, words.switch_on, () => switchOn(data))
}

const BUTTON = "font:inherit;color:inherit;background:none;border:1px solid var(--st-border-color);"
  + "border-radius:var(--st-button-radius);min-height:44px;padding:0.25rem 0.75rem;cursor:pointer"
const NOTE = "margin:0.25rem 0 0;font-size:0.875rem;opacity:0.8"

async function stateOf({ known }) {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return "unsupported"
  if (Notification.permission === "denied") return "blocked"
  const subscription = await current()
  return subscription && known.includes(await hash(subscription.endpoint)) ? "on" : "off"
}

async function current() {
  const registration = await navigator.serviceWorker.getRegistration("/")
  return (await registration?.pushManager.getSubscription()) ?? null
}

async function switchOn({ key, words }) {
  if (await Notification.requestPermission() !== "granted") return words.blocked
  await navigator.serviceWorker.register(WORKER, { scope: "/" })
  const { pushManager } = await navigator.serviceWorker.ready
  // One that was made with an earlier key of this Homeroom takes nothing from the new one.
  const old = await pushManager.getSubscription()
  if (old && encoded(old.options.applicationServerKey) !== key) await old.unsubscribe()
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: decoded(key) })
  const answer = await tell("POST", made)
  return answer.ok ? "" : (await answer.json().catch(() => null))?.error?.message ?? words.failed
}

async function switchOff() {
  const subscription = await current()
  await tell("DELETE", { endpoint: subscription.endpoint })
  await subscription.unsubscribe()
}

const tell = (method, body) => fetch(ADDRESS, {
  method,
  headers: { ...pageHeaders(), "Content-Type": "application/json" },
  body: JSON.stringify(body),
  signal: AbortSignal.timeout(15_000),
})

async function hash(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map(byte => byte.toString(16).padStart(2, "0")).join("")
}

const decoded = key => Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), letter => letter.charCodeAt(0))
const encoded = buffer =>
  buffer ? btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") : ""
