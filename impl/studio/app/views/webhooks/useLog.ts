import { useRef } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { type Polled, usePolled } from '../../data/usePolled.ts'
import { joined, type LogPart } from './joined.ts'

/**
 * Follows a log of the control API: reads only what is new, and keeps the latest 1,000 entries.
 *
 * @param path a route that takes `after`
 * @param entriesOf the entries of its answer
 */
export function useLog<
  Answer extends { readonly latest: number },
  Entry extends { readonly seq: number },
>(
  path: string,
  entriesOf: (answer: Answer) => readonly Entry[],
): Polled<{ readonly answer: Answer; readonly entries: readonly Entry[] }> {
  const known = useRef<LogPart<Entry>>({ latest: 0, entries: [] })
  return usePolled(async (signal) => {
    const read = (after: number) => control.get<Answer>(`${path}?after=${after}`, signal)
    let answer = await read(known.current.latest)
    // A stack that was started anew counts from 1 again.
    if (answer.latest < known.current.latest) {
      known.current = { latest: 0, entries: [] }
      answer = await read(0)
    }
    known.current = joined(known.current, { latest: answer.latest, entries: entriesOf(answer) })
    return { answer, entries: known.current.entries }
  }, 1_000)
}
