import { noAnswer } from './snapshotError.ts'

/**
 * Streams the bytes in the response to `anvil_dumpState`: with the states of past blocks it can
 * exceed the maximum length of a string.
 *
 * @throws SnapshotError `source` for an invalid response
 */
export async function* readDumpedState(response: Response): AsyncGenerator<Uint8Array> {
  let head = ''
  let started = false
  let ended = false
  /** The first half of a byte whose second digit has not arrived. */
  let half = ''
  for await (const piece of response.body ?? []) {
    let text = Buffer.from(piece).toString('latin1')
    if (!started) {
      head += text
      const begin = /"result"\s*:\s*"0x/.exec(head)
      if (begin === null) {
        if (head.length > 4_096) break
        continue
      }
      started = true
      text = head.slice(begin.index + begin[0].length)
    }
    if (ended) continue
    const end = text.indexOf('"')
    if (end >= 0) ended = true
    const digits = half + (end >= 0 ? text.slice(0, end) : text)
    const whole = digits.length - (digits.length % 2)
    half = digits.slice(whole)
    const bytes = Buffer.from(digits.slice(0, whole), 'hex')
    if (bytes.length * 2 !== whole) throw noAnswer('its state is not hex')
    if (bytes.length > 0) yield bytes
  }
  if (!started) throw noAnswer(`unexpected response ${head.slice(0, 120)}`)
  if (!ended || half !== '') throw noAnswer('its state is truncated')
}
