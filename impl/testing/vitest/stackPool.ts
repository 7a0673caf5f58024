import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import type { StackConnection } from '../stack/controlWire.ts'
import type { Stack } from '../stack/stack.ts'
import type { StackOptions } from '../stack/stackOptions.ts'
import { startStack } from '../stack/startStack.ts'

/** What workers of vitest need to get a stack; plain JSON. */
export type StackPoolAddress = { readonly url: string; readonly token: string }

/** One stack for each worker that asks, started when it does. */
export type StackPool = {
  readonly address: StackPoolAddress
  /** The stack of a worker. */
  stackOf(worker: string): Promise<Stack>
  /** Ends all stacks. */
  close(): Promise<void>
}

/** More workers than a machine has processors for: a mistake. */
const maxStacks = 64

/** The pool is in the main process of vitest, which outlives the workers. */
export async function startStackPool(options: StackOptions): Promise<StackPool> {
  const token = randomBytes(32).toString('base64url')
  const stacks = new Map<string, Promise<Stack>>()
  const used = new Set<string>()

  function stackOf(worker: string): Promise<Stack> {
    const running = stacks.get(worker)
    if (running !== undefined) return running
    if (stacks.size >= maxStacks) throw new RangeError(`more than ${maxStacks} workers`)
    const starting = startStack(options)
    stacks.set(worker, starting)
    // The next test file tries again.
    starting.catch(() => stacks.delete(worker))
    return starting
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: unknown) =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(body))
    if (!sameText(request.headers.authorization ?? '', `Bearer ${token}`))
      return send(401, { error: 'the token of the pool is missing or wrong' })
    const worker = /^\/worker\/([\w-]{1,40})$/.exec(request.url ?? '')?.[1]
    if (worker === undefined) return send(404, { error: 'no such path' })
    try {
      const { connection } = await stackOf(worker)
      send(200, { connection, used: used.has(worker) } satisfies PoolAnswer)
      used.add(worker)
    } catch (error) {
      send(500, { error: (error as Error).message } satisfies PoolAnswer)
    }
  }

  const server = createServer((request, response) => void answer(request, response))
  const { url } = await listen(server)
  return {
    address: { url, token },
    stackOf,
    async close() {
      await drain(server)
      const ends = [...stacks.values()].map(async (starting) => await (await starting).close())
      await Promise.allSettled(ends)
    },
  }
}

export type PoolAnswer =
  /** `used`: an earlier test file may have changed its state. */
  { readonly connection: StackConnection; readonly used: boolean } | { readonly error: string }

function sameText(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}
