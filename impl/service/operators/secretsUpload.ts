import { ContentError } from '../content/contentError.ts'
import type { ContentStore } from '../content/contentStore.ts'
import type { EncryptionKey } from '../envelopes/encryptionKey.ts'
import { EnvelopeError } from '../envelopes/envelopeError.ts'
import { openSecrets } from '../envelopes/secrets.ts'
import { uploadRefused } from '../envelopes/secretsSchema.ts'
import type { SecretsAnswer, SecretsRequest } from './operator.ts'
import type { SecretsCheck } from './secretsCheck.ts'

export type SecretsUploadParts = {
  readonly secretsKey: EncryptionKey
  readonly chainId: number
  readonly content: Pick<ContentStore, 'get'>
  readonly secretsCheck: SecretsCheck
}

/**
 * Validates secrets to be stored: fetches their schema, decrypts them in memory, validates and
 * discards them (sections 2.7, 4.5). Returns only the schema.
 *
 * @throws ServiceError `Secrets upload validation failed: {details}`; details never contain a
 * secret
 */
export async function checkSecretsUpload(
  parts: SecretsUploadParts,
  { policyClient, policyDataAddress: policyData, schemaCid, envelope }: SecretsRequest,
  signal: AbortSignal,
): Promise<SecretsAnswer> {
  const schema = await schemaText(parts.content, schemaCid, signal)
  const { secretsKey: key, chainId } = parts
  const scope = { policyClient, chainId, use: 'secrets', policyData } as const
  const { bytes } = await openSecrets({ ...scope, envelope, key }).catch((error) => {
    throw error instanceof EnvelopeError ? uploadRefused(error.message) : error
  })
  const secrets = Buffer.from(bytes).toString('utf8')
  await parts.secretsCheck.check({ policyClient, schema, secrets }, signal)
  return { schema }
}

async function schemaText(
  content: Pick<ContentStore, 'get'>,
  cid: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await content.get(cid, { signal }))
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ContentError) throw uploadRefused(`the secrets schema: ${error.message}`)
    throw uploadRefused('the secrets schema is not JSON')
  }
}
