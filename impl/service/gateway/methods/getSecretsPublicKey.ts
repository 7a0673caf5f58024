import { publicKeyResult } from '../../envelopes/encryptionKey.ts'
import type { Handler } from './handler.ts'

/** Section 4.10: the key for oracle secrets. */
export const getSecretsPublicKey: Handler<'getSecretsPublicKey'> = async (_, context) =>
  publicKeyResult({ publicKey: context.encryptionKeys.secretsPublicKey })
