import { startGatewayProcess } from '../../service/gatewayProcess.ts'
import { fanOut } from '../../updates/fanOut.ts'
import { openSubscriber, type Subscriber } from '../../updates/subscriber.ts'
import type { Dimension, Point } from '../dimension.ts'

/** Connections that are opened at a time. */
const together = 100

export const subscribers: Dimension = {
  title: 'updates of tasks by WebSocket subscribers, each of which follows one task',
  async measure({ quick }) {
    const module = new URL('../subscriberStack.child.ts', import.meta.url)
    const gateway = await startGatewayProcess({ module })
    const connected: Subscriber[] = []
    const rounds: Point[] = []
    const memory: Point[] = []
    try {
      for (const size of quick ? [20, 60] : [100, 1_000, 10_000]) {
        while (connected.length < size) {
          const more = Math.min(together, size - connected.length)
          const opened = Array.from({ length: more }, () => openSubscriber(gateway.stack))
          connected.push(...(await Promise.all(opened)))
        }
        const times: number[] = []
        for (let round = 0; round < (quick ? 1 : 4); round++) {
          const { ms, finals, subscriptions } = await fanOut(gateway.stack, connected, {
            tasks: quick ? 2 : 20,
            all: false,
          })
          if (finals !== subscriptions)
            throw new Error(`${finals} of ${subscriptions} final events`)
          times.push(ms)
        }
        rounds.push({ size, cost: Math.min(...times) })
        memory.push({ size, cost: gateway.memory() ?? Number.NaN })
      }
      await Promise.all(connected.map((subscriber) => subscriber.close()))
    } finally {
      await gateway.close()
    }
    return [
      {
        what: 'a round of tasks until the last final event',
        unit: 'ms',
        points: rounds,
        bound: { exponent: 1.1 },
      },
      {
        what: 'resident memory of the gateway',
        unit: 'MiB',
        points: memory,
        bound: { exponent: 0.5 },
      },
    ]
  },
}
