/** Whether a gateway says that something took too long: `Task timeout`, `timed out after 30 s`, `longer than 5 s`. */
export const saysTimeout = (text: string): boolean =>
  /\btimed out\b|\btimeout\b|\blonger than \d/i.test(text)
