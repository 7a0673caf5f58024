import { isSameObservation } from './observationTolerance.ts'
import type { DataRequest, DataSource, SignRequest } from './operator.ts'

type Observed = Pick<DataRequest, 'policyClient' | 'requester'> & {
  readonly referenceBlock: number
  readonly sources: readonly Pick<DataSource, 'policyDataAddress' | 'wasmArgs'>[]
}

export type ObservationCache = {
  remember(request: Observed, outputs: readonly string[]): void
  /** Whether this operator observed such data for such a task. */
  confirms(request: SignRequest): boolean
}

/** What was observed for one requester, oldest first. */
type Observations = Map<string, (readonly string[])[]>

/**
 * The outputs of an operator's oracle runs, for the lifetime of tasks. The operator signs only data
 * that it observed, within what settling may change (decision T8), and under the same arguments.
 *
 * Each requester has observations of its own, and the one with most of them loses its oldest: tasks of
 * others cannot displace what a task needs to be signed.
 */
export function createObservationCache(most = 2_000): ObservationCache {
  const seen = new Map<string, Observations>()
  /** Several tasks of a requester may have the same client, block and arguments. */
  const maxPerKey = 64
  let size = 0

  function dropOldest(): void {
    const [requester, largest] = [...seen].reduce((a, b) => (b[1].size > a[1].size ? b : a))
    const [oldest] = largest.keys()
    largest.delete(oldest!)
    size -= 1
    if (largest.size === 0) seen.delete(requester)
  }

  return {
    remember(request, outputs) {
      const requester = request.requester ?? ''
      const own: Observations = seen.get(requester) ?? new Map()
      const key = keyOf(request)
      const observations = [...(own.get(key) ?? []), outputs].slice(-maxPerKey)
      if (!own.delete(key)) size += 1
      own.set(key, observations)
      seen.set(requester, own)
      if (size > most) dropOldest()
    },
    confirms({ draft, evaluation, referenceBlock, requester = '' }) {
      const { policyClient, policyTaskData } = draft
      const sources = policyTaskData.policyData
      if (sources.length === 0) return true
      const key = keyOf({ policyClient, referenceBlock, sources })
      const observations = seen.get(requester)?.get(key) ?? []
      return observations.some(
        (outputs) =>
          outputs.length === evaluation.data.length &&
          outputs.every((own, at) => isSameObservation(own, evaluation.data[at]!)),
      )
    },
  }
}

const keyOf = ({ policyClient, referenceBlock, sources }: Observed): string =>
  JSON.stringify([
    policyClient,
    referenceBlock,
    ...sources.map(({ policyDataAddress, wasmArgs }) => [policyDataAddress, wasmArgs]),
  ]).toLowerCase()
