import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { hostileNames } from 'polgate-fixtures/hostile/catalogue.ts'
import type { Ask, Place, Seen } from './hostile/messages.ts'
import { percentile, type Section } from './section.ts'

/** Interval of health calls: far shorter than that of any probe. */
const everyMs = 5

/**
 * Effect of malicious components on others: health calls to a whole stack, and runs of a normal
 * oracle, while two attacks at a time run in the process of the stack.
 */
export const hostile: Section = {
  name: 'hostile',
  title: 'Health calls and warm runs of a normal oracle during attacks, two at a time',
  async run(bench) {
    const seconds = bench.quick ? 0.5 : 8
    const servers = fork(new URL('./hostile/servers.child.ts', import.meta.url))
    const [places] = (await once(servers, 'message')) as [Record<string, Place>]
    const stack = fork(new URL('./hostile/stack.child.ts', import.meta.url), [
      JSON.stringify(places),
    ])
    try {
      const [{ healthUrl }] = (await once(stack, 'message')) as [{ healthUrl: string }]
      const measure = (fixture: string | undefined) => whileRunning(stack, fixture, healthUrl)
      await measure(undefined)(500)
      const idle = await measure(undefined)(seconds * 1_000)
      const say = (name: string, { health, seen }: Measured) => {
        bench.heading(name)
        const p99 = percentile(health, 0.99)
        bench.figure('health, p50', percentile(health, 0.5), 'ms')
        bench.figure('health, p99', p99, 'ms')
        bench.figure('health, p99 to idle', p99 / percentile(idle.health, 0.99), 'x')
        bench.figure('health, longest', Math.max(...health), 'ms')
        bench.figure('event loop delay, maximum', seen.loopMaxMs, 'ms')
        bench.figure('event loop busy', seen.work.share * 100, '%')
        bench.figure('longest task of the event loop', seen.work.longestMs, 'ms')
        bench.figure('longest wait for a core', seen.work.waitedMs, 'ms')
        bench.figure('normal oracle, p50', percentile(seen.neighbour, 0.5), 'ms')
        bench.figure('normal oracle, p99', percentile(seen.neighbour, 0.99), 'ms')
        bench.figure('attacks completed', seen.bombs, '')
      }
      say('idle', idle)
      const names = bench.quick ? hostileNames().slice(0, 2) : [...hostileNames(), 'cold-loads']
      for (const name of names) {
        say(name, await measure(name)(seconds * 1_000))
        // Leftovers of one attack must not affect the next.
        await wait(500)
      }
    } finally {
      await Promise.all([stack, servers].map(end))
    }
  },
}

type Measured = {
  health: number[]
  seen: Seen
}

const whileRunning =
  (stack: ChildProcess, fixture: string | undefined, healthUrl: string) =>
  async (ms: number): Promise<Measured> => {
    const ask: Ask = { fixture, ms }
    stack.send(ask)
    let over = false
    const answer = once(stack, 'message').finally(() => {
      over = true
    }) as Promise<[Seen]>
    const agent = new Agent({ keepAlive: true })
    const health: number[] = []
    for (; !over; await wait(everyMs)) health.push(await healthCall(healthUrl, agent))
    agent.destroy()
    const [seen] = await answer
    return { health, seen }
  }

async function healthCall(url: string, agent: Agent): Promise<number> {
  const begin = performance.now()
  const [response] = await once(request(url, { agent }).end(), 'response')
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 200) throw new Error(`health answered ${response.statusCode}`)
  return performance.now() - begin
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
}
