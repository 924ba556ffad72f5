// What a school's page does for the tools that it shows: keeps values for them, and closes what they close.
const does = document.currentScript.dataset.does
const reply = (event, more) => {
  const { subject, message_id } = event.data
  event.source.postMessage({ subject: `${subject}.response`, message_id, ...more }, event.origin)
}

const keep = event => {
  const { subject, key, value } = event.data ?? {}
  const place = `${event.origin} ${key}`
  if (subject === "lti.capabilities") {
    const supported = ["lti.capabilities", "lti.put_data", "lti.get_data", "org.imsglobal.lti.close"]
    reply(event, { supported_messages: supported.map(name => ({ subject: name })) })
  }
  if (subject === "lti.put_data") {
    sessionStorage.setItem(place, value)
    reply(event, { key, value })
  }
  if (subject === "lti.get_data") reply(event, { key, value: sessionStorage.getItem(place) })
}

if (does === "submit") document.getElementById("on").submit()
if (does === "keep") addEventListener("message", keep)
if (does === "leave") parent.location.assign(document.querySelector("a.back").href)
if (does === "close") {
  addEventListener("message", event => {
    if (event.data?.subject === "org.imsglobal.lti.close") location.assign(document.body.querySelector("a.back").href)
  })
}
