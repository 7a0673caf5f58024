import { parseAbiParameters } from 'viem'

/**
 * The structs of an attestation in ABI order (decisions, section 3), deliberately written a second
 * time: an encoding bug of the service must not be repeated in the suite.
 */
const intent =
  'struct Intent { address from; address to; uint256 value; bytes data; uint256 chainId; bytes functionSignature; }'
const policyData =
  'struct PolicyData { bytes wasmArgs; bytes data; bytes attestation; address policyDataAddress; uint32 expireBlock; }'
const policyTaskData =
  'struct PolicyTaskData { bytes32 policyId; address policyAddress; bytes policy; PolicyData[] policyData; }'
const policyConfig = 'struct PolicyConfig { bytes policyParams; uint32 expireAfter; }'
const task =
  'struct Task { bytes32 taskId; address policyClient; uint32 nonce; uint32 taskCreatedBlock; uint32 quorumThresholdPercentage; Intent intent; bytes intentSignature; bytes wasmArgs; bytes quorumNumbers; }'
const taskResponse =
  'struct TaskResponse { bytes32 taskId; address policyClient; bytes32 policyId; address policyAddress; Intent intent; bytes intentSignature; bytes evaluationResult; PolicyTaskData policyTaskData; PolicyConfig policyConfig; }'
const points = [
  'struct G1Point { uint256 X; uint256 Y; }',
  'struct G2Point { uint256[2] X; uint256[2] Y; }',
] as const
const signature =
  'struct NonSignerStakesAndSignature { uint32[] nonSignerQuorumBitmapIndices; G1Point[] nonSignerPubkeys; G1Point[] quorumApks; G2Point apkG2; G1Point sigma; uint32[] quorumApkIndices; uint32[] totalStakeIndices; uint32[][] nonSignerStakeIndices; }'

export const taskResponseParameters = parseAbiParameters([
  'TaskResponse response',
  taskResponse,
  intent,
  policyTaskData,
  policyData,
  policyConfig,
])
export const signatureParameters = parseAbiParameters([
  'NonSignerStakesAndSignature evidence',
  signature,
  ...points,
])

/** `validateAttestationDirect(Task, TaskResponse, bytes)`. */
export const validateParameters = parseAbiParameters([
  'Task task, TaskResponse response, bytes signatureData',
  task,
  taskResponse,
  intent,
  policyTaskData,
  policyData,
  policyConfig,
])

/** First four bytes of `validate_calldata` (decisions, section 3). */
export const validateSelector = '0x882d309e'
