// Service worker of Homeroom: shows notifications and opens the page that they lead to. It handles no other request.
"use strict"

self.addEventListener("install", () => self.skipWaiting())
self.addEventListener("activate", event => event.waitUntil(self.clients.claim()))

self.addEventListener("push", event => {
  let told = {}
  try {
    told = event.data ? event.data.json() : {}
  } catch {
    // A browser takes the right to notify away from a site that shows nothing, so something is shown.
  }
  const { title = "Homeroom", body = "", tag = "homeroom", path = "/", lang = "en" } = told
  event.waitUntil(self.registration.showNotification(title, { body, tag, lang, data: { path } }))
})

self.addEventListener("notificationclick", event => {
  event.notification.close()
  const { origin } = self.location
  const asked = new URL(event.notification.data?.path ?? "/", origin)
  const address = asked.origin === origin ? asked.href : `${origin}/`
  event.waitUntil((async () => {
    const pages = await self.clients.matchAll({ type: "window" })
    const open = pages.find(page => page.url === address)
    return open ? open.focus() : self.clients.openWindow(address)
  })())
})

self.addEventListener("pushsubscriptionchange", event => {
  const key = event.oldSubscription?.options.applicationServerKey
  if (!key) return
  event.waitUntil((async () => {
    const renewed = event.newSubscription
      ?? await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
    await fetch("/push/subscriptions", {
      method: "POST",
      headers: { "content-type": "application/json", "x-requested-with": "homeroom" },
      body: JSON.stringify(renewed),
    })
  })())
})
