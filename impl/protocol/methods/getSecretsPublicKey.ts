import { type Method, NoParams } from './method.ts'
import { PublicKeyResult } from './publicKey.ts'

/** Section 4.10. */
export const getSecretsPublicKey = {
  summary: 'Serves the key that oracle secrets are sealed to.',
  permission: 'RpcRead',
  params: NoParams,
  result: PublicKeyResult,
} as const satisfies Method
