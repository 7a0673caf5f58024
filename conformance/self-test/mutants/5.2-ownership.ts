import type { Address } from 'polgate-protocol/scalars.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import { requireOwner } from 'polgate-service/tasks/ownership.ts'
import type { TaskChain } from 'polgate-service/tasks/taskChain.ts'
import type { TaskService } from 'polgate-service/tasks/taskService.ts'
import { zeroAddress } from 'viem'
import type { MarkFired, Mutant } from './mutant.ts'

const nobody = /^0x0{40}$/
const guarded = ['simulatePolicyDataWithClient', 'simulatePolicy', 'storeEncryptedSecrets'] as const
type Guarded = (typeof guarded)[number]
type Caller = Parameters<TaskService['createTask']>[1]

/** Faults of tasks that use the owner of a client, as read from the chain. */
function knowingOwner(
  tasks: (own: TaskService, ownerOf: TaskChain['owner']) => TaskService,
): ServiceParts {
  let read: TaskChain['owner'] | undefined
  return {
    chain: (chain) => {
      read = chain.owner
      return chain
    },
    // The chain is opened before any task method is called.
    tasks: (own) => tasks(own, (address) => read!(address)),
  }
}

/** Methods that treat their caller as another one, once the owner of the client is known. */
const callerAs =
  (
    methods: readonly Guarded[],
    change: (caller: Caller, owner: Address, markFired: MarkFired) => Caller,
  ) =>
  (markFired: MarkFired): ServiceParts =>
    knowingOwner((own, ownerOf) => {
      const changed = methods.map((name) => {
        const call = own[name] as (params: never, caller: Caller) => Promise<unknown>
        const wrapped = async (params: { policy_client: Address }, caller: Caller) => {
          const owner = await ownerOf(params.policy_client).then(
            (read) => read.owner,
            () => zeroAddress,
          )
          return call(params as never, change(caller, owner, markFired))
        }
        return [name, wrapped]
      })
      return { ...own, ...Object.fromEntries(changed) }
    })

/** Any caller is treated as the owner. */
function anybody(caller: Caller, owner: Address, markFired: MarkFired): Caller {
  const lower = owner.toLowerCase() as Address
  if (nobody.test(owner) || caller.owners.includes(lower)) return caller
  markFired()
  return { ...caller, owners: [...caller.owners, lower] }
}

type ReadOwner = (address: Address) => Promise<Address>

const ownerRead = (fault: (address: Address, pass: ReadOwner) => Promise<Address>) => ({
  chain: (chain: TaskChain): TaskChain => ({
    ...chain,
    async owner(address) {
      const read = await chain.owner(address)
      return { ...read, owner: await fault(address, async () => read.owner) }
    },
  }),
})

/** Faults in the ownership of policy clients (section 5.2). */
export const ownershipMutants: readonly Mutant[] = [
  {
    id: 'ownership.cached',
    fault: 'caches the owner permanently, across transfers',
    clauses: ['5.2-01', '5.2-02', '5.2-03'],
    parts: (markFired) => {
      const known = new Map<string, Address>()
      return ownerRead(async (address, pass) => {
        const now = await pass(address)
        const owner = known.get(address) ?? now
        known.set(address, owner)
        if (owner !== now) markFired()
        return owner
      })
    },
  },
  {
    id: 'ownership.cached-for-seconds',
    fault: 'caches an owner for three seconds',
    clauses: ['5.2-01'],
    parts: (markFired) => {
      const known = new Map<string, { owner: Address; until: number }>()
      return ownerRead(async (address, pass) => {
        const now = await pass(address)
        const kept = known.get(address)
        if (kept !== undefined && kept.until > performance.now()) {
          if (kept.owner !== now) markFired()
          return kept.owner
        }
        known.set(address, { owner: now, until: performance.now() + 3_000 })
        return now
      })
    },
  },
  {
    id: 'ownership.not-required',
    fault: 'lets any key use the client of any owner',
    clauses: ['5.2-04', '5.2-09', '7.3-05'],
    parts: callerAs(guarded, anybody),
  },
  {
    id: 'ownership.not-required-with-client',
    fault: 'simulatePolicyDataWithClient does not require ownership',
    clauses: ['5.2-06', '4.7-07'],
    parts: callerAs(['simulatePolicyDataWithClient'], anybody),
  },
  {
    id: 'ownership.not-required-to-store',
    fault: 'storeEncryptedSecrets does not require ownership',
    clauses: ['5.2-08', '4.5-08'],
    parts: callerAs(['storeEncryptedSecrets'], anybody),
  },
  {
    id: 'ownership.never-required-for-policies',
    fault: 'simulatePolicy never requires ownership',
    clauses: ['5.2-07', '4.8-15'],
    parts: callerAs(['simulatePolicy'], anybody),
  },
  {
    id: 'ownership.any-owner-will-do',
    fault: 'treats a key that is associated with any owner as that of every owner',
    clauses: ['5.2-04', '5.2-09'],
    parts: callerAs(guarded, (caller, owner, markFired) =>
      caller.owners.length === 0 ? caller : anybody(caller, owner, markFired),
    ),
  },
  {
    id: 'ownership.nobody-is-anybody',
    fault: 'treats a client without an owner as owned by everybody',
    clauses: ['5.2-10', '7.3-06'],
    parts: (markFired) => {
      const everybody: Address = `0x${'ee'.repeat(20)}`
      const isEverybody = callerAs(guarded, (caller) => ({
        ...caller,
        owners: [...caller.owners, everybody],
      }))
      const seen = isEverybody(markFired)
      const read = ownerRead(async (address, pass) => {
        const owner = await pass(address)
        if (!nobody.test(owner)) return owner
        markFired()
        return everybody
      })
      return { ...seen, chain: (chain) => read.chain(seen.chain?.(chain) ?? chain) }
    },
  },
  {
    id: 'ownership.always-required-for-policies',
    fault: 'simulatePolicy requires ownership even if no PolicyData has a secrets schema',
    clauses: ['4.8-16', '5.2-07'],
    parts: (markFired) =>
      knowingOwner((own, ownerOf) => ({
        ...own,
        simulatePolicy: async (params, caller) => {
          markFired()
          requireOwner(caller, params.policy_client, await ownerOf(params.policy_client))
          return own.simulatePolicy(params, caller)
        },
      })),
  },
  {
    id: 'ownership.required-of-the-free-method',
    fault: 'simulatePolicyData requires ownership of the client that its secrets name',
    clauses: ['5.2-05', '4.6-08'],
    parts: (markFired) =>
      knowingOwner((own, ownerOf) => ({
        ...own,
        simulatePolicyData: async (params, caller) => {
          if (params.secrets === undefined) return own.simulatePolicyData(params, caller)
          markFired()
          const envelope = Buffer.from(params.secrets, 'base64').toString()
          const { policy_client } = JSON.parse(envelope) as { policy_client: Address }
          requireOwner(caller, policy_client, await ownerOf(policy_client))
          return own.simulatePolicyData(params, caller)
        },
      })),
  },
  {
    id: 'ownership.refused-as-result',
    fault: 'reports a failure of authorization as a result without success',
    clauses: ['7.3-18'],
    parts: (markFired) => ({
      tasks: (own) =>
        Object.fromEntries(
          Object.entries(own).map(([name, call]) => [
            name,
            (...given: unknown[]) =>
              Promise.resolve((call as (...args: unknown[]) => unknown)(...given)).catch(
                (error: Error) => {
                  if (!error.message.startsWith('Authorization failed:')) throw error
                  markFired()
                  return { success: false, error: error.message }
                },
              ),
          ]),
        ) as TaskService,
    }),
  },
]
