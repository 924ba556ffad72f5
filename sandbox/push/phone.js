// The page of pretend phones: it does what a browser does that was asked to take notifications.
"use strict"

document.getElementById("phone").addEventListener("submit", async event => {
  event.preventDefault()
  const told = document.getElementById("told")
  const made = await (await fetch("devices", { method: "POST" })).json()
  const answer = await fetch("/push/subscriptions", {
    method: "POST",
    headers: { "content-type": "application/json", "x-requested-with": "homeroom" },
    body: JSON.stringify(made),
  })
  if (answer.ok) {
    told.textContent = `${made.name} takes Homeroom's notifications. Switch them on in Settings, under Reminders.`
  } else if (answer.status === 401) {
    told.textContent = "Sign in to Homeroom in this browser first."
  } else {
    told.textContent = `Homeroom answered ${answer.status}.`
  }
})
