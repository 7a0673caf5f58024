import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { parseExact, stringifyExact } from 'polgate-protocol/exactJson.ts'
import type { TaskIntent } from 'polgate-protocol/intent.ts'
import type { CreateTaskParams } from 'polgate-protocol/methods/createTask.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import { invalidFormat, ServiceError } from 'polgate-protocol/serviceError.ts'
import { parseIntent } from 'polgate-service/intents/intent.ts'
import { parsedIntent } from 'polgate-service/intents/policyInput.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { Admission, AdmitOptions } from 'polgate-service/store/tasks.ts'
import type { TaskChain } from 'polgate-service/tasks/taskChain.ts'
import { evaluator, method } from '../mutants/parts.ts'
import { taking } from '../mutants/taskServiceFaults.ts'
import {
  changedAnswer,
  changedError,
  changedMember,
  changedResult,
  type Json,
  wrapListener,
} from '../mutants/wrappedListeners.ts'
import { taskContractVariants } from './taskContracts.ts'
import { taskResultVariants } from './taskResults.ts'
import { composedParts, type Variant } from './variant.ts'

/** Other choices for tasks and their simulation (sections 2 to 4 and 7.5). */

const unmarked = () => undefined

type WithIntent = { readonly intent: TaskIntent }

/** Refuses intents as invalid, in every method that takes one. */
function refusingIntents(problem: (intent: TaskIntent) => string | undefined): ServiceParts {
  const refuse = ({ intent }: WithIntent) => {
    const why = problem(intent)
    if (why !== undefined) throw invalidFormat(`intent.${why}`)
  }
  return composedParts([
    method('createTask', async (params, caller, pass) => {
      refuse(params)
      return pass(params, caller)
    }),
    method('sendTask', async (params, caller, pass) => {
      refuse(params)
      return pass(params, caller)
    }),
    method('simulateTask', async (params, caller, pass) => {
      refuse(params)
      return pass(params, caller)
    }),
    method('simulatePolicy', async (params, caller, pass) => {
      refuse(params)
      return pass(params, caller)
    }),
  ])
}

const isUndecodable = (intent: TaskIntent) =>
  intent.data !== '0x' && parsedIntent(parseIntent(intent)).function === null

/** The chain that the gateway reads, and parts that use it. */
function withChain(make: (chain: () => TaskChain) => ServiceParts): ServiceParts {
  let chain: TaskChain | undefined
  const known = () => {
    if (chain === undefined) throw new Error('the chain is not known yet')
    return chain
  }
  return {
    ...make(known),
    chain: (given) => {
      chain = given
      return given
    },
  }
}

/** How tasks are admitted to the store. */
const admitting = (
  change: (
    options: AdmitOptions,
    admit: (options: AdmitOptions) => Promise<Admission>,
  ) => Promise<Admission>,
): ServiceParts => ({
  taskDeps: (deps) => {
    const { tasks } = deps.store
    const admit = (options: AdmitOptions) => tasks.admit(options)
    return {
      ...deps,
      store: {
        ...deps.store,
        tasks: { ...tasks, admit: (options: AdmitOptions) => change(options, admit) },
      },
    }
  },
})

/** A number of each intent, below 2^30. */
const numberOf = (intentHash: string) => Number.parseInt(intentHash.slice(2, 9), 16)

const alreadyExists = (text: Json) => /TaskAlreadyExists/.test(String(text))

/** An owner that all keys have in common. */
const everyKey: Address = `0x${'ee'.repeat(20)}`

/** The longest that createTask waits for its result on chain, milliseconds. */
const postedWithinMs = 5_000

export const taskVariants: readonly Variant[] = [
  ...taskResultVariants,
  ...taskContractVariants,
  {
    id: 'task.undecodable-calldata-refused',
    clauses: ['2.2-12'],
    choice: 'refuses calldata that its signature does not decode as invalid params',
    parts: () =>
      refusingIntents((intent) =>
        isUndecodable(intent) ? 'data does not match function_signature' : undefined,
      ),
  },
  {
    id: 'task.undecodable-calldata-unnamed',
    clauses: ['2.2-12'],
    choice: 'shows policies a function without a name for calldata that does not decode',
    parts: () =>
      evaluator((evaluation, pass) => {
        const input = parseExact(evaluation.input) as Json
        if (input?.function !== null || input.data === '0x') return pass(evaluation)
        const shown = { ...input, function: { name: '', arguments: [] } }
        return pass({ ...evaluation, input: stringifyExact(shown) })
      }),
  },
  {
    id: 'task.other-chain-refused',
    clauses: ['2.2-14'],
    choice: 'refuses an intent for another chain as invalid params',
    parts: () =>
      withChain((chain) =>
        refusingIntents(({ chain_id }) =>
          BigInt(chain_id) === BigInt(chain().chainId) ? undefined : 'chain_id is another chain',
        ),
      ),
  },
  {
    id: 'task.default-threshold-90',
    clauses: ['4.2-27'],
    choice: 'requires 90 percent of the stake where no threshold is given',
    parts: () =>
      taking((params) =>
        params.quorum_threshold_percentage === undefined
          ? { ...params, quorum_threshold_percentage: 90 }
          : params,
      )(unmarked),
  },
  {
    id: 'task.unknown-client-as-error',
    clauses: ['4.2-28'],
    choice: 'refuses a task for an unknown policy client with an error object',
    parts: () =>
      method('createTask', async (params, caller, pass) => {
        const result = await pass(params, caller)
        const { status, task_id, error } = result
        if (status !== 'failed' || task_id !== undefined || !/^Contract read/.test(error ?? ''))
          return result
        throw new ServiceError(String(error), { code: -32616, clause: 'section 7.2' })
      }),
  },
  {
    id: 'task.timeouts-bounded',
    clauses: ['4.2-30'],
    choice: 'uses the default for a timeout that is not positive, and its maximum for a huge one',
    parts: () =>
      changedMember('createTask', 'timeout', (timeout) =>
        typeof timeout !== 'number' ? timeout : timeout > 0 ? Math.min(timeout, 600) : undefined,
      )(unmarked),
  },
  {
    id: 'task.timeout-zero-is-over',
    clauses: ['4.2-30'],
    choice: 'ends a task at once whose timeout is not positive',
    parts: () =>
      changedMember('createTask', 'timeout', (timeout) =>
        typeof timeout === 'number' && timeout <= 0 ? 0.001 : timeout,
      )(unmarked),
  },
  {
    id: 'task.duplicate-without-id',
    clauses: ['4.3-16'],
    choice: 'says TaskAlreadyExists and nothing more, with an error code of its own',
    parts: () =>
      composedParts([
        changedError('sendTask', (error) =>
          alreadyExists(error.message) ? { code: -32000, message: 'TaskAlreadyExists' } : error,
        )(unmarked),
        changedResult('createTask', (result) =>
          alreadyExists(result.error) ? { ...result, error: 'TaskAlreadyExists' } : result,
        )(unmarked),
      ]),
  },
  {
    id: 'task.duplicate-in-result',
    clauses: ['4.3-16'],
    choice: 'answers sendTask for a duplicate with a result whose success is false',
    parts: () =>
      changedAnswer('sendTask', ({ error, ...answer }) =>
        alreadyExists(error?.message)
          ? { ...answer, result: { success: false, error: error.message } }
          : error === undefined
            ? answer
            : { ...answer, error },
      )(unmarked),
  },
  {
    id: 'task.duplicate-across-keys',
    clauses: ['4.3-16'],
    choice: 'refuses an intent in progress whichever key submitted it',
    parts: () =>
      admitting((options, admit) =>
        admit({ ...options, owners: [...(options.owners ?? []), everyKey] }),
      ),
  },
  {
    id: 'task.nonces-of-its-own',
    clauses: ['4.3-17'],
    choice: 'numbers the tasks of an intent from some number, those of sendTask apart',
    parts: () =>
      admitting(async (options, admit) => {
        const of = (nonce: number) =>
          numberOf(options.intentHash) + 2 * nonce + (options.method === 'sendTask' ? 1 : 0)
        const idFor = (nonce: number) => options.idFor(of(nonce))
        const admission = await admit({ ...options, idFor })
        if (admission.outcome !== 'admitted') return admission
        return { ...admission, task: { ...admission.task, nonce: of(admission.task.nonce) } }
      }),
  },
  {
    id: 'task.sent-timeout-counts',
    clauses: ['4.3-18'],
    choice: 'takes a timeout in sendTask, as in createTask',
    parts: () => {
      const timeouts = new AsyncLocalStorage<number>()
      return composedParts([
        wrapListener('wrapGatewayFetch', ({ request, method, call }, pass) => {
          const timeout = call?.params?.timeout
          return method === 'sendTask' && typeof timeout === 'number' && timeout > 0
            ? timeouts.run(Math.min(timeout, 600), () => pass(request))
            : pass(request)
        })(),
        method('sendTask', async (params, caller, pass) => {
          const timeout = timeouts.getStore()
          const timed: CreateTaskParams = timeout === undefined ? params : { ...params, timeout }
          return pass(timed, caller)
        }),
      ])
    },
  },
  {
    id: 'simulate.data-required',
    clauses: ['4.4-12'],
    choice: 'has no short form of simulateTask: policy_task_data is required',
    parts: () =>
      method('simulateTask', async (params, caller, pass) => {
        if (params.policy_task_data === undefined)
          throw invalidFormat('policy_task_data is required')
        return pass(params, caller)
      }),
  },
  {
    id: 'simulate.short-form-with-args',
    clauses: ['4.4-12'],
    choice: 'requires wasm_args in the short form of simulateTask',
    parts: () =>
      method('simulateTask', async (params, caller, pass) => {
        if (params.policy_task_data === undefined && params.wasm_args === undefined)
          throw invalidFormat('wasm_args is required')
        return pass(params, caller)
      }),
  },
  {
    id: 'task.intent-once',
    clauses: ['7.5-11'],
    choice: 'makes one task of an intent: TaskAlreadyExists, also after it has ended',
    parts: () => {
      const known = new Map<string, Bytes32>()
      return admitting(async (options, admit) => {
        const intent = `${options.policyClient} ${options.intentHash}`
        const existing = known.get(intent)
        if (existing !== undefined) return { outcome: 'duplicate', existing }
        const admission = await admit(options)
        if (admission.outcome === 'admitted') known.set(intent, admission.task.id)
        return admission
      })
    },
  },
  {
    id: 'task.posted-first',
    clauses: ['7.5-12'],
    choice: 'answers createTask once the result is on chain, which fixes every member of the task',
    parts: () =>
      withChain((chain) =>
        method('createTask', async (params, caller, pass) => {
          const result = await pass(params, caller)
          const { status, task_id } = result
          if (status !== 'success' || task_id === undefined) return result
          for (const end = Date.now() + postedWithinMs; Date.now() < end; await pause(50)) {
            const [posted] = await chain()
              .responded([task_id])
              .catch(() => [true])
            if (posted) break
          }
          return result
        }),
      ),
  },
]
