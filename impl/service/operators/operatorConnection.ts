import { randomBytes } from 'node:crypto'
import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import { createCircuit } from './circuit.ts'
import { connectionClosed, connectionRefused, createExchanger } from './exchange.ts'
import { isUnreachable, operatorUnreachable } from './operatorErrors.ts'
import { operatorPresence, type PresenceLog } from './operatorPresence.ts'
import { partsOf, signRequest } from './operatorSignature.ts'
import { contentOf } from './signedAnswer.ts'
import { fromWireError, jsonType, operatorPaths } from './wire.ts'

export type OperatorConnectionOptions = {
  /** Without a path. */
  readonly url: string
  /** The secret that the operator has too; it is signed with, and never sent. */
  readonly token: string
  readonly address: Address
  readonly id: Bytes32
  readonly clock: Clock
  /** Told when the operator stops answering, and when it answers again; default: nobody. */
  readonly log?: PresenceLog | undefined
  /** Bytes that nonces are made of; default: the system's. */
  readonly random?: ((size: number) => Uint8Array) | undefined
  readonly bounds?: Partial<ConnectionBounds> | undefined
}

export type ConnectionBounds = {
  /** To have a connection, milliseconds. */
  readonly connectMs: number
  /** For a sign of life, milliseconds. */
  readonly probeMs: number
  /** Between two looks for an operator that does not answer, milliseconds. */
  readonly probeEveryMs: number
  /** As many as tasks are carried at once, so that none waits for a connection. */
  readonly connections: number
}

const defaultBounds: ConnectionBounds = {
  connectMs: 2_000,
  probeMs: 5_000,
  probeEveryMs: 1_000,
  connections: 256,
}

export type CallLimits = { readonly signal: AbortSignal; readonly timeoutMs: number }

/** The signed way to one operator in a process of its own. */
export type OperatorConnection = {
  /**
   * What the operator answers, which the caller is to check.
   *
   * @throws ServiceError the operator's own, or `operator unreachable: ...`
   */
  call(path: string, request: unknown, limits: CallLimits): Promise<{ readonly answer?: unknown }>
  /**
   * Asks who answers there. An operator is used once that is the one of the configuration, and asked
   * again when it was away: whoever comes back may be another.
   *
   * @throws ServiceError that names who answers in its place
   */
  check(): Promise<void>
  /** That it does not answer, since when and why; undefined while it does. */
  problem(): string | undefined
  close(): Promise<void>
}

const silent: PresenceLog = { warn() {}, info() {} }

const never = new AbortController().signal
/** What fails sooner than this was not sent to a live connection, milliseconds. */
const staleMs = 1_000

export function operatorConnection(options: OperatorConnectionOptions): OperatorConnection {
  const { url, token, address, id, clock, random = randomBytes, log = silent } = options
  const bounds = { ...defaultBounds, ...options.bounds }
  const keyid = address.toLowerCase()
  const exchanger = createExchanger({ url, ...bounds })
  let checked: Promise<void> | undefined

  async function exchange(path: string, body: string, limits: CallLimits) {
    const request = partsOf('POST', path, jsonType, body)
    const created = Math.floor(clock() / 1000)
    const nonce = Buffer.from(random(18)).toString('base64url')
    const params = { created, nonce, keyid }
    const headers = signRequest(token, request, params)
    const answer = await exchanger.post({ path, body, headers, ...limits })
    const byAnyone = path === operatorPaths.identity
    const content = contentOf(answer, { secret: token, request, params, byAnyone })
    if ('error' in content) throw fromWireError(content.error)
    return content
  }

  /** An idle connection may have been closed while the call was on its way: then once more. */
  async function twice(path: string, body: string, limits: CallLimits) {
    const begin = performance.now()
    try {
      return await exchange(path, body, limits)
    } catch (error) {
      const stale = error instanceof Error && error.message.endsWith(connectionClosed)
      if (!stale || performance.now() - begin > staleMs) throw error
      return await exchange(path, body, limits)
    }
  }

  async function identify(): Promise<void> {
    const limits = { signal: never, timeoutMs: bounds.probeMs }
    const { answer } = await twice(operatorPaths.identity, '{}', limits)
    const told = (answer ?? {}) as { readonly address?: unknown; readonly id?: unknown }
    if (!same(told.address, address)) throw another('operator', told.address)
    if (!same(told.id, id)) throw another('BLS key', told.id)
  }

  function check(): Promise<void> {
    checked ??= identify().catch((error) => {
      checked = undefined
      throw error
    })
    return checked
  }

  const presence = operatorPresence({
    ...{ address, log },
    ask: () => identify(),
    everyMs: bounds.probeEveryMs,
  })

  const circuit = createCircuit({
    async probe() {
      try {
        await identify()
        presence.answered()
      } catch (error) {
        presence.missed(error)
        throw error
      }
    },
    isQuick: (error) => error instanceof Error && error.message.endsWith(connectionRefused),
    everyMs: bounds.probeEveryMs,
  })

  return {
    async check() {
      await check().catch((error) => {
        presence.missed(error)
        throw error
      })
    },
    problem: presence.problem,
    call: (path, request, limits) =>
      circuit.run(async () => {
        try {
          await unlessAborted(limits.signal, check())
          const answer = await twice(path, JSON.stringify(request), limits)
          presence.answered()
          return answer
        } catch (error) {
          if (isUnreachable(error)) {
            checked = undefined
            presence.missed(error)
          }
          throw error
        }
      }),
    async close() {
      presence.close()
      circuit.close()
      await exchanger.close()
    },
  }
}

const same = (told: unknown, expected: string): boolean =>
  typeof told === 'string' && told.toLowerCase() === expected.toLowerCase()

/** Two URLs are mixed up, or the operator was started with another key. */
const another = (what: string, told: unknown) => {
  const name = typeof told === 'string' && /^0x[0-9a-fA-F]{40,64}$/.test(told) ? told : 'none'
  return operatorUnreachable(`${what} ${name} answers in its place`, undefined, false)
}
