import { readClientContext } from 'polgate-chain/reads.ts'
import type { Address } from 'viem'
import { CommandError } from '../commandDefinition.ts'
import type { Publication } from './publication.ts'
import type { PublishJob } from './publishSteps.ts'

export type VerifiedPublication = {
  readonly client: Address
  readonly policyId: string
  readonly policy: Address
  readonly policyData: readonly { readonly id: string; readonly address: Address }[]
}

/**
 * Reads the client as a task does, and compares all of it with the package.
 *
 * @throws CommandError that names what differs, exit code 1; ChainReadError
 */
export async function verifyPublication(
  { given, contents, owner }: PublishJob,
  publication: Publication,
): Promise<VerifiedPublication> {
  const client = publication.client!.address as Address
  const found = await readClientContext({ client: owner.client, policyClient: client })
  const policyData = contents.oracles.map(({ id }) => ({
    id,
    address: publication.policyData[id] as Address,
  }))
  const compared: readonly (readonly [string, unknown, unknown])[] = [
    ['policy', found.policyAddress.toLowerCase(), publication.policy?.toLowerCase()],
    ['entrypoint', found.entrypoint, given.entrypoint],
    ['policy content', found.policyCid, contents.policy.cid],
    ['params schema', found.schemaCid, contents.paramsSchema?.cid ?? ''],
    ['params', found.policyConfig.policyParams, given.params?.text ?? '{}'],
    ['expireAfter', found.policyConfig.expireAfter, given.client.expireAfter],
    ['number of oracles', found.policyData.length, contents.oracles.length],
    ...contents.oracles.flatMap(({ id, component, secretsSchema }, at) => {
      const data = found.policyData[at]
      const address = policyData[at]?.address.toLowerCase()
      return [
        [`address of oracle ${id}`, data?.policyDataAddress.toLowerCase(), address],
        [`component of oracle ${id}`, data?.wasmCid, component.cid],
        [`secrets schema of oracle ${id}`, data?.secretsSchemaCid, secretsSchema?.cid ?? ''],
      ] as const
    }),
  ]
  const wrong = compared.filter(([, actual, wanted]) => actual !== wanted).map(([name]) => name)
  if (wrong.length > 0)
    throw new CommandError(`the client ${client} differs from the package: ${wrong.join(', ')}`, {
      hint: 'Another account may have changed it meanwhile: run publish again.',
      exitCode: 1,
    })
  return { client, policyId: found.policyId, policy: found.policyAddress, policyData }
}
