import type { MethodName } from 'polgate-protocol/methods.ts'
import type { Check } from '../../core/check.ts'
import type { CheckContext } from '../../core/context.ts'
import { expectStatus } from '../assertions/httpStatus.ts'
import type { Subject } from './refusedMember.ts'
import { expectPrivacyKey, expectPublicKey, publicKey } from './requests.ts'
import {
  getConfidentialSubject,
  getIdentitySubject,
  uploadConfidentialSubject,
  uploadIdentitySubject,
} from './sealedDataSubjects.ts'
import {
  simulatePolicyDataSubject,
  simulateWithClientSubject,
  storeSecretsSubject,
} from './secretsSubjects.ts'
import {
  createTaskSubject,
  sendTaskSubject,
  simulatePolicySubject,
  simulateTaskSubject,
} from './subjects.ts'

/** The methods whose permission is specified: that of the webhook methods is open (section 4.9). */
export type TableMethod = Exclude<MethodName, 'registerWebhook' | 'unregisterWebhook'>

/** A method of section 4 and the permission that it requires. */
export type MethodRow = {
  readonly subject: Subject<TableMethod>
  readonly permission: 'RpcRead' | 'RpcWrite'
  /** The clause that defines the permission. */
  readonly clause: string
  /** Whether the gateway has the method, where that is open. */
  readonly served?: (t: CheckContext) => Promise<boolean>
}

const withoutParams = <M extends MethodName>(
  method: M,
  accepted: Subject['accepted'],
): Subject<M> => ({
  method,
  needs: ['key:read'],
  twin: `${method} with the read key`,
  params: () => ({}),
  accepted,
})

const secretsKeySubject = withoutParams('getSecretsPublicKey', async (t: CheckContext) =>
  expectPublicKey(await publicKey(t)),
)

const servedPrivacyKey = async (t: CheckContext) =>
  expectPrivacyKey(await t.gateway.call('getPrivacyPublicKey', {}))

/** If it is not served, the key of the other method is the twin. */
const privacyKeySubject = withoutParams(
  'getPrivacyPublicKey',
  async (t: CheckContext) => (await servedPrivacyKey(t)) ?? expectPublicKey(await publicKey(t)),
)

const read = (subject: MethodRow['subject'], clause: string): MethodRow => ({
  subject,
  permission: 'RpcRead',
  clause,
})
const write = (subject: MethodRow['subject'], clause: string): MethodRow => ({
  subject,
  permission: 'RpcWrite',
  clause,
})

/** The thirteen methods with a specified permission, in order. */
export const methodTable: readonly MethodRow[] = [
  read(createTaskSubject, '4.2-01'),
  read(sendTaskSubject, '4.3-01'),
  read(simulateTaskSubject, '4.4-01'),
  write(storeSecretsSubject, '4.5-01'),
  read(simulatePolicyDataSubject, '4.6-01'),
  read(simulateWithClientSubject, '4.7-01'),
  read(simulatePolicySubject, '4.8-01'),
  {
    ...read(privacyKeySubject, '4.10-02'),
    served: async (t) => (await servedPrivacyKey(t)) !== undefined,
  },
  read(secretsKeySubject, '4.10-01'),
  write(uploadIdentitySubject, '4.10-08'),
  read(getIdentitySubject, '4.10-18'),
  write(uploadConfidentialSubject, '4.10-22'),
  read(getConfidentialSubject, '4.10-30'),
]

/** Requirements of all of them together. */
export const methodTableNeeds: Check['needs'] = [
  ...new Set(methodTable.flatMap(({ subject }) => subject.needs)),
]

/** The method is refused with 403, and the required permission is named. */
export async function expectForbidden(
  t: CheckContext,
  { subject, permission }: MethodRow,
  key: 'none' | 'read' | 'write' | 'admin',
): Promise<void> {
  const answer = await t.gateway.call(subject.method, await subject.params(t), { key })
  expectStatus(answer, 403, new RegExp(`${permission} permission required`))
}
