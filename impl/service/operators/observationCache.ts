import type { Data } from 'polgate-protocol/scalars.ts'
import { isSameObservation } from './observationTolerance.ts'
import type { SignRequest } from './operator.ts'

type Observed = { readonly policyClient: string; readonly referenceBlock: number } & {
  readonly sources: readonly { readonly policyDataAddress: string; readonly wasmArgs: Data }[]
}

export type ObservationCache = {
  remember(request: Observed, outputs: readonly string[]): void
  /** Whether this operator observed such data for such a task. */
  confirms(request: SignRequest): boolean
}

/**
 * The outputs of an operator's oracle runs, for the lifetime of tasks. The operator signs only data
 * that it observed, within what settling may change (decision T8), and under the same arguments.
 */
export function createObservationCache(most = 2_000): ObservationCache {
  const seen = new Map<string, (readonly string[])[]>()
  /** Several tasks may have the same client, block and arguments. */
  const maxPerKey = 64

  return {
    remember(request, outputs) {
      const key = keyOf(request)
      const observations = [...(seen.get(key) ?? []), outputs].slice(-maxPerKey)
      seen.delete(key)
      seen.set(key, observations)
      for (const old of seen.keys()) {
        if (seen.size <= most) break
        seen.delete(old)
      }
    },
    confirms({ draft, evaluation, referenceBlock }) {
      const { policyClient, policyTaskData } = draft
      const sources = policyTaskData.policyData
      if (sources.length === 0) return true
      const observations = seen.get(keyOf({ policyClient, referenceBlock, sources })) ?? []
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
