import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { reportRead } from './connection.ts'

export type Polled<T> = {
  readonly value: T | undefined
  /** Of the last read; `value` is then of an earlier one. */
  readonly error: Error | undefined
  /** Reads now. */
  readonly refresh: () => void
}

/** After the first failed read, milliseconds; after each further one twice as long. */
const retryMs = 1_000

/**
 * Reads now and at an interval, one read at a time, and not while the page is hidden. After an error
 * the last value stays, the shell shows that it is behind, and the next read comes sooner.
 *
 * @param inputs values that `read` depends on; when they change, the value is dropped and read again
 */
export function usePolled<T>(
  read: (signal: AbortSignal) => Promise<T>,
  everyMs: number,
  inputs: readonly unknown[] = [],
): Polled<T> {
  const [state, setState] = useState<Omit<Polled<T>, 'refresh'>>({
    value: undefined,
    error: undefined,
  })
  const current = useRef(read)
  current.current = read
  const now = useRef(() => {})

  useEffect(() => {
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let reading = false
    let again = false
    let failures = 0
    setState({ value: undefined, error: undefined })
    const run = async () => {
      clearTimeout(timer)
      if (reading) {
        again = true
        return
      }
      reading = true
      try {
        const value = await current.current(leaving.signal)
        if (!leaving.signal.aborted) setState({ value, error: undefined })
        failures = 0
        reportRead(true)
      } catch (error) {
        if (leaving.signal.aborted) return
        setState(({ value }) => ({ value, error: error as Error }))
        failures += 1
        reportRead(false)
      } finally {
        reading = false
      }
      if (leaving.signal.aborted) return
      const ms = failures === 0 ? everyMs : Math.min(everyMs, retryMs * 2 ** (failures - 1))
      timer = setTimeout(run, again ? 0 : document.hidden ? everyMs * 10 : ms)
      again = false
    }
    now.current = () => void run()
    const shown = () => {
      if (!document.hidden) void run()
    }
    document.addEventListener('visibilitychange', shown)
    void run()
    return () => {
      leaving.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', shown)
    }
  }, [everyMs, ...inputs])

  const refresh = useCallback(() => now.current(), [])
  return { ...state, refresh }
}
