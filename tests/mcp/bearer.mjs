// Preloaded into the inspector, whose command line has no way to send a header: every request carries MCP_KEY.
const plainFetch = globalThis.fetch;

globalThis.fetch = (url, options = {}) => {
  const headers = new Headers(options.headers);
  headers.set("authorization", `Bearer ${process.env.MCP_KEY}`);
  return plainFetch(url, { ...options, headers });
};
