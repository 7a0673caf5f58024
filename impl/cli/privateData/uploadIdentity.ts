import { registerIdentity } from 'polgate-client/index.ts'
import { withClientErrors } from '../stack/asCommandFailure.ts'
import { clientOf, findTarget } from '../stack/serviceTarget.ts'
import { domainOf } from './domainOption.ts'
import { readIdentityFile } from './identityFile.ts'
import { accountOf, type KeyOptions, registryOf, walletOf } from './privateTarget.ts'

export type UploadIdentityOptions = KeyOptions & {
  readonly domain: string
  readonly target?: string
  readonly json?: boolean
}

/** `polgate identity upload`. @throws CommandError, which contains nothing of the data */
export async function uploadIdentity(file: string, options: UploadIdentityOptions): Promise<void> {
  const identityDomain = domainOf(options.domain)
  const plaintext = await readIdentityFile(file, Date.now)
  const target = await findTarget(options.target)
  const identityRegistry = registryOf(target, 'identityRegistry')
  const account = await accountOf(target, options, 'sender')
  const client = clientOf(target, ['rpc', 'write'])
  const walletClient = walletOf(target, account)
  const { dataRefId, receipt } = await withClientErrors(() =>
    registerIdentity(client, { walletClient, identityRegistry, identityDomain, plaintext }),
  )
  plaintext.fill(0)
  const { address: identityOwner } = account
  const block = Number(receipt.blockNumber)
  if (options.json) {
    console.log(JSON.stringify({ identityOwner, identityDomain, dataRefId, block }))
    return
  }
  console.log(`registered  in block ${block}`)
  console.log(`owner       ${identityOwner}`)
  console.log(`domain      ${identityDomain}`)
  console.log(`reference   ${dataRefId}`)
  console.log('next        polgate identity link: no policy reads it before')
}
