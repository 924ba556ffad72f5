// `answer.js`, which the page does not need before the first message: it is loaded when the browser has nothing else to do.
let loading = null

/** Load it now, if that has not happened yet. */
function load() {
  loading ??= import("./answer.js").catch(error => {
    loading = null
    throw error
  })
  return loading
}
const whenIdle = window.requestIdleCallback ?? (call => setTimeout(call, 1000))
whenIdle(() => load().catch(() => {}))

/** `createAnswer` of answer.js; events that come before it are kept for it. */
export function createAnswer(host, options) {
  const waiting = []
  let answer = null, isGone = false
  const begin = () => load().then(module => {
    if (isGone || answer) return
    answer = module.createAnswer(host, options)
    for (const event of waiting.splice(0)) answer.apply(...event)
  }, () => {})
  begin()
  return {
    apply(name, data) {
      if (answer) return answer.apply(name, data)
      waiting.push([name, data])
      begin()
      return true
    },
    remove() {
      isGone = true
      answer?.remove()
    },
  }
}
