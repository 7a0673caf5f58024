import { randomBytes } from 'node:crypto'
import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import { withChallenge } from './challenge.ts'
import { createCircuit } from './circuit.ts'
import { connectionClosed, connectionRefused, createExchanger } from './exchange.ts'
import { isUnreachable, operatorUnreachable } from './operatorErrors.ts'
import { operatorPresence, type PresenceLog } from './operatorPresence.ts'
import { partsOf, signRequest } from './operatorSignature.ts'
import { challengeOf, contentOf } from './signedAnswer.ts'
import { fromWireError, jsonType, operatorPaths } from './wire.ts'

export type OperatorConnectionOptions = {
  /** Base URL without a path. */
  readonly url: string
  /** The secret shared with the operator; used for signatures, never sent. */
  readonly token: string
  readonly address: Address
  readonly id: Bytes32
  readonly clock: Clock
  /** Logs when the operator stops answering and when it answers again; default: no log. */
  readonly log?: PresenceLog | undefined
  /** Random bytes for nonces; default: the system's. */
  readonly random?: ((size: number) => Uint8Array) | undefined
  readonly bounds?: Partial<ConnectionBounds> | undefined
  /** Further headers of each call, such as `traceparent`. The signature does not cover them. */
  readonly traceHeaders?: (() => Readonly<Record<string, string>>) | undefined
}

export type ConnectionBounds = {
  /** Timeout of connecting, milliseconds. */
  readonly connectMs: number
  /** Timeout of a probe, milliseconds. */
  readonly probeMs: number
  /** Probe interval while the operator does not answer, milliseconds. */
  readonly probeEveryMs: number
  /** As many as concurrent tasks, so that none waits for a connection. */
  readonly connections: number
}

const defaultBounds: ConnectionBounds = {
  connectMs: 2_000,
  probeMs: 5_000,
  probeEveryMs: 1_000,
  connections: 256,
}

export type CallLimits = { readonly signal: AbortSignal; readonly timeoutMs: number }

/** The signed connection to one operator in a separate process. */
export type OperatorConnection = {
  /**
   * The operator's answer, which the caller must validate.
   *
   * @throws ServiceError the operator's own, or `operator unreachable: ...`
   */
  call(path: string, request: unknown, limits: CallLimits): Promise<{ readonly answer?: unknown }>
  /**
   * Verifies the operator's identity. An operator is used only if it is the configured one; this is
   * verified again after every outage, because another one may have replaced it.
   *
   * @throws ServiceError with the operator that answers instead
   */
  check(): Promise<void>
  /** Asks in the background whether the operator answers, even if there are no calls. */
  look(): void
  /** One line with start and cause of an outage; undefined while the operator answers. */
  problem(): string | undefined
  close(): Promise<void>
}

const silent: PresenceLog = { warn() {}, info() {} }

const never = new AbortController().signal
/** A call that fails sooner used a stale connection, milliseconds. */
const staleMs = 1_000

export function operatorConnection(options: OperatorConnectionOptions): OperatorConnection {
  const { url, token, address, id, clock, random = randomBytes, log = silent } = options
  const { traceHeaders } = options
  const bounds = { ...defaultBounds, ...options.bounds }
  const keyid = address.toLowerCase()
  const exchanger = createExchanger({ url, ...bounds })
  let checked: Promise<void> | undefined
  let looking = false
  /** Of the operator, once it has wanted one. */
  let challenge: string | undefined

  async function exchange(
    path: string,
    body: string,
    limits: CallLimits,
    isAgain = false,
  ): Promise<{ readonly answer?: unknown }> {
    const request = partsOf('POST', path, jsonType, body)
    const created = Math.floor(clock() / 1000)
    const unique = Buffer.from(random(18)).toString('base64url')
    const nonce = challenge === undefined ? unique : withChallenge(challenge, unique)
    const params = { created, nonce, keyid }
    const signed = signRequest(token, request, params)
    const headers = traceHeaders === undefined ? signed : { ...traceHeaders(), ...signed }
    const answer = await exchanger.post({ path, body, headers, ...limits })
    const wanted = challengeOf(answer)
    if (wanted !== undefined && !isAgain) {
      challenge = wanted
      return exchange(path, body, limits, true)
    }
    const byAnyone = path === operatorPaths.identity
    const content = contentOf(answer, { secret: token, request, params, byAnyone })
    if ('error' in content) throw fromWireError(content.error)
    return content
  }

  /** An idle connection may have been closed before the call arrived: retries once. */
  async function postWithRetry(path: string, body: string, limits: CallLimits) {
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
    const { answer } = await postWithRetry(operatorPaths.identity, '{}', limits)
    const received = (answer ?? {}) as { readonly address?: unknown; readonly id?: unknown }
    if (!same(received.address, address)) throw otherOperator('operator', received.address)
    if (!same(received.id, id)) throw otherOperator('BLS key', received.id)
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
    look() {
      // While it does not answer, `presence` asks.
      if (looking || presence.problem() !== undefined) return
      looking = true
      void identify()
        .then(presence.answered, presence.missed)
        .finally(() => {
          looking = false
        })
    },
    problem: presence.problem,
    call: (path, request, limits) =>
      circuit.run(async () => {
        try {
          await unlessAborted(limits.signal, check())
          const answer = await postWithRetry(path, JSON.stringify(request), limits)
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

const same = (received: unknown, expected: string): boolean =>
  typeof received === 'string' && received.toLowerCase() === expected.toLowerCase()

/** The URLs of two operators are swapped, or the operator was started with another key. */
function otherOperator(what: string, received: unknown) {
  const name =
    typeof received === 'string' && /^0x[0-9a-fA-F]{40,64}$/.test(received) ? received : 'none'
  return operatorUnreachable(`${what} ${name} answers instead`, undefined, false)
}
