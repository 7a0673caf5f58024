/** Length of the prefix that selects candidates. */
const gram = 4
const buckets = 2 ** 16

const bucketOf = (text: string, at: number): number =>
  (((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)) * 31 +
    text.charCodeAt(at + 3)) %
  buckets

/**
 * A fast test whether a text can contain one of many others, in one pass for all: most inputs
 * contain none.
 */
export const mayContainSecret = (texts: readonly string[]): ((text: string) => boolean) => {
  const short = texts.filter(({ length }) => length < gram)
  const known = new Uint8Array(buckets)
  for (const text of texts) if (text.length >= gram) known[bucketOf(text, 0)] = 1
  return (text) => {
    for (let at = 0; at <= text.length - gram; at++)
      if (known[bucketOf(text, at)] === 1) return true
    return short.some((each) => text.includes(each))
  }
}
