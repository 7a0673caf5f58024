import type { Expectation } from '../core/expectation.ts'
import { shown } from '../core/shown.ts'
import {
  differs,
  type Expectations,
  equals,
  equalsFact,
  fact,
  required,
  satisfies,
} from './expectation.ts'

const failsLike = (says: RegExp): Expectation =>
  satisfies(`a failure like ${says}`, (failure) => says.test(String(failure)))

const namesTheMember = fact('named', 'the name of the member')

export const methods: Expectations = {
  'rpc.getSecretsPublicKey.no-params.*': { answer: equals('accepted') },
  'rpc.getPrivacyPublicKey.shape': { served: equals('yes') },
  'rpc.publicKey.observed.envelope-forms': {
    secrets: equals(['general', 'bound']),
    privacy: equals(['general', 'bound']),
  },
  'rpc.simulatePolicyData.observed.submitted': { opened: equals(['fresh']) },
  'rpc.getIdentity.letter-case': { 'same-reference': equals(true) },
  'rpc.uploadIdentity.deadline': {
    'seconds-ahead': satisfies('300 at most', (seconds) => Number(seconds) <= 300),
  },
  'rpc.storeSecrets.misfit.*': { details: namesTheMember },
  'rpc.storeSecrets.schema.*': { details: namesTheMember },
  'rpc.uploadConfidential.accepted': { 'data-ref-id': equalsFact('hash') },
  'rpc.uploadConfidential.registered-later': { 'data-type': equals('of-a-check') },
  'rpc.storeSecrets.observed.unknown-member': { 'unknown-member': required },
  'rpc.uploadConfidential.other-key': {
    answer: differs('accepted', 'refused'),
  },
  'rpc.uploadConfidential.observed.again': {
    again: equals('accepted'),
    'other-chain': differs('accepted', 'refused'),
  },
  'rpc.uploadIdentity.observed.again': {
    again: equals('accepted'),
  },
  'rpc.uploadIdentity.observed.chain': {
    'other-chain': differs('accepted', 'refused'),
  },
  'rpc.uploadIdentity.other-key': {
    answer: differs('accepted', 'refused'),
  },
  'rpc.privateData.identity': {
    unlinked: equals('denied'),
    linked: equals('allowed'),
    'another-user': equals('denied'),
    replaced: equals('denied'),
    'replaced-again': equals('allowed'),
    revoked: equals('denied'),
  },
  'rpc.privateData.confidential': {
    'not-granted': equals('failed'),
    listed: equals('denied'),
    'new-version': equals('allowed'),
    revoked: equals('failed'),
  },
  'rpc.privateData.ephemeral': {
    enough: equals('allowed'),
    'too-low': equals('denied'),
    'another-client': equals('failed'),
    absent: equals('denied'),
  },
  'rpc.privateData.secrecy': {
    decision: equals('allowed'),
    malformed: equals('failed'),
    places: equals([]),
  },
  'rpc.createTask.observed.spend-warnings': {
    spendable: equals('none'),
    'low-threshold': equals(['threshold_below_minimum']),
    'other-chain': equals(['other_chain']),
    'no-calldata': equals('none'),
  },
  'rpc.sendTask.option.*': { task: differs('not shown', 'the task') },
  'rpc.sendTask.observed.timeout': {
    failure: equals(undefined),
  },
  'rpc.sendTask.observed.timestamp': {
    timestamp: fact('near', 'the current unix seconds'),
  },
  'rpc.sendTask.attested': {
    'signed-result': required,
    members: equalsFact('ofCreateTask'),
  },
  'rpc.sendTask.denied': {
    'signed-result': required,
    'listed-recipient': equals(true),
    'another-recipient': equals(false),
  },
  'rpc.sendTask.task-id': {
    nonces: equalsFact('inTurn'),
    ids: equalsFact('computed'),
  },
  'rpc.sendTask.observed.duplicate': {
    'sent-again': equals(-32616),
    'created-again': equals(['failed', true]),
  },
  'rpc.simulateTask.observed.expired-data': {
    answer: failsLike(/policyData\[0\] expired at block 1;/),
  },
  'rpc.simulateTask.observed.forged-attestation': {
    answer: failsLike(/policyData\[0\] (is not attested|has an attestation)/),
  },
  'rpc.simulateTask.observed.other-client': {
    answer: failsLike(/^-32602 .*policy_task_data\.policy(Address|Id) /),
  },
  'rpc.simulateTask.observed.without-attestation': {
    answer: equals('evaluated'),
  },
  'rpc.simulateTask.observed.oracle-error-reason': {
    allow: satisfies('not true', (allow) => allow !== true),
    reason: satisfies(
      (facts) => `names ${facts.error}`,
      (reason, { error }) => typeof reason === 'string' && reason.includes(String(error)),
    ),
  },
  'rpc.simulateTask.observed.same-client': {
    answer: equals('evaluated'),
  },
  'rpc.storeSecrets.observed.without-*': {
    answer: satisfies(
      (facts) => `-32602 that names ${facts.member}`,
      (answer: string, { member }) =>
        new RegExp(`^-32602 Invalid request format: .*${member}`).test(answer),
    ),
  },
  'rpc.registerWebhook.observed.unknown-type': {
    'not-named': equals([]),
  },
  'rpc.registerWebhook.observed.messages': {
    registered: satisfies(
      (facts) => `Webhook registered for ${facts.url}`,
      (message, { url }) => message === `Webhook registered for ${url}`,
    ),
    unregistered: equals('Webhook unregistered'),
  },
  'rpc.registerWebhook.observed.again': {
    failure: equals(undefined),
  },
  'rpc.registerWebhook.private.*': {
    answer: equals('refused'),
  },
  'rpc.registerWebhook.port.*': {
    answer: equals('refused'),
  },
  'rpc.*Webhook.permission.*': {
    status: equals(403),
    body: satisfies('RpcRead permission required', (body) =>
      /RpcRead permission required/.test(shown(body)),
    ),
  },
}
