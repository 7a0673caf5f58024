import type { Mutant } from './mutant.ts'
import {
  managerForgettingBlock,
  managerWithWindow,
  registryOfNow,
  tolerantManager,
} from './tolerantContract.ts'

/** Faults of the contract that verifies attestations (section 7.5). */
export const onChainMutants: readonly Mutant[] = [
  {
    id: 'chain.quorum-not-checked',
    fault: 'accepts on chain a signature of less than the quorum',
    clauses: ['7.5-07'],
    around: tolerantManager('QuorumNotReached'),
  },
  {
    id: 'chain.reference-block-not-checked',
    fault: 'accepts on chain any reference block',
    clauses: ['7.5-08'],
    around: tolerantManager('ReferenceBlockInFuture', 'WrongHistoryIndex'),
  },
  {
    id: 'chain.another-chain-accepted',
    fault: 'accepts on chain an intent for another chain',
    clauses: ['7.5-09'],
    around: tolerantManager('IntentForAnotherChain'),
  },
  {
    id: 'chain.signature-not-checked',
    fault: 'accepts on chain a signature that does not verify',
    clauses: ['7.5-10', '7.5-07'],
    around: tolerantManager('InvalidSignature'),
  },
  {
    id: 'chain.key-of-quorum-not-checked',
    fault: 'accepts on chain an aggregate key that is not the quorum’s',
    clauses: ['7.5-07', '7.5-08'],
    around: tolerantManager('QuorumApkMismatch'),
  },
  {
    id: 'chain.task-id-not-checked',
    fault: 'accepts on chain an intent that is not the one of the task id',
    clauses: ['7.5-10'],
    around: tolerantManager('TaskIdMismatch'),
  },
  {
    id: 'chain.task-id-without-block',
    fault:
      'omits the reference block from the task id, so that an expired attestation becomes valid again',
    clauses: ['3-07', '7.5-06'],
    around: managerForgettingBlock,
  },
  {
    id: 'chain.policy-id-not-checked',
    fault: 'accepts on chain an attestation of a policy id that the client does not have',
    clauses: ['7.5-10'],
    around: tolerantManager('PolicyIdNotCurrent'),
  },
  {
    id: 'chain.caller-not-checked',
    fault: 'accepts on chain the attestation of a client from any caller',
    clauses: ['7.5-10'],
    around: tolerantManager('CallerNotPolicyClient'),
  },
  {
    id: 'chain.attestation-spent-twice',
    fault: 'accepts on chain a spent attestation',
    clauses: ['7.5-10'],
    around: tolerantManager('AttestationAlreadySpent'),
  },
  {
    id: 'chain.challenge-window-of-50',
    fault: 'closes the window of challenges after 50 blocks',
    clauses: ['8-08'],
    around: managerWithWindow(50),
  },
  {
    id: 'chain.challenge-window-of-101',
    fault: 'leaves the window of challenges open for one block more',
    clauses: ['8-08'],
    around: managerWithWindow(101),
  },
  {
    id: 'chain.operators-of-now',
    fault:
      'verifies on chain against the current operators instead of those of the reference block',
    clauses: ['7.5-14'],
    around: registryOfNow,
  },
]
