import { randomBytes } from 'node:crypto'
import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import { BackendUnavailable } from './gateway/errors.ts'
import type { OperatorConfig } from './operatorConfig.ts'
import { remoteKeyHolder } from './operators/keyShareRemote.ts'
import { switchedKeyHolder } from './operators/keyShareSwitch.ts'
import type { OperatorConnection } from './operators/operatorConnection.ts'
import { asConfiguration, rosterRulesOf } from './rosterConfig.ts'
import type { ServiceConfig } from './serviceConfig.ts'
import { type FoundKey, findOrMakeKey } from './threshold/coordinator.ts'
import type { RandomBytes } from './threshold/group.ts'
import type { GroupKey } from './threshold/groupKey.ts'
import { type KeyControl, keyControl } from './threshold/keyControl.ts'
import { type LifecycleOptions, readStatuses } from './threshold/keyEpochs.ts'
import { createKeyHolder, type KeyMember, type LocalKeyHolder } from './threshold/keyHolder.ts'
import type { Approve } from './threshold/opening.ts'
import type { PartialDecryptions } from './threshold/partial.ts'
import { requireEpoch } from './threshold/reshareKey.ts'
import { identityOf, placeOf, type Roster } from './threshold/roster.ts'
import type { RosterRules } from './threshold/rosterRules.ts'
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
  /** Undefined until the operators have returned or created it; the epoch in use. */
  readonly key: GroupKey | undefined
  /** X25519, hex. @throws BackendUnavailable (section 7.4) until the key exists */
  readonly publicKey: string
  /** In the order of the configuration; a stopped operator does not answer. */
  readonly holders: readonly KeyMember[]
  /** Of the epoch in use, which a resharing changes; holders in the order of its roster. */
  readonly members: { readonly needed: number; readonly holders: readonly KeyMember[] }
  /** Refreshes, reshares and recovers; the service uses the next epoch at once. */
  readonly control: KeyControl
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
  const { rules, holders } = membersOf(options)
  const { roster } = rules
  const closing = new AbortController()
  let key: GroupKey | undefined
  let lastError = 'not requested yet'
  let timer: NodeJS.Timeout | undefined
  let attempt: Promise<void> = Promise.resolve()
  const inUse = (): Roster => key?.session.roster ?? roster

  async function find(): Promise<void> {
    const timeout = AbortSignal.timeout(config.threshold?.timeoutMs ?? 0)
    const { signal, release } = linkedSignal(closing.signal, timeout)
    try {
      const found =
        (await findReshared({ members: holders, rules, random, signal })) ??
        (await findOrMakeKey({ holders: inRoster(holders, roster), roster, random, signal }))
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
    members: {
      get needed() {
        return inUse().needed
      },
      get holders() {
        return inRoster(holders, inUse())
      },
    },
    control: keyControl({
      ...{ members: holders, rules, random },
      timeoutMs: config.threshold?.timeoutMs ?? 0,
      closing: closing.signal,
      onKey(next) {
        key = next
      },
    }),
    async close() {
      closing.abort()
      clearTimeout(timer)
      await attempt
    },
  }
}

/** The key of a later epoch than the generated one, after a run that was interrupted is settled. */
async function findReshared(options: LifecycleOptions): Promise<FoundKey | undefined> {
  const statuses = await readStatuses(options)
  const reshared = statuses.some(
    ({ status }) => status && ((status.epoch ?? 0) > 1 || status.next !== null || status.retired),
  )
  if (!reshared) return undefined
  const { key, users } = await requireEpoch(options)
  return { key, made: false, holders: users.length }
}

const inRoster = (holders: readonly KeyMember[], { members }: Roster): KeyMember[] =>
  members.map(
    ({ address }) =>
      holders.find((holder) => sameAddress(holder.address, address)) ?? outsider(address),
  )

const sameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const isMember = ({ roster, next }: RosterRules, address: KeyMember['address']): boolean =>
  [roster, next].some((one) => one !== undefined && placeOf(one, address) > 0)

/**
 * The threshold key holders of the operators in this process, at the indexes of their operators;
 * none without threshold mode, and none for an operator that is in no roster.
 *
 * @throws ServiceError for an invalid configuration
 */
export function localKeyHolders(
  config: ServiceConfig,
  given: {
    readonly random: RandomBytes
    /** Called for each operator: each counts its own answers. */
    readonly approve: () => Approve
    readonly decryptions?: PartialDecryptions | undefined
  },
): readonly (LocalKeyHolder | undefined)[] {
  const { threshold } = config
  if (threshold === undefined) return []
  const rules = rosterRulesOf(config)
  return config.operators.map((entry) =>
    entry.kind === 'remote' || !isMember(rules, entry.address)
      ? undefined
      : keyHolderOf(
          entry.address,
          {
            ...threshold,
            members: [...rules.roster.members],
            next: rules.next,
            key: entry.thresholdKey as string,
          },
          { ...given, approve: given.approve() },
        ),
  )
}

function membersOf({ config, operators, connections, localHolders }: PrivacyKeyOptions): {
  rules: RosterRules
  holders: KeyMember[]
} {
  const rules = rosterRulesOf(config)
  if (config.threshold === undefined) return { rules, holders: [] }
  const holders = config.operators.map(({ address }, at) => {
    const holder = !isMember(rules, address)
      ? outsider(address)
      : (localHolders[at] ?? remoteKeyHolder({ address, connection: connections[at]! }))
    return switchedKeyHolder(holder, operators[at] ?? { running: true })
  })
  return { rules, holders }
}

/** An operator that is in no roster of the configuration. */
function outsider(address: KeyMember['address']): KeyMember {
  const refuse = async (): Promise<never> => {
    throw new ThresholdError('state', `${address} is not a member of the key`)
  }
  return {
    ...{ address, status: refuse, generate: refuse, complete: refuse, open: refuse },
    ...{ reshare: refuse, settle: refuse, recover: refuse },
  }
}

/**
 * The threshold key holder of one operator in this process.
 *
 * @throws ServiceError for an invalid configuration
 */
export function keyHolderOf(
  address: OperatorConfig['address'],
  config: Omit<NonNullable<OperatorConfig['threshold']>, 'key' | 'keyFile' | 'next'> & {
    readonly next?: Roster | undefined
    /** Ed25519, 32 bytes of hex. */
    readonly key: string
  },
  {
    random = randomBytes,
    approve,
    decryptions,
  }: {
    readonly random?: RandomBytes
    readonly approve: Approve
    readonly decryptions?: PartialDecryptions | undefined
  },
): LocalKeyHolder {
  const { key, needed, members, next, resharing, directory, openings } = config
  return asConfiguration(() =>
    createKeyHolder({
      identity: identityOf(address, key),
      roster: { needed, members },
      next,
      anyRoster: resharing === 'members',
      file: shareFile(directory, address),
      random,
      decryptions,
      approve: openings === 'granted' ? approve : () => false,
    }),
  )
}
