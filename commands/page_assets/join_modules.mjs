// Joins modules of Streamlit's page into one file: `node join_modules.mjs FOLDER OUTPUT NAME...`, the first name is run first.
// Prints {"name": [["exported", "its name in the joined file"], ...]} for each module.
import * as esbuild from "esbuild"
import fs from "node:fs"
import path from "node:path"

const [, , folder, output, ...names] = process.argv
const joined = new Set(names)
const place = name => path.join(folder, name)

const { metafile } = await esbuild.build({
  entryPoints: names.map(place), bundle: false, write: false, metafile: true, outdir: "unused", format: "esm",
})
const exported = Object.fromEntries(
  Object.values(metafile.outputs).map(({ entryPoint, exports }) => [path.basename(entryPoint), exports]),
)
const renamed = Object.fromEntries(names.map((name, at) => [name, exported[name].map(key => [key, `m${at}_${key}`])]))

const entry = names.map(name => {
  const list = renamed[name].map(([key, alias]) => `${key} as ${alias}`).join(", ")
  return `import "./${name}"\n` + (list ? `export { ${list} } from "./${name}"\n` : "")
})

// Vite's helper asks for a module's dependencies before it imports the module; the joined ones are there already.
const HELPER_BEGINS = "if(a&&a.length>0){"
const modules = {
  name: "modules",
  setup(build) {
    build.onResolve({ filter: /^\.\// }, ({ path: wanted }) =>
      joined.has(wanted.slice(2)) ? { path: place(wanted.slice(2)) } : { path: wanted, external: true })
    build.onLoad({ filter: /preload-helper/ }, args => {
      const parts = fs.readFileSync(args.path, "utf8").split(HELPER_BEGINS)
      if (parts.length !== 2) throw Error("Vite's preload helper has changed: look at it, then mend HELPER_BEGINS.")
      const known = `const joined=new Set(${JSON.stringify(names.map(name => `./${name}`))});`
      return { contents: `${known}${parts[0]}a=a&&a.filter(e=>!joined.has(e));${HELPER_BEGINS}${parts[1]}`, loader: "js" }
    })
  },
}

await esbuild.build({
  stdin: { contents: entry.join(""), resolveDir: folder, loader: "js" },
  bundle: true, format: "esm", minify: true, target: "es2022", charset: "utf8", legalComments: "eof",
  banner: { js: "/*! Modules of Streamlit (Apache-2.0, https://github.com/streamlit/streamlit), joined by `make assets` */" },
  outfile: output, plugins: [modules], logLevel: "error",
})
process.stdout.write(JSON.stringify(renamed))
