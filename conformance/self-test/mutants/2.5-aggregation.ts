import {
  decodeAttestation,
  decodeEvidence,
  type Evidence,
  encodeAttestation,
  encodeEvidence,
} from 'polgate-conformance/crypto/attestation.ts'
import { type Hex, keccak256, toHex } from 'viem'
import type { Mutant } from './mutant.ts'
import { changedResult, type Json } from './wrappedListeners.ts'

const g1 = ({ X, Y }: { readonly X: bigint; readonly Y: bigint }) => ({ X: toHex(X), Y: toHex(Y) })

/** The evidence in the JSON format of a task result. */
const viewOf = (evidence: Evidence): Json => ({
  ...evidence,
  nonSignerPubkeys: evidence.nonSignerPubkeys.map(g1),
  quorumApks: evidence.quorumApks.map(g1),
  apkG2: { X: evidence.apkG2.X.map((x) => toHex(x)), Y: evidence.apkG2.Y.map((y) => toHex(y)) },
  sigma: g1(evidence.sigma),
})

/** Replaces the evidence wherever a result contains it: a gateway with a faulty aggregation. */
const aggregating = (change: (evidence: Evidence) => Evidence) =>
  changedResult('createTask', (result) => {
    const given = result.signature_data as Hex | undefined
    if (given === undefined) return result
    const evidence = change(decodeEvidence(given))
    const signatureData = encodeEvidence(evidence)
    if (signatureData === given) return result
    const { aggregation_response, task_response, validate_calldata } = result
    const calldata =
      validate_calldata &&
      encodeAttestation({ ...decodeAttestation(validate_calldata), signatureData })
    return {
      ...result,
      aggregation_response: {
        ...aggregation_response,
        non_signer_stakes_and_signature: viewOf(evidence),
      },
      task_response: { ...task_response, signature_data: signatureData },
      signature_data: signatureData,
      ...(calldata === undefined ? {} : { validate_calldata: calldata }),
    }
  })

/** The modulus of the curve's base field. */
const modulus = 21888242871839275222246405745257275088696311157297823662689037894645226208583n

/** Faults in the aggregate (sections 1 and 2.5). */
export const attestationMutants: readonly Mutant[] = [
  {
    id: 'attestation.digest-of-digest',
    fault: 'returns the hash of the signed digest as task_response_digest',
    clauses: ['2.5-04'],
    parts: changedResult('createTask', (result) => {
      const { aggregation_response: response } = result
      if (response?.task_response_digest === undefined) return result
      const task_response_digest = keccak256(response.task_response_digest)
      return { ...result, aggregation_response: { ...response, task_response_digest } }
    }),
  },
  {
    id: 'attestation.other-root',
    fault: 'aggregates over another point than the one of the digest: the other root',
    clauses: ['2.5-27', '2.5-13', '2.5-19'],
    parts: aggregating((evidence) => ({
      ...evidence,
      sigma: { X: evidence.sigma.X, Y: modulus - evidence.sigma.Y },
    })),
  },
  {
    id: 'attestation.signature-of-earlier-task',
    fault: 'aggregates over the digest of the first task for every task',
    clauses: ['2.5-27'],
    parts: (markFired) => {
      let first: Evidence['sigma'] | undefined
      return aggregating((evidence) => {
        first ??= evidence.sigma
        return { ...evidence, sigma: first }
      })(markFired)
    },
  },
  {
    id: 'attestation.non-signer-counted',
    fault: 'counts an operator that did not sign among the signers',
    clauses: ['2.5-27'],
    parts: aggregating((evidence) => ({
      ...evidence,
      nonSignerQuorumBitmapIndices: [],
      nonSignerPubkeys: [],
      nonSignerStakeIndices: evidence.nonSignerStakeIndices.map(() => []),
    })),
  },
  {
    id: 'attestation.signer-left-out',
    fault: 'lists an operator that did sign among the non-signers',
    clauses: ['2.5-04'],
    parts: aggregating((evidence) =>
      evidence.nonSignerPubkeys.length > 0
        ? evidence
        : {
            ...evidence,
            nonSignerQuorumBitmapIndices: [0],
            nonSignerPubkeys: [evidence.quorumApks[0]!],
            nonSignerStakeIndices: evidence.nonSignerStakeIndices.map(() => [0]),
          },
    ),
  },
  {
    id: 'attestation.bitmap-shifted',
    fault: 'gives each non-signer the index of the quorum bitmap after its own',
    clauses: ['2.5-19'],
    parts: aggregating((evidence) => ({
      ...evidence,
      nonSignerQuorumBitmapIndices: evidence.nonSignerQuorumBitmapIndices.map((at) => at + 1),
    })),
  },
  {
    id: 'attestation.signature-data-is-sigma',
    fault: 'returns only the point of the signature as signature_data',
    clauses: ['2.5-19'],
    parts: changedResult('createTask', (result) => {
      if (result.signature_data === undefined) return result
      const { X, Y } = decodeEvidence(result.signature_data).sigma
      const sigma = `${toHex(X, { size: 32 })}${toHex(Y, { size: 32 }).slice(2)}`
      return {
        ...result,
        signature_data: sigma,
        task_response: { ...result.task_response, signature_data: sigma },
      }
    }),
  },
]
