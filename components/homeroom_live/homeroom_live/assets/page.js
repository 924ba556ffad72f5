// What the page's address and the elements that the page's script drew say.

/** Mark of the student whom the page was drawn for, "" before it was. */
export const owner = () => document.getElementsByClassName("spoken")[0]?.dataset.of ?? ""

/** Headers of what the page asks for its student: refused where another account has signed in meanwhile. */
export const pageHeaders = (of = owner()) => ({ "X-Requested-With": "homeroom", "X-Page-Owner": of })

/** Seconds of the header `Retry-After` of an answer, which may be a date (RFC 9110, 10.2.3); 0 where it says nothing. */
export function retryAfterS(headers) {
  const written = headers.get("retry-after") ?? ""
  const seconds = Number(written)
  const wait = Number.isNaN(seconds) ? (Date.parse(written) - Date.now()) / 1_000 : seconds
  return Number.isFinite(wait) ? Math.max(0, wait) : 0
}

export const requestedChat = () => new URLSearchParams(location.search).get("c") ?? ""

/** Take the address of a chat that has just begun; Streamlit reads it with the next run (`getQueryString` in its index.js, 1.67). */
export const openChat = id => history.pushState({}, "", `/?c=${id}`)

const EXCHANGE = /\bst-key-exchange-(\d+)\b/

/** Elements of the drawn exchanges, each one question and its answer, as [number of the question, element]. */
export const exchanges = () =>
  [...document.querySelectorAll("[class*=st-key-exchange-]")].map(one => [Number(EXCHANGE.exec(one.className)[1]), one])
