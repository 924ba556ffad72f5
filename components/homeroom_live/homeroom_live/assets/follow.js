export function mountAnswer() {}
