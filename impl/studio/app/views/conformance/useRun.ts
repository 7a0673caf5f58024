import type {
  ConformanceEvents,
  ConformanceResult,
  ConformanceRun,
} from 'polgate-protocol/control/conformance.ts'
import { useRef } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { usePolled } from '../../data/usePolled.ts'

const everyMs = 1_000

export type FollowedRun = {
  readonly run: ConformanceRun
  readonly results: readonly ConformanceResult[]
}

/** A run and its results, which are read as they come: only what is new each time. */
export function useRun(id: string) {
  const known = useRef<{ readonly id: string; readonly results: ConformanceResult[] }>({
    ...{ id, results: [] },
  })
  const ended = useRef<FollowedRun | undefined>(undefined)
  return usePolled<FollowedRun>(
    async (signal) => {
      if (known.current.id !== id) {
        known.current = { id, results: [] }
        ended.current = undefined
      }
      if (ended.current !== undefined) return ended.current
      const { results } = known.current
      for (;;) {
        const path = `/conformance/runs/${encodeURIComponent(id)}/events?after=${results.length}`
        const answer = await control.get<ConformanceEvents>(path, signal)
        results.push(...answer.results)
        if (answer.results.length > 0) continue
        const followed = { run: answer.run, results: [...results] }
        if (answer.run.state !== 'running') ended.current = followed
        return followed
      }
    },
    everyMs,
    [id],
  )
}
