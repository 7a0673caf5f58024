import { expectResultObject } from '../assertions/expectAnswer.ts'
import type { Subject } from './refusedMember.ts'
import {
  acceptedConfidential,
  acceptedIdentity,
  confidentialNeeds,
  confidentialParams,
  identityNeeds,
  identityParams,
} from './sealedData.ts'

const right = (method: string) => `${method} with a valid value`

export const uploadIdentitySubject: Subject<'uploadIdentityEncrypted'> = {
  method: 'uploadIdentityEncrypted',
  needs: identityNeeds,
  twin: right('uploadIdentityEncrypted'),
  params: (t) => identityParams(t),
  key: 'write',
  accepted: acceptedIdentity,
}

export const uploadConfidentialSubject: Subject<'uploadConfidentialData'> = {
  method: 'uploadConfidentialData',
  needs: confidentialNeeds,
  twin: right('uploadConfidentialData'),
  params: (t) => confidentialParams(t),
  key: 'write',
  accepted: acceptedConfidential,
}

export const getIdentitySubject: Subject<'getIdentityEncrypted'> = {
  method: 'getIdentityEncrypted',
  needs: identityNeeds,
  twin: right('getIdentityEncrypted'),
  params: async (t) => ({ data_ref_id: (await acceptedIdentity(t)).result.data_ref_id }),
  accepted: async (t) =>
    expectResultObject(
      await t.gateway.call('getIdentityEncrypted', await getIdentitySubject.params(t)),
    ),
}

export const getConfidentialSubject: Subject<'getConfidentialData'> = {
  method: 'getConfidentialData',
  needs: confidentialNeeds,
  twin: right('getConfidentialData'),
  params: async (t) => ({ data_ref_id: (await acceptedConfidential(t)).result.data_ref_id }),
  accepted: async (t) =>
    expectResultObject(
      await t.gateway.call('getConfidentialData', await getConfidentialSubject.params(t)),
    ),
}
