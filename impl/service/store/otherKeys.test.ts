import fc from 'fast-check'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import type { TaskResult } from 'polgate-protocol/task.ts'
import { keccak256, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engines } from './engines.fixture.ts'
import type { Store } from './openStore.ts'
import { openEmptyStore } from './testing/openEmptyStore.ts'

const client = `0x${'11'.repeat(20)}` as const
const intentHash: Bytes32 = `0x${'22'.repeat(32)}`
const address = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
const failed: TaskResult = { status: 'failed', aggregation_response: null, error: '', timestamp: 1 }

type Key = { readonly id: string; readonly owners: readonly Address[] }
type Task = { readonly id: Bytes32; readonly nonce: number; readonly key: Key }

/** Keys with no, one or several owners of four. */
const keys = fc
  .array(fc.subarray([1, 2, 3, 4]), { minLength: 1, maxLength: 6 })
  .map((sets) => sets.map((set, at): Key => ({ id: `key ${at}`, owners: set.map(address) })))

const meet = (one: Key, other: Key) =>
  one.id === other.id || one.owners.some((owner) => other.owners.includes(owner))

describe.each(engines)('an intent of several keys (decision T4) on the $name engine', ({ url }) => {
  let store: Store
  beforeAll(async () => {
    store = await openEmptyStore(url)
  })
  afterAll(() => store.close())
  beforeEach(() => store.database.execute('truncate tasks, notifications'))

  const admit = (key: Key, intent: Bytes32) =>
    store.tasks.admit({
      policyClient: client,
      intentHash: intent,
      idFor: (nonce) => keccak256(toHex(`${intent} ${nonce}`)),
      method: 'sendTask',
      apiKeyId: key.id,
      owners: key.owners,
      request: {},
      deadline: new Date(),
    })
  let intents = 0
  const newIntent = () => keccak256(toHex(intents++))

  it('is a duplicate exactly if an unfinished task has the same key or a common owner', async () => {
    const actions = fc.array(fc.record({ at: fc.nat(), ends: fc.boolean() }), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(keys, actions, async (all, steps) => {
        const intent = newIntent()
        const open: Task[] = []
        let admitted = 0
        for (const { at, ends } of steps) {
          if (ends && open.length > 0) {
            const [task] = open.splice(at % open.length, 1)
            await store.tasks.finish(task!.id, { status: 'failed', result: failed })
            continue
          }
          const key = all[at % all.length]!
          const before = open.filter((task) => meet(task.key, key)).map(({ id }) => id)
          const admission = await admit(key, intent)
          expect(admission.outcome).toBe(before.length === 0 ? 'admitted' : 'duplicate')
          if (admission.outcome === 'duplicate') expect(before).toContain(admission.existing)
          if (admission.outcome !== 'admitted') continue
          expect(admission.task.nonce).toBe(admitted++)
          open.push({ ...admission.task, key })
        }
      }),
      { numRuns: 60 },
    )
  })

  it('gets every nonce once, and no two tasks that meet, however its keys race', async () => {
    await fc.assert(
      fc.asyncProperty(keys, fc.array(fc.nat(), { maxLength: 16 }), async (all, picks) => {
        const intent = newIntent()
        const senders = picks.map((at) => all[at % all.length]!)
        const admissions = await Promise.all(senders.map((key) => admit(key, intent)))
        const open = admissions.flatMap((each, at) =>
          each.outcome === 'admitted' ? [{ nonce: each.task.nonce, key: senders[at]! }] : [],
        )
        expect(open.map(({ nonce }) => nonce).sort((a, b) => a - b)).toEqual([...open.keys()])
        for (const [at, { key }] of open.entries())
          expect(open.slice(at + 1).filter((other) => meet(other.key, key))).toEqual([])
        // What was refused meets one that was stored.
        for (const key of senders) expect(open.some((other) => meet(other.key, key))).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  it('of a task of an earlier release, whose owners are not known, is a duplicate for every key', async () => {
    const first = await admit({ id: 'one', owners: [] }, intentHash)
    await store.database.query('update tasks set owners = null')
    const existing = first.outcome === 'admitted' ? first.task.id : undefined
    const other = { id: 'other', owners: [address(9)] }
    expect(await admit(other, intentHash)).toEqual({ outcome: 'duplicate', existing })
  })
})
