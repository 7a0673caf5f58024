import { encodedWords } from './encodedSpans.ts'
import { workFor } from './redactSecrets.ts'

/**
 * Calls `see` with a text and with everything that its parts decode to, in any nested encodings.
 *
 * @throws TooManyEncodings
 */
export function decodeNested(text: string, see: (text: string) => void): void {
  const work = workFor(text)
  const seen = new Set<string>()
  const look = (each: string) => {
    if (seen.has(each)) return
    seen.add(each)
    see(each)
    for (const { decoded } of encodedWords(each)) {
      work(decoded)
      look(decoded)
    }
  }
  look(text)
}
