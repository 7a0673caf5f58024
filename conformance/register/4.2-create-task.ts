import { sectionClauses } from './clause.ts'

/** Section 4.2: createTask. */
export const section4_2 = sectionClauses('4.2', {
  '01': 'A key with RpcRead may create tasks.',
  '02': 'The response is sent when the task has ended, and is final.',
  '03': 'policy_client is required and an Address.',
  '04': 'intent is required and a TaskIntent.',
  '05': 'intent_signature is optional for a policy that does not consume it.',
  '06': 'intent_signature is the EIP-712 signature of the exact intent, and reaches the policy.',
  '07': 'A policy that consumes input.intent_signature denies without it.',
  '08': 'An empty intent_signature (0x) fails before evaluation with an encoding error naming exactly 65 bytes.',
  '09': 'An intent_signature of another length fails in the same way.',
  '10': 'quorum_number is optional, hex bytes, and appears in task as quorumNumbers.',
  '11': 'quorum_threshold_percentage is optional and a number from 0 to 100.',
  '12': 'A threshold outside 0-100 is refused.',
  '13': 'The threshold decides: the task succeeds exactly when the signed stake reaches it.',
  '14': 'wasm_args is optional, reaches the oracle, and appears in task.',
  '15': 'timeout is optional, in seconds, and limits the duration of the call.',
  '16': 'The default of timeout is 30 seconds.',
  '17': 'proof_cid is optional and a string.',
  '18': 'include_validate_calldata is optional, boolean, and false by default.',
  '19': 'A success has aggregation_response, task, task_response, reference_block and expiration.',
  '20': 'A failure has status failed, aggregation_response null, error and timestamp.',
  '21': {
    text: 'The signed typed data has the primary type Intent: address from, address to, uint256 value, bytes data, uint256 chainId, bytes functionSignature, in this order.',
    profile: 'simulation',
  },
  '22': {
    text: 'The signing domain (name, version, chainId, verifyingContract) is read from eip712Domain() of the client where it exposes one (EIP-5267).',
    profile: 'simulation',
  },
  '23': {
    text: 'Where the client exposes no domain, name and version are the arguments of its EIP-712 constructor and verifyingContract is the client.',
    profile: 'simulation',
  },
  '24': {
    text: 'A client without an exposed domain cannot be signed for by reading it.',
    noCheck: 'says what a caller cannot do; 4.2-23 signs for such a client with its known domain',
  },
  '25': 'A policy that denies still gives a signed task: the decision is in the result.',
  '26': { text: 'What a gateway does with a quorum number that does not exist.', open: true },
  '27': { text: 'The defaults of quorum_number and quorum_threshold_percentage.', open: true },
  '28': {
    text: 'How a task for an unknown policy client is refused: failed task or error object.',
    open: true,
  },
  '29': 'The policy can tell a signature by another account from one by the intent’s sender.',
  '30': {
    text: 'What a gateway does with a timeout that is 0, negative or very large.',
    open: true,
  },
  '32': 'proof_cid is an IPFS content id; other text is refused.',
  '34': { text: 'Whether a result warns that the chain would refuse its calldata.', open: true },
  '33': {
    profile: 'simulation',
    text: 'What a policy reads as data.params for a client without parameters.',
    open: true,
  },
  '31': 'A key with RpcRead may create tasks for a policy client that its owner addresses do not own.',
})
