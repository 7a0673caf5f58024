import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devAccount } from 'polgate-chain/accounts.ts'
import { deployPolicy, deployPolicyClient, deployPolicyData } from 'polgate-chain/deploy.ts'
import { readClientContext } from 'polgate-chain/reads.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import { buildComponent } from 'polgate-fixtures/oracles/build.ts'
import { AppError } from 'polgate-lib/errors/appError.ts'
import { devAccounts } from 'polgate-local/devKeys.ts'
import { sealSecrets } from 'polgate-service/envelopes/secrets.ts'
import type {
  DeployedPolicy,
  OracleDeploymentRequest,
  PolicyDeploymentRequest,
} from '../stack/controlWire.ts'
import type { RunningStack } from './runningStack.ts'

export class PolicyDeploymentError extends AppError {}

const domain = { name: 'PolicyClient', version: '1' }
/**
 * Stores contents, deploys oracles, policy and client, owned by the stack's owner account, and
 * stores the secrets of the oracles.
 *
 * @throws PolicyDeploymentError ChainWriteError
 */
export async function deployPolicyOf(
  stack: RunningStack,
  request: PolicyDeploymentRequest,
): Promise<DeployedPolicy> {
  const { content, chain, deployment } = stack.fixtures
  const { protocol, token } = deployment
  const json = (value: unknown) =>
    value === undefined ? '' : content.put(Buffer.from(JSON.stringify(value)))
  const [policyCid, schemaCid, components] = await Promise.all([
    content.put(Buffer.from(request.rego)),
    json(request.paramsSchema),
    Promise.all(
      request.oracles.map(async (oracle) => ({
        wasmCid: await content.put(await componentOf(oracle)),
        secretsSchemaCid: await json(oracle.secretsSchema),
      })),
    ),
  ])
  const owner = await createTransactor({ rpcUrl: chain.url, account: devAccount(0) })
  const policyData: { address: `0x${string}`; name: string; wasmCid: string }[] = []
  for (const [at, cids] of components.entries()) {
    const address = await deployPolicyData(owner, {
      ...cids,
      expireAfter: request.expireAfter,
      attesters: [devAccounts.gateway.address],
    })
    policyData.push({ address, name: request.oracles[at]!.name, wasmCid: cids.wasmCid })
  }
  const policyAddress = await deployPolicy(owner, protocol, {
    entrypoint: request.entrypoint,
    policyCid,
    schemaCid,
    policyData: policyData.map(({ address }) => address),
  })
  const policyClient = await deployPolicyClient(owner, protocol, {
    kind: request.client,
    policy: policyAddress,
    policyParams: request.paramsText,
    expireAfter: request.expireAfter,
    domainName: domain.name,
    domainVersion: domain.version,
    token,
  })
  await storeSecrets(stack, policyClient, policyData, request.oracles)
  const { policyId } = await readClientContext({ client: owner.client, policyClient })
  const { expireAfter } = request
  return { policyClient, policyAddress, policyId, policyData, domain, expireAfter }
}

async function storeSecrets(
  { store, service, fixtures }: RunningStack,
  policyClient: DeployedPolicy['policyClient'],
  policyData: DeployedPolicy['policyData'],
  oracles: PolicyDeploymentRequest['oracles'],
): Promise<void> {
  for (const [at, { secrets }] of oracles.entries()) {
    if (secrets === undefined) continue
    const envelope = await sealSecrets({
      secrets: secrets as Record<string, string>,
      policyClient,
      chainId: fixtures.chain.chainId,
      recipientPublicKey: service().encryptionKeys.secretsPublicKey,
    })
    const policyDataAddress = policyData[at]!.address
    await store.secrets.put({ policyClient, policyDataAddress }, envelope)
  }
}

async function componentOf({ name, component }: OracleDeploymentRequest): Promise<Uint8Array> {
  const bytes = Buffer.from(component.base64, 'base64')
  if (component.kind === 'wasm') return bytes
  const directory = await mkdtemp(join(tmpdir(), 'polgate-oracle-'))
  try {
    const path = join(directory, `oracle.${component.kind}`)
    await writeFile(path, bytes)
    return await buildComponent({ name, path }).catch((cause: Error) => {
      // Compilers are large and optional; the error names the one that is missing.
      throw new PolicyDeploymentError(cause.message, {
        hint: 'Or pass a compiled component (.wasm).',
        cause,
      })
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
