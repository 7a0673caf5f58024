/** Length of the prefix that selects candidates. */
const prefixLength = 4
const prefixBuckets = 2 ** 16

const bucketOf = (text: string, at: number): number =>
  (((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)) * 31 +
    text.charCodeAt(at + 3)) %
  prefixBuckets

/** A test whether a text contains one of many others, in one pass for all: most contain none. */
export function containsAny(texts: readonly string[]): (text: string) => boolean {
  const short = texts.filter(({ length }) => length < prefixLength)
  const byPrefix = new Map<number, string[]>()
  for (const text of texts) {
    if (text.length < prefixLength) continue
    const bucket = bucketOf(text, 0)
    byPrefix.set(bucket, [...(byPrefix.get(bucket) ?? []), text])
  }
  const known = new Uint8Array(prefixBuckets)
  for (const bucket of byPrefix.keys()) known[bucket] = 1
  return (text) => {
    for (let at = 0; at <= text.length - prefixLength; at++) {
      const bucket = bucketOf(text, at)
      if (known[bucket] === 1 && byPrefix.get(bucket)!.some((each) => text.startsWith(each, at)))
        return true
    }
    return short.some((each) => text.includes(each))
  }
}
