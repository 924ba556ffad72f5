// Pages of the reader, fetched once and kept for a moment, so that leafing back is instant and what was locked since is gone soon.
const HEADERS = { "X-Requested-With": "homeroom", "Content-Type": "application/json" }
const KEPT_MS = 60_000
const MOST_KEPT = 24
const TIMEOUT_MS = 65_000

const pages = new Map()
const pictures = new Map()

/** Resolves to { page } or to { message, status } with the server's sentence, and { title, url, url_label } where known. */
export const loadPage = (asked, signal) => kept(pages, asked, signal, "/live/reader/page", async response => ({ page: await response.json() }))

/** Resolves to { address, markTop } of the picture, or to { message, status }. */
export const loadPicture = (asked, signal) => kept(pictures, asked, signal, "/live/reader/picture", async response => {
  const top = response.headers.get("x-mark-top")
  return { address: URL.createObjectURL(await response.blob()), markTop: top === null ? null : Number(top) }
})

async function kept(store, asked, signal, path, read) {
  const body = JSON.stringify({ material: asked.material, page: asked.page, passage: asked.passage })
  const before = store.get(body)
  if (before && Date.now() - before.at < KEPT_MS) return before.loading
  const loading = load(path, body, read)
  forget(store, body)
  store.set(body, { at: Date.now(), loading })
  // What failed is asked for again.
  loading.then(({ status }) => { if (status !== undefined && store.get(body)?.loading === loading) store.delete(body) })
  for (const [oldest] of [...store].slice(0, Math.max(0, store.size - MOST_KEPT))) forget(store, oldest)
  return loading
}

function forget(store, body) {
  const before = store.get(body)
  store.delete(body)
  before?.loading.then(({ address }) => { if (address) setTimeout(() => URL.revokeObjectURL(address), KEPT_MS) })
}

async function load(path, body, read) {
  try {
    const response = await fetch(path, { method: "POST", headers: HEADERS, body, signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (response.ok) return await read(response)
    const told = await response.json().catch(() => null)
    return { message: "", ...told?.error, status: response.status }
  } catch {
    return { status: 0, message: "" }
  }
}
