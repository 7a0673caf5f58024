import { type Method, NoParams } from './method.ts'
import { PublicKeyResult } from './publicKey.ts'

/** Section 4.10. */
export const getPrivacyPublicKey = {
  summary: 'Serves the key that identity and confidential data are sealed to.',
  permission: 'RpcRead',
  params: NoParams,
  result: PublicKeyResult,
} as const satisfies Method
