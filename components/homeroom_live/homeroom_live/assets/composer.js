export function mountComposer() {}
