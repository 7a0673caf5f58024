import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Listener, type ServeOptions, serve } from 'polgate-service/gateway/serve.ts'
import type { ListenerName } from 'polgate-service/serviceParts.ts'

/** Listeners of a service that is restarted: they keep their ports, and requests wait meanwhile. */
export type KeptListeners = {
  /** Starts the listener of a service, or returns the one that the service before it has closed. */
  listener(name: ListenerName, options: ServeOptions): Promise<Listener>
  close(): Promise<void>
}

/** How long a request waits for the next service, milliseconds. */
const longestWait = 30_000

/**
 * A port that is closed can be taken before it is opened again: on a busy machine, by any outgoing
 * connection.
 */
export function createKeptListeners(waitMs = longestWait): KeptListeners {
  const known = new Map<ListenerName, Promise<KeptListener>>()
  return {
    async listener(name, options) {
      const opening = known.get(name) ?? openKept(options, waitMs)
      known.set(name, opening)
      opening.catch(() => known.delete(name))
      return (await opening).serve(options)
    },
    async close() {
      await Promise.all([...known.values()].map(async (opening) => await (await opening).close()))
    },
  }
}

type KeptListener = { serve(options: ServeOptions): Listener; close(): Promise<void> }

/** A service on the listener, with its requests in flight. */
type Lease = Pick<ServeOptions, 'fetch'> & { readonly inFlight: Set<ServerResponse> }

async function openKept(first: ServeOptions, waitMs: number): Promise<KeptListener> {
  let lease: Lease | undefined
  let resume = () => {}
  let resumed = Promise.resolve()
  const listener = await serve({
    ...first,
    async fetch(request, env) {
      if (lease === undefined) await atMost(resumed, waitMs)
      if (lease === undefined) return new Response('The stack is restarting.\n', restarting)
      const { fetch, inFlight } = lease
      const { outgoing } = env as { readonly outgoing: ServerResponse }
      inFlight.add(outgoing)
      outgoing.once('close', () => inFlight.delete(outgoing))
      return await fetch(request, env)
    },
  })
  const { server } = listener
  const suspend = () => {
    lease = undefined
    resumed = new Promise((resolve) => {
      resume = resolve
    })
    server.removeAllListeners('upgrade').on('upgrade', refuseUpgrade)
  }
  return {
    serve({ fetch, graceMilliseconds = 1000 }) {
      const own: Lease = { fetch, inFlight: new Set() }
      lease = own
      server.removeAllListeners('upgrade')
      resume()
      return {
        ...listener,
        async close(work = Promise.resolve()) {
          if (lease === own) suspend()
          await work.catch(() => {})
          const ended = [...own.inFlight].map(
            (response) => new Promise<void>((resolve) => response.once('close', resolve)),
          )
          await atMost(Promise.all(ended), graceMilliseconds)
          for (const response of own.inFlight) response.destroy()
        },
      }
    },
    async close() {
      resume()
      await listener.close()
    },
  }
}

const restarting = { status: 503, headers: { 'retry-after': '1' } }

function refuseUpgrade(_: unknown, socket: Duplex): void {
  socket.on('error', () => {})
  socket.end('HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\r\n')
}

async function atMost(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
