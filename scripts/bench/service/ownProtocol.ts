import { deployPolicyClient } from 'polgate-chain/deploy.ts'
import { possessionDigest, registerOperator } from 'polgate-chain/operators.ts'
import { readClientContext } from 'polgate-chain/reads.ts'
import type { Transactor } from 'polgate-chain/transactor.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { blsKey } from 'polgate-service/attestation/bls.ts'

/** Policy clients of the fixtures that benchmarks send tasks for. */
export const fixtures = ['allow-list', 'priced-transfer'] as const

/** Registers this many operators of equal stake in quorum 0. */
export async function registerOperators(
  owner: Transactor,
  operatorRegistry: `0x${string}`,
  count: number,
) {
  const { chainId } = owner
  const operators = []
  for (let at = 0; at < count; at++) {
    const secret = Buffer.alloc(32)
    secret.writeUInt32BE(at + 1, 28)
    const key = blsKey(secret)
    const { pubkeyG1, pubkeyG2 } = key
    const address = `0x${(0x10000 + at).toString(16).padStart(40, '0')}` as const
    const possession = key.sign(possessionDigest({ chainId, operatorRegistry, account: address }))
    const registration = { account: address, pubkeyG1, pubkeyG2, possession, stakes: { 0: 10n } }
    await registerOperator(owner, operatorRegistry, registration)
    operators.push({ kind: 'local' as const, address, blsKey: secret.toString('hex') })
  }
  return operators
}

type Clients = StackDescription['clients']

/** The clients of the stack, those of the fixtures deployed anew for another task manager. */
export async function clientsOf(
  owner: Transactor,
  protocol: { readonly taskManager: `0x${string}` },
  given: Clients,
): Promise<Clients> {
  const clients = { ...given }
  for (const fixture of fixtures) {
    const { policyAddress: policy } = clients[fixture]!
    const policyClient = await deployPolicyClient(owner, protocol, {
      kind: 'sample',
      policy,
      policyParams: JSON.stringify(await paramsOf(owner, clients[fixture]!.policyClient)),
    })
    clients[fixture] = { ...clients[fixture]!, policyClient }
  }
  return clients
}

async function paramsOf(owner: Transactor, policyClient: `0x${string}`): Promise<unknown> {
  const { policyConfig } = await readClientContext({ client: owner.client, policyClient })
  return JSON.parse(policyConfig.policyParams)
}
