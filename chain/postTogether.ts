import {
  type Address,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  isAddressEqual,
  type TransactionReceipt,
  toEventSelector,
} from 'viem'
import { taskManagerAbi as abi } from './artifacts/abis.ts'
import { decodeCustomError, describeError } from './customErrors.ts'
import { ChainWriteError } from './errors.ts'
import { gasBound, maxTransactionGas, type OnChainAnswer } from './tasks.ts'
import type { Transactor } from './transactor.ts'
import { writeFailure } from './writeFailure.ts'

/**
 * How posting a result ended. `rejected`: a simulation found that the contract rejects it, and nothing
 * was sent. `burnt`: the simulation accepted it and the transaction did not, for which only the
 * PolicyData contracts of the result can be the reason: everything else that is verified belongs to a
 * past block. Otherwise another process may have posted the result at the same time.
 */
export type PostingEnd =
  | { readonly kind: 'posted' }
  | { readonly kind: 'burnt' }
  | { readonly kind: 'rejected'; readonly reason: ChainWriteError; readonly outOfGas: boolean }

/** By task id. */
export type PostingEnds = ReadonlyMap<Hex, PostingEnd>

const taskResponded = toEventSelector(getAbiItem({ abi, name: 'TaskResponded' }))

/** Gas of a transaction and of each call, without the calls and their data. */
const transactionGas = 60_000n
const callGas = 20_000n
/** What a byte of calldata costs at most. */
const byteGas = 16n

type Call = { readonly data: Hex; readonly limit: bigint }
type Calls = { readonly answer: OnChainAnswer; readonly create: Call; readonly respond: Call }

/** Posting alone has a multiple of the usual gas: no other result shares it. */
function callsOf(answer: OnChainAnswer, times: bigint): Calls {
  const { task, response, signatureData } = answer
  const bound = gasBound(answer)
  const respond = (times * bound * 65n) / 100n
  return {
    answer,
    create: {
      data: encodeFunctionData({ abi, functionName: 'createNewTask', args: [task] }),
      limit: (bound * 15n) / 100n,
    },
    respond: {
      data: encodeFunctionData({
        abi,
        functionName: 'respondToTask',
        args: [task, response, signatureData],
      }),
      limit: respond,
    },
  }
}

/** Enough for all calls, even if each uses its limit. */
const gasOf = (calls: readonly Call[]): bigint =>
  calls.reduce(
    (sum, { data, limit }) =>
      sum + limit + limit / 60n + callGas + byteGas * BigInt(data.length / 2),
    transactionGas,
  )

/**
 * Posts tasks and their responses in one transaction. What the contract rejects is left out. Each
 * result has its own gas: one whose PolicyData burns gas fails alone.
 *
 * A task manager of an earlier version cannot limit the gas of a result; there only results with the
 * same PolicyData contracts share a transaction.
 *
 * @throws ChainWriteError, also for a task manager without `multicall`
 */
export async function postTogether(
  transactor: Transactor,
  taskManager: Address,
  answers: readonly OnChainAnswer[],
): Promise<PostingEnds> {
  const times = answers.length === 1 ? 2n : 1n
  const calls = answers.map((answer) => callsOf(answer, times))
  if (answers.length > 1 && gasOf(allOf(calls)) > maxTransactionGas) {
    const half = Math.ceil(answers.length / 2)
    return merged([
      await postTogether(transactor, taskManager, answers.slice(0, half)),
      await postTogether(transactor, taskManager, answers.slice(half)),
    ])
  }
  try {
    return await postCalls(bounded(transactor, taskManager), calls)
  } catch (error) {
    // The contract does not have the function.
    if (!isWithoutReason(error)) throw error
  }
  const groups = groupsOf(calls)
  const ends: PostingEnds[] = []
  for (const group of groups) ends.push(await postCalls(unbounded(transactor, taskManager), group))
  return merged(ends)
}

/** A function of the task manager that makes several calls. */
type Multicall = {
  readonly taskManager: Address
  simulate(calls: readonly Call[]): Promise<readonly Hex[]>
  write(calls: readonly Call[]): Promise<TransactionReceipt>
}

function bounded(transactor: Transactor, taskManager: Address): Multicall {
  const call = (calls: readonly Call[]) => {
    const functionName = 'boundedMulticall' as const
    const args = [calls.map(({ data }) => data), calls.map(({ limit }) => limit)] as const
    return { address: taskManager, abi, functionName, args, gas: gasOf(calls) }
  }
  return {
    taskManager,
    simulate: (calls) => transactor.simulate(call(calls)),
    write: (calls) => transactor.write({ ...call(calls), isSimulated: true }),
  }
}

function unbounded(transactor: Transactor, taskManager: Address): Multicall {
  const call = (calls: readonly Call[]) => {
    const functionName = 'multicall' as const
    const args = [calls.map(({ data }) => data)] as const
    return { address: taskManager, abi, functionName, args, gas: gasOf(calls) }
  }
  return {
    taskManager,
    simulate: (calls) => transactor.simulate(call(calls)),
    write: (calls) => transactor.write({ ...call(calls), isSimulated: true }),
  }
}

async function postCalls(multicall: Multicall, calls: readonly Calls[]): Promise<PostingEnds> {
  const failures = await multicall.simulate(allOf(calls))
  const ends = new Map<Hex, PostingEnd>()
  const accepted: Call[] = []
  calls.forEach(({ answer, create, respond }, at) => {
    const [creation = '0x', response = '0x'] = failures.slice(2 * at)
    if (response === '0x') {
      // A task that exists already may still lack its response.
      accepted.push(...(creation === '0x' ? [create, respond] : [respond]))
      ends.set(answer.task.taskId, { kind: 'burnt' })
    } else ends.set(answer.task.taskId, rejected(creation, response))
  })
  if (accepted.length === 0) return ends
  for (const taskId of await responded(multicall, accepted)) ends.set(taskId, { kind: 'posted' })
  return ends
}

/** Ids of the tasks to which a transaction responded; none if it had not enough gas. */
async function responded(multicall: Multicall, calls: readonly Call[]): Promise<readonly Hex[]> {
  const { taskManager } = multicall
  try {
    const { logs } = await multicall.write(calls)
    return logs
      .filter(
        ({ address, topics }) =>
          topics[0] === taskResponded && isAddressEqual(address, taskManager),
      )
      .flatMap(({ topics }) => topics[1] ?? [])
  } catch (error) {
    if (isWithoutReason(error)) return []
    throw error
  }
}

function rejected(creation: Hex, response: Hex): PostingEnd {
  const created =
    creation === '0x' || decodeCustomError(creation)?.errorName === 'TaskAlreadyCreated'
  const failure = created ? response : creation
  const error = decodeCustomError(failure)
  const why =
    error === undefined ? 'it reverts without a reason of this contract' : describeError(error)
  const reason = new ChainWriteError(`respondToTask: ${why}`, error?.errorName, {
    code: 'reverted',
    hint: writeFailure('reverted', why).hint,
  })
  return { kind: 'rejected', reason, outOfGas: failure === '0x00' }
}

const isWithoutReason = (error: unknown): boolean =>
  error instanceof ChainWriteError && error.code === 'reverted' && error.errorName === undefined

/** Results by their PolicyData contracts. */
function groupsOf(calls: readonly Calls[]): readonly (readonly Calls[])[] {
  const groups = new Map<string, Calls[]>()
  for (const each of calls) {
    const name = policyDataOf(each.answer).join()
    groups.set(name, [...(groups.get(name) ?? []), each])
  }
  return [...groups.values()]
}

/** The PolicyData contracts that verify data of a result, in order, each once. */
export const policyDataOf = ({ response }: Pick<OnChainAnswer, 'response'>): readonly string[] =>
  [
    ...new Set(
      response.policyTaskData.policyData.map((each) => each.policyDataAddress.toLowerCase()),
    ),
  ].sort()

const allOf = (calls: readonly Calls[]): readonly Call[] =>
  calls.flatMap(({ create, respond }) => [create, respond])

const merged = (ends: readonly PostingEnds[]): PostingEnds =>
  new Map(ends.flatMap((each) => [...each]))
