import { type Method, NoParams } from './method.ts'
import { PublicKeyResult } from './publicKey.ts'

/** Section 4.10. */
export const getSecretsPublicKey = {
  summary: 'Returns the public key for sealing oracle secrets.',
  permission: 'RpcRead',
  params: NoParams,
  result: PublicKeyResult,
} as const satisfies Method
