import fc from 'fast-check'
import { property } from 'polgate-lib/testing/property.ts'
import { describe, expect } from 'vitest'
import { createBaseClient } from '../client/createBaseClient.ts'
import { startUpdateServer } from '../testing/updateServer.ts'
import { notificationOf, someTask, updateOf } from '../testing/updates.ts'
import { type TaskEvent, watchTask } from './watchTask.ts'

/** The states of a task as its gateway reports them: each step adds progress, a response, or both. */
const life = fc
  .array(fc.record({ progress: fc.nat(9), responded: fc.boolean() }), { maxLength: 8 })
  .map((steps) => {
    let progress = 0
    let responses = 0
    return steps.map((step) => {
      progress += step.progress
      responses += step.responded ? 1 : 0
      return updateOf('operator_response', 'processing', progress, responses)
    })
  })

/** When connections break: after how many messages; and whether the next one reports an old state. */
const breaks = fc.array(fc.record({ after: fc.nat(4), stale: fc.boolean() }), { maxLength: 5 })

describe('updates over connections that break', () => {
  property({ life, breaks, fails: fc.boolean() }, { numRuns: 25 })(
    'are in order, are not repeated, and end with the end of the task',
    async ({ life: states, breaks: planned, fails }) => {
      const end = fails
        ? updateOf('failure', 'failed', 100, states.length)
        : updateOf('success', 'success', 100, states.length)
      const all = [...states, end]
      const cuts = [...planned]
      let at = 0
      const server = await startUpdateServer({
        subscribe(connection, { id }) {
          const cut = cuts.shift()
          let left = cut?.after ?? Number.POSITIVE_INFINITY
          const tell = (message: unknown) => {
            left -= 1
            if (left >= 0) connection.send(message)
          }
          const update = (result: unknown) => tell({ type: 'update', subscription: 's', result })
          tell({ type: 'subscribed', id, subscription: 's' })
          // Another gateway knows the stored state only (decision W4).
          if (cut?.stale) update(updateOf('status_update', 'processing', 0, 0))
          else update(all[Math.max(0, Math.min(at, all.length) - 1)])
          for (; left > 0 && at < all.length; at += 1) update(all[at])
          if (at === all.length) {
            update(end)
            if (fails)
              tell({ type: 'notification', subscription: 's', result: notificationOf('n') })
          }
          // What is under way is lost with the connection.
          if (cut !== undefined) connection.drop()
        },
      })
      const client = createBaseClient({ url: server.url, key: 'k' })
      const events: TaskEvent[] = []
      try {
        for await (const event of watchTask(client, { taskId: someTask })) events.push(event)
      } finally {
        await server.close()
      }
      const updates = events.filter((event) => event.type === 'update')
      const finals = updates.filter(({ event }) => event === 'success' || event === 'failure')
      expect(finals).toEqual([{ type: 'update', ...end }])
      expect(updates.at(-1)).toEqual(finals[0])
      const notifications = events.length - updates.length
      expect(notifications).toBe(fails ? 1 : 0)
      if (planned.length === 0) return
      for (const [index, { data }] of updates.slice(1, -1).entries()) {
        const before = updates[index]!.data
        expect(data.progress).toBeGreaterThanOrEqual(before.progress)
        expect(data.operator_responses.length).toBeGreaterThanOrEqual(
          before.operator_responses.length,
        )
      }
    },
  )
})
