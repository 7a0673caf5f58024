import { createHash } from 'node:crypto'
import { createTransactor, type Transactor } from 'polgate-chain/transactor.ts'
import { contentDirectory } from 'polgate-local/chainImage.ts'
import { createContentStore } from 'polgate-service/content/contentStore.ts'
import { defaultOracleLimits } from 'polgate-service/oracles/limits.ts'
import { parseEther } from 'viem'
import type { PolicyPackage } from '../package/policyPackage.ts'
import { readBytes, readComponent } from '../policy/inputFiles.ts'
import { loadMocks } from '../policy/test/loadMocks.ts'
import type { MockSources } from '../policy/test/mockTable.ts'
import { hostOf } from '../policy/test/secretHosts.ts'
import { checkComponents } from '../publish/checkComponents.ts'
import { clientContract } from '../publish/clientContract.ts'
import { allContents, packageContents } from '../publish/packageContents.ts'
import { readPublication } from '../publish/publication.ts'
import { planOf, runPlan } from '../publish/publishPlan.ts'
import { factoryOf, fundClient } from '../publish/publishPolicy.ts'
import type { PublishJob } from '../publish/publishSteps.ts'
import { type VerifiedPublication, verifyPublication } from '../publish/verifyPublication.ts'
import { withClientErrors } from '../stack/asCommandFailure.ts'
import { chainOf, clientOf } from '../stack/serviceTarget.ts'
import { accountOfKey } from '../stack/signingKey.ts'
import { checkPolicy, testSecretsOf } from './checkedPackage.ts'
import type { Report, Stage } from './devEvents.ts'
import type { DevStack } from './devStack.ts'

/** What a client pays the values of intents from. */
const funds = parseEther('10')

/** A package that was found valid. */
export type CheckedPackage = {
  readonly given: PolicyPackage
  readonly contents: Awaited<ReturnType<typeof packageContents>>
  readonly secrets: Awaited<ReturnType<typeof testSecretsOf>>
  readonly mocks: MockSources & { readonly files: readonly string[] }
}

export type DevPublisher = {
  /**
   * Reads and checks everything that the next task depends on; nothing changes.
   *
   * @throws CommandError, the reason of the signal
   */
  check(given: PolicyPackage, signal: AbortSignal): Promise<CheckedPackage>
  /**
   * Brings it into force: what is missing on chain, mocks, secrets. The client gets policy and parameters in one
   * transaction, before which the version before decides.
   *
   * @throws CommandError, ChainWriteError, ChainReadError, the reason of the signal
   */
  apply(checked: CheckedPackage, signal: AbortSignal): Promise<VerifiedPublication>
  /** What decides tasks now; undefined before the first `apply`. */
  current(): VerifiedPublication | undefined
}

/** Publishes a package again and again on one local stack. */
export async function createDevPublisher(
  { target, hosts, stateFile }: DevStack,
  { report, stage }: { readonly report: Report; readonly stage: (stage: Stage) => void },
): Promise<DevPublisher> {
  const { rpcUrl, chainId, taskManager } = chainOf(target)
  const policyFactory = factoryOf(target)
  const account = accountOfKey(target, 'owner')
  const owner: Transactor = await createTransactor({ rpcUrl, account })
  const store = createContentStore({
    directory: target.stack?.contentDirectory ?? contentDirectory,
  })
  const attesters = target.stack?.attesters ?? []
  const client = clientOf(target, ['rpc', 'write'])
  const components = rememberedComponents()
  /** Content ids in the store. */
  const stored = new Set<string>()
  /** Content ids of components that operators can load. */
  const loadable = new Set<string>()
  /** A digest of what was stored for the oracle of a client; empty where nothing is known. */
  const sealed = new Map<string, string>()
  let current: VerifiedPublication | undefined

  async function putSecrets(
    { given, secrets }: CheckedPackage,
    { client: policyClient, policyData }: VerifiedPublication,
  ): Promise<readonly string[]> {
    const done: string[] = []
    for (const { id, secretsSchema } of given.oracles) {
      const own = secrets.get(id)
      const policyDataAddress = policyData.find((each) => each.id === id)?.address
      if (secretsSchema === undefined || policyDataAddress === undefined) continue
      const place = `${policyClient} ${policyDataAddress}`
      if (own === undefined) {
        if (!sealed.has(place))
          report({
            event: 'note',
            message: `oracle ${id} has no testSecrets: store some with polgate secrets put --oracle ${id}`,
          })
        sealed.set(place, '')
        continue
      }
      const digest = createHash('sha256').update(JSON.stringify(own)).digest('hex')
      if (sealed.get(place) === digest) continue
      await withClientErrors(() =>
        client.storeSecrets({ policyClient, policyDataAddress, secrets: own }),
      )
      sealed.set(place, digest)
      done.push(id)
    }
    return done
  }

  return {
    current: () => current,
    async check(given, signal) {
      stage('policy')
      await checkPolicy(given)
      stage('package')
      const secrets = await testSecretsOf(given)
      const mocks =
        given.mocks === undefined
          ? { hosts: {}, exchanges: [], files: [] }
          : await loadMocks(given.mocks, secrets)
      stage('oracle')
      const idOf = (source: string) => given.oracles.find((each) => each.source === source)!.id
      const contents = await packageContents(given, target.brand, (source) =>
        components(source, signal, () => report({ event: 'building', oracle: idOf(source) })),
      )
      const { witPackage } = target.brand
      await checkComponents(contents, { witPackage, known: loadable, signal })
      return { given, contents, secrets, mocks }
    },
    async apply(checked, signal) {
      const { given, contents, mocks } = checked
      stage('publish')
      const contract = clientContract(given, {
        ...{ owner: account.address, taskManager, token: target.stack?.token },
      })
      for (const { cid, bytes } of allContents(contents)) {
        if (!stored.has(cid)) await store.put(bytes)
        stored.add(cid)
      }
      const job: PublishJob = {
        ...{ given, contents, client: contract, owner, policyFactory, attesters, stateFile },
      }
      const where = { chainId, policyFactory, deployer: account.address }
      const publication = await readPublication(given.directory, where, stateFile)
      signal.throwIfAborted()
      const { steps, known } = await planOf(job, publication)
      let left = steps.length
      const onStep = () => {
        left -= 1
        // After the last one the version is in force: what follows belongs to it.
        if (left > 0) signal.throwIfAborted()
      }
      const done = await runPlan(job, known, { onStep })
      const verified = await verifyPublication(job, done)
      const newClient = current?.client !== verified.client
      if (newClient) await fundClient(owner, verified.client, funds)
      current = verified
      await hosts?.set(mocks, allowedHosts(checked))
      const secrets = await putSecrets(checked, verified)
      const { client: policyClient, policy, policyId, policyData } = verified
      report({
        ...{
          event: 'applied',
          client: policyClient,
          newClient,
          policy,
          policyId,
          oracles: policyData,
        },
        ...{
          transactions: steps.length,
          secrets,
          mocks: hosts !== undefined && given.mocks !== undefined,
        },
      })
      return verified
    },
  }
}

/** Components of sources that have not changed are not read, and not hashed, again. */
function rememberedComponents() {
  const known = new Map<string, { readonly digest: string; readonly bytes: Uint8Array }>()
  return async (source: string, signal: AbortSignal, building: () => void): Promise<Uint8Array> => {
    const text = await readBytes(source, defaultOracleLimits.componentBytes)
    const digest = createHash('sha256').update(text).digest('hex')
    const before = known.get(source)
    if (before?.digest === digest) return before.bytes
    const bytes = await readComponent(source, building, signal)
    known.set(source, { digest, bytes })
    return bytes
  }
}

/** Hosts that oracles may ask; empty for any, as where one of them names none. */
const allowedHosts = ({ given, secrets }: CheckedPackage): readonly string[] =>
  given.oracles.every((oracle) => oracle.allowedHosts.length > 0)
    ? given.oracles
        .flatMap((oracle) => oracle.allowedHosts)
        .map((host) => hostOf(host, secrets, given.placeOf('oracles')))
    : []
