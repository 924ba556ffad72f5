// Keeps the end of the answer in view for as long as the student looks at the end, and never moves them otherwise.
const NEAR = 8

/** Follow the end of the part of the page in which `host` scrolls; `moved()` after each change, `close()` in the end. */
export function followEnd(host, { isAtEnd }) {
  const area = scrollArea(host)
  let follows = isAtEnd || isNearEnd(area)
  let top = area.scrollTop
  const look = () => {
    // Content that shrinks moves the page as well, but then its end is in view.
    if (isNearEnd(area)) follows = true
    else if (area.scrollTop < top) follows = false
    top = area.scrollTop
  }
  area.addEventListener("scroll", look, { passive: true })
  return {
    moved() {
      if (!follows || isNearEnd(area, 0)) return
      area.scrollTo({ top: area.scrollHeight, behavior: "instant" })
      top = area.scrollTop
    },
    close: () => area.removeEventListener("scroll", look),
  }
}

const isNearEnd = (area, near = NEAR) => area.scrollHeight - area.clientHeight - area.scrollTop <= near

/** The part of the page in which an element scrolls. */
export function scrollArea(element) {
  for (let area = element.parentElement; area; area = area.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(area).overflowY) && area !== document.body) return area
  }
  return document.scrollingElement
}
