import { randomBytes } from 'node:crypto'
import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { BackendUnavailable } from './gateway/errors.ts'
import type { OperatorConfig } from './operatorConfig.ts'
import { remoteKeyHolder } from './operators/keyShareRemote.ts'
import { switchedKeyHolder } from './operators/keyShareSwitch.ts'
import type { OperatorConnection } from './operators/operatorConnection.ts'
import { configHint, type ServiceConfig } from './serviceConfig.ts'
import { findOrMakeKey } from './threshold/coordinator.ts'
import type { RandomBytes } from './threshold/group.ts'
import type { GroupKey } from './threshold/groupKey.ts'
import { createKeyHolder, type KeyMember, type LocalKeyHolder } from './threshold/keyHolder.ts'
import type { Approve } from './threshold/opening.ts'
import { checkRoster, identityOf, type Member, type Roster } from './threshold/roster.ts'
import { shareFile } from './threshold/shareFile.ts'
import { ThresholdError } from './threshold/thresholdError.ts'

type Log = {
  info(details: object, message: string): void
  error(details: object, message: string): void
}

export type PrivacyKeyOptions = {
  readonly config: ServiceConfig
  /** In the order of the configuration. */
  readonly operators: readonly { readonly running: boolean }[]
  /** Of operators in separate processes, at the indexes of their operators. */
  readonly connections: readonly (OperatorConnection | undefined)[]
  /** Of operators in this process, at the indexes of their operators: see `localKeyHolders`. */
  readonly localHolders: readonly (KeyMember | undefined)[]
  readonly random: RandomBytes
  readonly log: Log
  /**
   * Milliseconds between two attempts; the rest of the service is available meanwhile. Default
   * 5,000.
   */
  readonly retryMs?: number
}

/** The privacy key of threshold mode (section 4.10). */
export type PrivacyKey = {
  /** Undefined until the operators have returned or created it. */
  readonly key: GroupKey | undefined
  /** X25519, hex. @throws BackendUnavailable (section 7.4) until the key exists */
  readonly publicKey: string
  /** In the order of the configuration; a stopped operator does not answer. */
  readonly holders: readonly KeyMember[]
  close(): Promise<void>
}

/**
 * Gets the key that the operators share, or has them create it. If operators are missing, the
 * service starts without it and retries; `getPrivacyPublicKey` is unavailable until then.
 *
 * @throws ServiceError for an invalid configuration
 */
export async function openPrivacyKey(options: PrivacyKeyOptions): Promise<PrivacyKey> {
  const { config, random, log, retryMs = 5_000 } = options
  const { roster, holders } = membersOf(options)
  const closing = new AbortController()
  let key: GroupKey | undefined
  let lastError = 'not requested yet'
  let timer: NodeJS.Timeout | undefined
  let attempt: Promise<void> = Promise.resolve()

  async function find(): Promise<void> {
    const timeout = AbortSignal.timeout(config.threshold?.timeoutMs ?? 0)
    const { signal, release } = linkedSignal(closing.signal, timeout)
    try {
      const found = await findOrMakeKey({ holders, roster, random, signal })
      key = found.key
      const { made, holders: count } = found
      log.info({ publicKey: key.publicKey, made, holders: count }, 'shared privacy key available')
    } catch (error) {
      if (closing.signal.aborted) return
      lastError = error instanceof Error ? error.message : 'unknown error'
      log.error({ err: error }, 'shared privacy key not available yet')
      timer = setTimeout(() => {
        attempt = find()
      }, retryMs).unref()
    } finally {
      release()
    }
  }
  attempt = find()
  await attempt

  return {
    get key() {
      return key
    },
    get publicKey() {
      if (key !== undefined) return key.publicKey
      throw new BackendUnavailable(
        new ThresholdError('state', `the operators have no shared privacy key yet: ${lastError}`),
      )
    },
    holders,
    async close() {
      closing.abort()
      clearTimeout(timer)
      await attempt
    },
  }
}

/** @throws ServiceError for an invalid configuration */
function rosterOf(config: ServiceConfig): Roster {
  const threshold = config.threshold
  if (threshold === undefined) throw invalid('threshold is missing')
  const members = config.operators.map((entry, at): Member => {
    const { address } = entry
    if (entry.kind === 'remote') {
      const { thresholdPublicKey: publicKey } = entry
      if (publicKey === undefined) throw invalid(`operators.${at} has no thresholdPublicKey`)
      return { address, publicKey }
    }
    if (entry.thresholdKey === undefined) throw invalid(`operators.${at} has no thresholdKey`)
    return { address, publicKey: identityOf(address, entry.thresholdKey).publicKey }
  })
  const roster = { needed: threshold.needed, members }
  asConfiguration(() => checkRoster(roster))
  return roster
}

/**
 * The threshold key holders of the operators in this process, at the indexes of their operators;
 * none without threshold mode.
 *
 * @throws ServiceError for an invalid configuration
 */
export function localKeyHolders(
  config: ServiceConfig,
  given: {
    readonly random: RandomBytes
    /** Called for each operator: each counts its own answers. */
    readonly approve: () => Approve
  },
): readonly (LocalKeyHolder | undefined)[] {
  const { threshold } = config
  if (threshold === undefined) return []
  const { members } = rosterOf(config)
  return config.operators.map((entry) =>
    entry.kind === 'remote'
      ? undefined
      : keyHolderOf(
          entry.address,
          { ...threshold, members: [...members], key: entry.thresholdKey as string },
          { random: given.random, approve: given.approve() },
        ),
  )
}

function membersOf({ config, operators, connections, localHolders }: PrivacyKeyOptions): {
  roster: Roster
  holders: KeyMember[]
} {
  const holders = config.operators.map(({ address }, at) => {
    const holder = localHolders[at] ?? remoteKeyHolder({ address, connection: connections[at]! })
    return switchedKeyHolder(holder, operators[at] ?? { running: true })
  })
  return { roster: rosterOf(config), holders }
}

/**
 * The threshold key holder of one operator in this process.
 *
 * @throws ServiceError for an invalid configuration
 */
export function keyHolderOf(
  address: OperatorConfig['address'],
  config: Omit<NonNullable<OperatorConfig['threshold']>, 'key' | 'keyFile'> & {
    /** Ed25519, 32 bytes of hex. */
    readonly key: string
  },
  { random = randomBytes, approve }: { readonly random?: RandomBytes; readonly approve: Approve },
): LocalKeyHolder {
  const { key, needed, members, directory, openings } = config
  return asConfiguration(() =>
    createKeyHolder({
      identity: identityOf(address, key),
      roster: { needed, members },
      file: shareFile(directory, address),
      random,
      approve: openings === 'granted' ? approve : () => false,
    }),
  )
}

function asConfiguration<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof ThresholdError ? invalid(error.message, error) : error
  }
}

const invalid = (message: string, cause?: unknown) =>
  new ServiceError(`Invalid configuration: ${message}`, {
    code: errorCode.internalError,
    clause: 'section 4.10',
    hint: configHint,
    cause,
  })
