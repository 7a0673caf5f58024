import { publicKeyResult } from '../../envelopes/encryptionKey.ts'
import type { Handler } from './handler.ts'

/** Section 4.10: the key that identity and confidential data are sealed to. */
export const getPrivacyPublicKey: Handler<'getPrivacyPublicKey'> = async (_, context) =>
  publicKeyResult({ publicKey: context.encryptionKeys.privacyPublicKey })
