import { createChainClient } from 'polgate-chain/client.ts'
import { readProviderDataType } from 'polgate-chain/confidentialDataRegistry.ts'
import { publishConfidentialData } from 'polgate-client/index.ts'
import { CommandError } from '../commandDefinition.ts'
import { withClientErrors } from '../stack/asCommandFailure.ts'
import { chainOf, clientOf, findTarget } from '../stack/serviceTarget.ts'
import { readConfidentialFile } from './confidentialFile.ts'
import { domainOf } from './domainOption.ts'
import { accountOf, type KeyOptions, registryOf, walletOf } from './privateTarget.ts'

export type PublishConfidentialOptions = KeyOptions & {
  readonly domain: string
  readonly target?: string
  readonly json?: boolean
}

/** `polgate confidential publish`. @throws CommandError, which contains nothing of the data */
export async function publishConfidential(
  file: string,
  options: PublishConfidentialOptions,
): Promise<void> {
  const domain = domainOf(options.domain)
  const target = await findTarget(options.target)
  const confidentialDataRegistry = registryOf(target, 'confidentialDataRegistry')
  const account = await accountOf(target, options, 'provider')
  const { address: provider } = account
  const reader = createChainClient({ rpcUrl: chainOf(target).rpcUrl })
  const dataType = await readProviderDataType(reader, confidentialDataRegistry, provider)
  if (dataType === undefined)
    throw new CommandError(`${provider} is not a provider of confidential data`, {
      hint: 'The owner of the registry registers providers with a data type.',
    })
  const { bytes, entries } = await readConfidentialFile(file, dataType)
  const client = clientOf(target, ['rpc', 'write'])
  const walletClient = walletOf(target, account)
  const { dataRefId, version, receipt } = await withClientErrors(() =>
    publishConfidentialData(client, {
      ...{ walletClient, confidentialDataRegistry, domain, plaintext: bytes },
    }),
  )
  bytes.fill(0)
  const block = Number(receipt.blockNumber)
  if (options.json) {
    console.log(JSON.stringify({ provider, dataType, domain, version, dataRefId, entries, block }))
    return
  }
  console.log(`published  version ${version} in block ${block}, ${entries} entries`)
  console.log(`provider   ${provider}, ${dataType}`)
  console.log(`domain     ${domain}`)
  console.log(`reference  ${dataRefId}`)
}
