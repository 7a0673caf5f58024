import type { Hex } from 'viem'
import { decodeCall, decodeLog, type Log } from './decode.ts'

/** Gas of the steps of a task on chain; undefined for a step that it has not, or not found. */
export type TaskGas = {
  readonly taskId: string
  readonly create?: number
  readonly respond?: number
  /** Its share of the remaining gas of the transaction that posted it: calldata and the multicall. */
  readonly shared?: number
  readonly spend?: number
  readonly total: number
  /** Tasks that were posted in the same transaction, this one included. */
  readonly postedWith: number
}

/** A call within a transaction, as the `callTracer` of a node returns it. */
export type Trace = {
  readonly input?: Hex
  readonly gasUsed?: Hex
  readonly calls?: readonly Trace[]
}

export type Posted = {
  readonly gasUsed: Hex
  /** Absent where the node traces nothing. */
  readonly trace?: Trace | undefined
}

const steps: Readonly<Record<string, 'post' | 'spend'>> = {
  NewTaskCreated: 'post',
  TaskResponded: 'post',
  AttestationSpent: 'spend',
}

/** The events of the task manager that are steps of tasks. */
const stepsOf = (logs: readonly Log[]) =>
  logs.flatMap((log) => {
    const decoded = decodeLog(log)
    const step = decoded === undefined ? undefined : steps[decoded.name]
    if (decoded === undefined || step === undefined) return []
    return [{ ...log, step, taskId: String(decoded.args.taskId).toLowerCase() }]
  })

/** The transactions of the latest tasks, by hash. */
export const transactionsOf = (logs: readonly Log[], tasks: ReadonlySet<string>): Hex[] => [
  ...new Set(
    stepsOf(logs)
      .filter(({ taskId }) => tasks.has(taskId))
      .map(({ transactionHash }) => transactionHash),
  ),
]

/** The ids of the tasks with the latest events, newest first. */
export const latestTasks = (logs: readonly Log[], most: number): string[] =>
  [...new Set([...stepsOf(logs)].reverse().map(({ taskId }) => taskId))].slice(0, most)

/**
 * Gas by step. Where several tasks are posted in one transaction, a trace tells their calls apart;
 * without one, each has an equal share of the transaction.
 */
export function gasSteps(
  logs: readonly Log[],
  tasks: readonly string[],
  transactions: ReadonlyMap<Hex, Posted>,
): TaskGas[] {
  const all = stepsOf(logs)
  return tasks.map((taskId) => {
    const own = all.filter((each) => each.taskId === taskId)
    const hashes = [
      ...new Set(own.filter(({ step }) => step === 'post').map((each) => each.transactionHash)),
    ]
    let create: number | undefined
    let respond: number | undefined
    let shared: number | undefined
    let postedWith = 0
    for (const hash of hashes) {
      const transaction = transactions.get(hash)
      if (transaction === undefined) continue
      const others = new Set(
        all.filter((each) => each.transactionHash === hash).map((each) => each.taskId),
      )
      postedWith = Math.max(postedWith, others.size)
      const calls = callsOf(transaction.trace)
      const mine = calls.filter((call) => call.taskId === taskId)
      for (const { name, gas } of mine) {
        if (name === 'createNewTask') create = (create ?? 0) + gas
        else respond = (respond ?? 0) + gas
      }
      const rest = Number(transaction.gasUsed) - calls.reduce((sum, { gas }) => sum + gas, 0)
      shared = (shared ?? 0) + Math.round(rest / others.size)
    }
    const spending = own.find(({ step }) => step === 'spend')
    const spend = spending && transactions.get(spending.transactionHash)?.gasUsed
    const spent = spend === undefined ? undefined : Number(spend)
    return {
      ...{ taskId, postedWith },
      ...(create === undefined ? {} : { create }),
      ...(respond === undefined ? {} : { respond }),
      ...(shared === undefined ? {} : { shared }),
      ...(spent === undefined ? {} : { spend: spent }),
      total: (create ?? 0) + (respond ?? 0) + (shared ?? 0) + (spent ?? 0),
    }
  })
}

type Call = { readonly name: string; readonly taskId: string; readonly gas: number }

/** The calls within a transaction that create a task or respond to one. */
function callsOf(trace: Trace | undefined): Call[] {
  if (trace === undefined) return []
  const decoded = trace.input === undefined ? undefined : decodeCall(trace.input)
  if (decoded?.name === 'createNewTask' || decoded?.name === 'respondToTask') {
    const [task] = Object.values(decoded.args) as [{ taskId: string }]
    const { name } = decoded
    return [{ name, taskId: task.taskId.toLowerCase(), gas: Number(trace.gasUsed ?? 0) }]
  }
  return (trace.calls ?? []).flatMap(callsOf)
}

/** The middle of some values; undefined of none. */
export function medianOf(values: readonly (number | undefined)[]): number | undefined {
  const sorted = values.filter((each) => each !== undefined).sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)]
}
