import { type Method, NoParams } from './method.ts'
import { PublicKeyResult } from './publicKey.ts'

/** Section 4.10. */
export const getPrivacyPublicKey = {
  summary: 'Returns the public key for sealing identity and confidential data.',
  permission: 'RpcRead',
  params: NoParams,
  result: PublicKeyResult,
} as const satisfies Method
