import type { OperatorActivity } from 'polgate-protocol/control/operators.ts'
import type { Address, Data } from 'polgate-protocol/scalars.ts'
import type { DataRequest, Operator, SignRequest } from 'polgate-service/operators/operator.ts'

/** What the operators of a stack did for the latest tasks. */
export type OperatorStatistics = {
  readonly around: (operator: Operator) => Operator
  /**
   * @param weight the stake of an operator, by its address: the result with most stake is the one to
   *   agree with
   */
  of(operator: Address, weight: (operator: Address) => bigint): OperatorActivity
  clear(): void
}

const maxTasks = 500
/** Tasks that are listed one by one. */
const maxRecent = 60
/** Longest output that is shown. */
const longestOutput = 16 * 1024

type Signing = {
  /** Names its data: see `keyOfData`. */
  readonly data: string
  /** Unix milliseconds. */
  readonly at: number
  readonly asked: Set<Address>
  readonly results: Map<Address, Data>
  /** Durations of signatures, milliseconds. */
  readonly took: Map<Address, number>
}

/** @param now unix milliseconds of the stack */
export function createOperatorStatistics(now: () => number = Date.now): OperatorStatistics {
  const tasks = new Map<string, Signing>()
  const observers = new Map<string, Set<Address>>()
  const reported = new Map<Address, OperatorActivity['reported']>()

  function taskOf({ draft, referenceBlock }: SignRequest): Signing {
    const { policyClient, policyTaskData } = draft
    const data = keyOfData({ policyClient, referenceBlock, sources: policyTaskData.policyData })
    return kept(tasks, draft.taskId.toLowerCase(), {
      ...{ data, at: Math.trunc(now()), asked: new Set<Address>() },
      ...{ results: new Map<Address, Data>(), took: new Map<Address, number>() },
    })
  }

  return {
    around: (operator) => ({
      ...operator,
      async collectData(request, signal) {
        const answer = await operator.collectData(request, signal)
        const { address } = operator
        if (request.referenceBlock === undefined) return answer
        kept(observers, keyOfData(request), new Set<Address>()).add(address)
        const { outputs } = answer
        const isShown = outputs.every(({ length }) => length <= longestOutput)
        const { policyClient } = request
        reported.set(address, isShown ? { policyClient, at: now(), outputs: [...outputs] } : null)
        return answer
      },
      async sign(request, signal) {
        const begin = performance.now()
        const { asked, results, took } = taskOf(request)
        asked.add(operator.address)
        const answer = await operator.sign(request, signal)
        results.set(operator.address, answer.evaluationResult)
        took.set(operator.address, performance.now() - begin)
        return answer
      },
    }),
    of(operator, weight) {
      const all = [...tasks.values()]
        .filter(({ results }) => results.size > 0)
        .map(({ at, data, asked, results, took }): OperatorActivity['recent'][number] => {
          const own = results.get(operator)
          const ms = took.get(operator) ?? null
          if (own === decided(results, weight)) return { at, ms, outcome: 'agreed' }
          if (own !== undefined) return { at, ms, outcome: 'differed' }
          // Who reported data and was not asked to sign had its data left out.
          const isLeftOut = !asked.has(operator) && observers.get(data)?.has(operator) === true
          return { at, ms, outcome: isLeftOut ? 'differed' : 'missed' }
        })
      const count = (of: string) => all.filter(({ outcome }) => outcome === of).length
      const recent = all.slice(-maxRecent)
      return {
        recent,
        ...percentiles(recent.flatMap(({ ms }) => ms ?? [])),
        ...{ agreed: count('agreed'), differed: count('differed'), missed: count('missed') },
        reported: reported.get(operator) ?? null,
      }
    },
    clear() {
      for (const each of [tasks, observers, reported]) each.clear()
    },
  }
}

/** Data of a task has no id of its own: client, block and arguments tell it apart. */
const keyOfData = (request: {
  readonly policyClient: Address
  readonly referenceBlock?: number | undefined
  readonly sources: readonly Pick<
    DataRequest['sources'][number],
    'policyDataAddress' | 'wasmArgs'
  >[]
}): string =>
  JSON.stringify([
    request.policyClient,
    request.referenceBlock,
    request.sources.map(({ policyDataAddress, wasmArgs }) => [policyDataAddress, wasmArgs]),
  ]).toLowerCase()

/** The value of a key, set to `made` if it has none; the oldest entries make room. */
function kept<T>(entries: Map<string, T>, key: string, made: T): T {
  const found = entries.get(key)
  if (found !== undefined) return found
  entries.set(key, made)
  for (const oldest of entries.keys()) {
    if (entries.size <= maxTasks) break
    entries.delete(oldest)
  }
  return made
}

function decided(
  results: ReadonlyMap<Address, Data>,
  weight: (operator: Address) => bigint,
): Data | undefined {
  const stakes = new Map<Data, bigint>()
  for (const [operator, result] of results)
    stakes.set(result, (stakes.get(result) ?? 0n) + weight(operator))
  return [...stakes].reduce((most, each) => (each[1] > most[1] ? each : most))[0]
}

function percentiles(values: readonly number[]): Pick<OperatorActivity, 'p50' | 'p99'> {
  if (values.length === 0) return { p50: null, p99: null }
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
  return { p50: at(0.5), p99: at(0.99) }
}
