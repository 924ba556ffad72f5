// Parts of Streamlit that it ships for its own use, loaded when they are needed; the page says where they are.

/** Import one of Streamlit's files. No other address is taken. */
export async function imported(address) {
  if (!/^\/static\/js\/[\w.-]+\.js$/.test(address ?? "")) throw new Error("Streamlit has no such file")
  return import(address)
}
