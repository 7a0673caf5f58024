/**
 * Prints the environment of `scripts/compose.yaml` for the development chain: the public keys of
 * `polgate start`, and generated passwords and tokens. Run it in the image, because it prints the
 * addresses of its contracts.
 */
import { randomBytes } from 'node:crypto'
import { devAccounts, devEncryptionKeys, devOperators } from 'polgate-local/devKeys.ts'
import { findImage } from 'polgate-local/localChain.ts'

const image = await findImage(undefined)
if (image === undefined)
  throw new Error('No chain image found: run `polgate start --exec true` once')
const { protocol, operators } = image.deployment
const secret = () => randomBytes(24).toString('hex')
const values: Record<string, string> = {
  POSTGRES_PASSWORD: secret(),
  CHAIN_RPC_URL: 'http://chain:8545',
  TASK_MANAGER: protocol.taskManager,
  OPERATOR_REGISTRY: protocol.operatorRegistry,
  POLICY_FACTORY: protocol.policyFactory,
  GATEWAY_KEY: devAccounts.gateway.privateKey,
  SECRETS_KEY: devEncryptionKeys.secrets,
  PRIVACY_KEY: devEncryptionKeys.privacy,
}
operators.slice(0, 3).forEach(({ address, id }, at) => {
  const name = `OPERATOR_${at + 1}`
  const key = devOperators[at]?.blsKey ?? ''
  Object.assign(values, {
    [`${name}_ADDRESS`]: address,
    [`${name}_ID`]: id,
    [`${name}_BLS_KEY`]: key,
    [`${name}_TOKEN`]: secret(),
  })
})
for (const [name, value] of Object.entries(values)) console.log(`${name}=${value}`)
