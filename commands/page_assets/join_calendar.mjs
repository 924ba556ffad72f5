// Joins the parts of FullCalendar that the week needs into one module: `node join_calendar.mjs OUTPUT`, and its style beside it.
import * as esbuild from "esbuild"
import fs from "node:fs"
import path from "node:path"

const [, , output] = process.argv
const PARTS = { fullcalendar: "LICENSE.md", preact: "LICENSE", "temporal-polyfill": "LICENSE" }
const read = (part, name) => fs.readFileSync(path.join("node_modules", part, name), "utf8")
const parts = Object.entries(PARTS).map(([part, file]) => {
  const { version, license } = JSON.parse(read(part, "package.json"))
  const text = read(part, file)
  return { line: `${part} ${version} (${license}) ${text.match(/Copyright .*/i)[0]}`, text }
})
const MIT = parts[0].text.slice(parts[0].text.indexOf("Permission is")).trim()

await esbuild.build({
  stdin: {
    contents: `export { Calendar } from "fullcalendar"
      export { default as timeGrid } from "fullcalendar/timegrid"
      export { default as interaction } from "fullcalendar/interaction"`,
    resolveDir: ".", loader: "js",
  },
  bundle: true, format: "esm", minify: true, target: "es2022", charset: "utf8", legalComments: "none",
  banner: { js: `/*! Joined by \`make assets\` from\n${parts.map(part => part.line).join("\n")}\n\n${MIT}\n*/` },
  outfile: output, logLevel: "error",
})
const style = await esbuild.transform(read("fullcalendar", "skeleton.css"), { loader: "css", minify: true })
fs.writeFileSync(output.replace(/\.js$/, ".css"), `/*! ${parts[0].line}; joined by \`make assets\` */\n${style.code}`)
