// Entry of the component, which the page "This week" mounts. Streamlit calls it when it is mounted and whenever its data change.
import { WeekCalendar } from "./week_calendar.js"

const styles = Promise.all(["fullcalendar.css", "calendar.css"].map(name => new Promise(resolve => {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL(name, import.meta.url).href })
  link.onload = link.onerror = resolve
  document.head.append(link)
})))

export default async function (component) {
  await styles
  const place = component.parentElement
  place.weekCalendar ??= new WeekCalendar(place)
  place.weekCalendar.update(component)
  return () => {
    place.weekCalendar?.remove()
    delete place.weekCalendar
  }
}
