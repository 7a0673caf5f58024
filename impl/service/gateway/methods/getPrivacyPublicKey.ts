import { publicKeyResult } from '../../envelopes/encryptionKey.ts'
import type { Handler } from './handler.ts'

/** Section 4.10: the key for identity and confidential data. */
export const getPrivacyPublicKey: Handler<'getPrivacyPublicKey'> = async (_, context) =>
  publicKeyResult({ publicKey: context.encryptionKeys.privacyPublicKey })
