import { type Attestation, decodeEvidence, type Evidence, encodeEvidence } from './attestation.ts'

/** Attestations with one changed part, which the contract must reject. */
export const withResponse = (
  a: Attestation,
  change: Partial<Attestation['response']>,
): Attestation => ({
  ...a,
  response: { ...a.response, ...change },
})
export const withTask = (a: Attestation, change: Partial<Attestation['task']>): Attestation => ({
  ...a,
  task: { ...a.task, ...change },
})
export const withEvidence = (a: Attestation, change: (e: Evidence) => Evidence): Attestation => ({
  ...a,
  signatureData: encodeEvidence(change(decodeEvidence(a.signatureData))),
})
export const withIntent = (
  a: Attestation,
  change: Partial<Attestation['task']['intent']>,
): Attestation => ({
  ...a,
  task: { ...a.task, intent: { ...a.task.intent, ...change } },
  response: { ...a.response, intent: { ...a.response.intent, ...change } },
})
