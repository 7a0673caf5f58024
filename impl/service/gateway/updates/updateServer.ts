import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { createKeyedCounter } from 'polgate-lib/async/keyedCounter.ts'
import type { Brand } from 'polgate-protocol/brand.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import { monotonicClock } from 'polgate-protocol/clock.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { ServiceError } from 'polgate-protocol/serviceError.ts'
import { closeCode } from 'polgate-protocol/socketAddress.ts'
import { type WebSocket, WebSocketServer } from 'ws'
import type { TaskUpdates } from '../../tasks/taskUpdates.ts'
import { asServiceError, statusOf } from '../errors.ts'
import type { Caller, KeyPort } from '../ports.ts'
import { createBufferedBytes } from './bufferedBytes.ts'
import { type Connection, createConnection } from './connection.ts'
import { closing, isKeyFault, originRefused, tooManyConnections } from './errors.ts'
import { authorize, handshakeKey, isOriginAllowed, isSocketPath } from './handshake.ts'
import type { UpdateLimits } from './limits.ts'
import type { PeerUpdates } from './peerUpdates.ts'
import { serveAsPlainRequest } from './plainRequest.ts'
import { refusePath, refuseWith } from './refusal.ts'
import { createTaskFeeds } from './taskFeeds.ts'
import type { TaskSource } from './taskSource.ts'

export type UpdateServerDeps = {
  readonly brand: Pick<Brand, 'topicPrefix'>
  readonly apiKeys: KeyPort
  /** Updates of tasks in this process. */
  readonly updates: Pick<TaskUpdates, 'latest' | 'subscribe'>
  /** Updates of tasks on other gateways; absent: there are none. */
  readonly elsewhere?: PeerUpdates | undefined
  /** Stored tasks, of all gateways. */
  readonly tasks: TaskSource
  readonly limits: UpdateLimits
  /** Origins of pages that may connect; none by default (decision E12). */
  readonly corsOrigins: readonly string[]
  readonly clock: Clock
  readonly uuid: () => string
  readonly logger: Logger
  /** Wraps every opened socket, for deviating gateways. */
  readonly socket?: ((socket: WebSocket) => WebSocket) | undefined
  /** Wraps every handshake, for instance as a span of the client's trace. */
  readonly around?: AroundHandshake | undefined
}

export type AroundHandshake = (
  request: IncomingMessage,
  handshake: () => Promise<void>,
) => Promise<void>

export type UpdateServer = {
  /** Handles the upgrades of a server, which must have no other handler of them. */
  attach(server: Server): void
  /** Current sizes, to detect leaks: all zero without clients. */
  counts(): {
    readonly connections: number
    readonly subscriptions: number
    /** Tasks with followers. */
    readonly tasks: number
  }
  /** Closes every connection with 1001; rejects new ones. Idempotent. */
  close(): Promise<void>
}

/** The WebSocket of task updates and failure notifications (sections 4.11, 6.1, 6.2, decisions W1 to W5). */
export function createUpdateServer(deps: UpdateServerDeps): UpdateServer {
  const { limits, logger, clock } = deps
  const handshakes = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.frameBytes,
    perMessageDeflate: false,
  })
  const open = new Map<WebSocket, { readonly connection: Connection; readonly key: string }>()
  const perKey = createKeyedCounter()
  const buffered = createBufferedBytes(limits)
  /** Upgrades that are not yet connections, by their sockets. */
  const underWay = new Set<Duplex>()
  let closed = false

  const complain = (error: unknown) => logger.warn({ err: error }, 'ws: internal error')
  const feeds = createTaskFeeds({ ...deps, lingerMs: limits.lingerMs, onInternalError: complain })

  /** Never throws. Does not log the URL, which may contain a key. */
  const refuse = (socket: Duplex, error: ServiceError, status: number) => {
    logger.info({ status, code: error.code }, 'ws refused')
    refuseWith(socket, status, error)
  }

  const statusFor = (error: ServiceError): number => {
    const status = statusOf(error)
    return status === 200 ? 500 : status
  }

  const keep = (socket: WebSocket, key: string, { keyId }: Caller) => {
    const connection = createConnection({
      socket,
      authorize: () => authorize(deps.apiKeys, key),
      topicPrefix: deps.brand.topicPrefix,
      name: deps.uuid(),
      feeds,
      limits,
      ofKey: {
        isFull: () => buffered.isFull(keyId),
        add: (bytes) => buffered.add(keyId, bytes),
      },
      clock,
      onInternalError: complain,
    })
    const since = monotonicClock()
    open.set(socket, { connection, key })
    const remove = perKey.add(keyId)
    logger.info({ keyId }, 'ws open')
    socket.once('close', (code) => {
      open.delete(socket)
      remove()
      logger.info({ keyId, code, ms: monotonicClock() - since }, 'ws closed')
    })
  }

  const admit = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (closed) return refuse(socket, closing(), 503)
    if (!isOriginAllowed(request.headers.origin, deps.corsOrigins))
      return refuse(socket, originRefused(), 403)
    if (open.size + underWay.size > limits.connections)
      return refuse(socket, tooManyConnections(), 503)
    const key = handshakeKey(request)
    const caller = await authorize(deps.apiKeys, key)
    if (closed) return refuse(socket, closing(), 503)
    if (perKey.get(caller.keyId) >= limits.connectionsPerKey)
      return refuse(socket, tooManyConnections(), 429)
    // Calls back synchronously, or has rejected an invalid handshake.
    handshakes.handleUpgrade(request, socket, head, (webSocket) =>
      keep(deps.socket?.(webSocket) ?? webSocket, key as string, caller),
    )
  }

  const upgrade = (server: Server) => (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket')
      return serveAsPlainRequest(server, request, socket, head)
    // For a peer that disconnects before the upgrade; `ws` adds its own listener later.
    const ignore = () => {}
    socket.on('error', ignore)
    if (!isSocketPath(request.url)) return refusePath(socket)
    underWay.add(socket)
    const handshake = async () => admit(request, socket, head)
    const handled = deps.around?.(request, handshake) ?? handshake()
    handled
      .catch((thrown: unknown) => {
        const error = asServiceError(thrown)
        if (error.code === errorCode.internalError) complain(error.cause ?? error)
        refuse(socket, error, statusFor(error))
      })
      .finally(() => underWay.delete(socket))
  }

  const heartbeat = async () => {
    for (const { connection } of open.values()) connection.heartbeat()
  }

  /**
   * Ends the connections of keys that were rotated, deleted or have expired; one lookup per key.
   */
  const checkKeys = async () => {
    for (const key of new Set([...open.values()].map((each) => each.key))) {
      const fault = await authorize(deps.apiKeys, key).then(() => undefined, asServiceError)
      if (fault === undefined) continue
      // The store is unavailable: the key may still be valid.
      if (!isKeyFault(fault)) throw fault.cause ?? fault
      for (const each of open.values())
        if (each.key === key) each.connection.close(closeCode.invalidApiKey, fault.message)
    }
  }

  const every = (ms: number, work: () => Promise<void>) => {
    let busy = false
    const timer = setInterval(() => {
      if (busy) return
      busy = true
      work()
        .catch(complain)
        .finally(() => {
          busy = false
        })
    }, ms)
    timer.unref()
    return timer
  }
  const timers = [
    every(limits.heartbeatMs, heartbeat),
    every(limits.keyCheckMs, checkKeys),
    every(limits.pollMs, () => feeds.sweep()),
  ]

  return {
    attach(server) {
      if (server.listenerCount('upgrade') > 0)
        throw new Error('the server already has an upgrade handler')
      server.on('upgrade', upgrade(server))
    },
    counts: () => ({
      connections: open.size,
      subscriptions: [...open.values()].reduce(
        (sum, { connection }) => sum + connection.subscriptions(),
        0,
      ),
      tasks: feeds.size(),
    }),
    async close() {
      closed = true
      for (const timer of timers) clearInterval(timer)
      for (const socket of underWay) socket.destroy()
      await Promise.all(
        [...open].map(
          ([socket, { connection }]) =>
            new Promise<void>((resolve) => {
              socket.once('close', () => resolve())
              connection.close(closeCode.goingAway, 'the gateway is shutting down')
            }),
        ),
      )
      feeds.close()
      handshakes.close()
    },
  }
}
