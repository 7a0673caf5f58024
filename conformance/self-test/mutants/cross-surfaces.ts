import type { WebSocket } from 'ws'
import { changedUpdate } from './frames.ts'
import type { Mutant } from './mutant.ts'
import { sending, webhookStore } from './webhookFaults.ts'
import { changedExplorer, changedResult, type Json } from './wrappedListeners.ts'

/** Each surface is correct by itself, but inconsistent with another or in its order. */
function rowOfAnother() {
  let before: Json
  return (row: Json): Json => {
    const other = before
    before = structuredClone(row)
    if (other === undefined || other.id === row.id || other.created_block === null) return row
    const { created_block, task_created_at, created_txn_hash } = other
    return { ...row, created_block, task_created_at, created_txn_hash }
  }
}

function calldataOfAnother() {
  const before = new Map<string, string>()
  return (result: Json): Json => {
    if (typeof result.validate_calldata !== 'string') return result
    const client = String(result.task?.policyClient)
    const other = before.get(client) ?? result.validate_calldata
    before.set(client, result.validate_calldata)
    return { ...result, validate_calldata: other }
  }
}

function laterAtTheSecondLook() {
  const seen = new Set<string>()
  return (row: Json): Json => {
    if (typeof row.task_created_at !== 'string') return row
    const first = !seen.has(row.id)
    seen.add(row.id)
    if (first || row.task_responded_at === null) return row
    // The response may come within the same second.
    const later = new Date(Date.parse(row.task_created_at) + 1_000)
    return { ...row, task_created_at: later.toISOString() }
  }
}

function lastAnswerWhileTheChainIsAway() {
  let last: Json
  return (result: Json): Json => {
    if (result.status === 'success') last = structuredClone(result)
    return /^Contract read failed: HTTP/.test(result.error ?? '') && last !== undefined
      ? last
      : result
  }
}

const detail = /\/task\/0x/

export const crossMutants: readonly Mutant[] = [
  {
    id: 'cross.row-of-another-task',
    fault: 'shows a task in the explorer with the block and the transaction of another',
    clauses: ['4.12-36'],
    parts: (markFired) => changedExplorer(detail, rowOfAnother())(markFired),
  },
  {
    id: 'cross.row-is-changed-later',
    fault: 'shows a task as created later, after its first request',
    clauses: ['4.12-36'],
    parts: (markFired) => changedExplorer(detail, laterAtTheSecondLook())(markFired),
  },
  {
    id: 'cross.calldata-of-another-task',
    fault: 'returns the calldata of the client’s previous task',
    clauses: ['4.12-36'],
    parts: (markFired) => changedResult('createTask', calldataOfAnother())(markFired),
  },
  {
    id: 'cross.expiration-of-updates',
    fault: 'reports an expiration one block later on the WebSocket only',
    clauses: ['2.5-12'],
    parts: changedUpdate((result) => {
      const told = result.data?.result
      if (typeof told?.expiration === 'number') told.expiration++
      return result
    }),
  },
  {
    id: 'cross.failure-under-two-ids',
    fault: 'sends every second failure of a key twice, as two notifications',
    clauses: ['6.2-01'],
    parts: (markFired) => {
      let told = 0
      return sending(async (delivery, send, attempt) => {
        const answer = await send(delivery)
        if (attempt > 1 || ++told % 2 === 1) return answer
        markFired()
        const id = '11111111-1111-4111-8111-111111111111'
        const body = { ...JSON.parse(Buffer.from(delivery.body).toString()), notification_id: id }
        const headers = { ...delivery.headers, 'X-Idempotency-Key': id }
        await send({ ...delivery, headers, body: Buffer.from(JSON.stringify(body)) })
        return answer
      })(markFired)
    },
  },
  {
    id: 'cross.updates-to-everybody',
    fault: 'sends the end of a failed task to every open connection',
    clauses: ['6.1-11'],
    parts: (markFired) => {
      const open = new Set<(text: string) => void>()
      const socket = (one: WebSocket): WebSocket => {
        const send = one.send.bind(one)
        const own = (text: string) => send(text)
        open.add(own)
        one.once('close', () => open.delete(own))
        return Object.assign(one, {
          send: (text: string, sent: () => void) => {
            send(text, sent)
            if (!/"event":"failure"/.test(text)) return
            for (const other of open) {
              if (other === own) continue
              markFired()
              other(text)
            }
          },
        })
      }
      return { updateServer: (deps) => ({ ...deps, socket }) }
    },
  },
  {
    id: 'cross.owner-is-remembered',
    fault: 'caches the owner of a client',
    clauses: ['5.2-01', '9-03'],
    parts: (markFired) => ({
      chain: (chain) => {
        const known = new Map<string, Awaited<ReturnType<typeof chain.owner>>>()
        return {
          ...chain,
          owner: async (client) => {
            const now = await chain.owner(client)
            const owner = known.get(client.toLowerCase()) ?? now
            known.set(client.toLowerCase(), owner)
            if (owner.owner !== now.owner) markFired()
            return owner
          },
        }
      },
    }),
  },
  {
    id: 'cross.key-lives-on-websockets',
    fault: 'opens a WebSocket with a rotated or deleted key',
    clauses: ['5.1-11'],
    parts: (markFired) => ({
      updateServer: (deps) => {
        const known = new Map<string, Awaited<ReturnType<typeof deps.apiKeys.lookup>>>()
        return {
          ...deps,
          apiKeys: {
            lookup: async (key) => {
              const now = await deps.apiKeys.lookup(key)
              if (now !== undefined) known.set(key, now)
              else if (known.has(key)) markFired()
              return now ?? known.get(key)
            },
          },
        }
      },
    }),
  },
  {
    id: 'cross.last-answer-without-a-chain',
    fault: 'returns the result of the last task while the node of the chain is unavailable',
    clauses: ['4.12-36'],
    parts: (markFired) => changedResult('createTask', lastAnswerWhileTheChainIsAway())(markFired),
  },
  {
    id: 'cross.channel-errors-are-lost',
    fault: 'sends no notification of tasks that failed because no operator was reachable',
    clauses: ['6.2-01'],
    parts: (markFired) =>
      webhookStore(({ notifications }) => ({
        notifications: {
          ...notifications,
          claim: async (options) => {
            const claimed = await notifications.claim(options)
            const kept = claimed.filter(({ body }) => !/"channel_error"/.test(body))
            if (kept.length < claimed.length) markFired()
            return kept
          },
        },
      })),
  },
]
