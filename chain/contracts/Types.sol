// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// A proposed transaction.
struct Intent {
    address from;
    address to;
    uint256 value;
    bytes data;
    uint256 chainId;
    bytes functionSignature;
}

/// The request to the operators. It is not signed: see AttestationChecks.
struct Task {
    bytes32 taskId;
    address policyClient;
    uint32 nonce;
    uint32 taskCreatedBlock;
    uint32 quorumThresholdPercentage;
    Intent intent;
    bytes intentSignature;
    bytes wasmArgs;
    bytes quorumNumbers;
}

/// Configuration of a policy by a client; `policyParams` is UTF-8 JSON.
struct PolicyConfig {
    bytes policyParams;
    uint32 expireAfter;
}

/// The output of one oracle.
struct PolicyData {
    bytes wasmArgs;
    bytes data;
    bytes attestation;
    address policyDataAddress;
    uint32 expireBlock;
}

struct PolicyTaskData {
    bytes32 policyId;
    address policyAddress;
    bytes policy;
    PolicyData[] policyData;
}

/// The response of the operators, covered by their signatures.
struct TaskResponse {
    bytes32 taskId;
    address policyClient;
    bytes32 policyId;
    address policyAddress;
    Intent intent;
    bytes intentSignature;
    bytes evaluationResult;
    PolicyTaskData policyTaskData;
    PolicyConfig policyConfig;
}

struct G1Point {
    uint256 X;
    uint256 Y;
}

/// The imaginary coefficient comes first, as the precompiles expect.
struct G2Point {
    uint256[2] X;
    uint256[2] Y;
}

/// An aggregate signature, and the indices of its parts in the registry's history.
struct NonSignerStakesAndSignature {
    uint32[] nonSignerQuorumBitmapIndices;
    G1Point[] nonSignerPubkeys;
    G1Point[] quorumApks;
    G2Point apkG2;
    G1Point sigma;
    uint32[] quorumApkIndices;
    uint32[] totalStakeIndices;
    uint32[][] nonSignerStakeIndices;
}

/// Record of a posted response.
struct ResponseCertificate {
    uint32 referenceBlock;
    uint32 expirationBlock;
    uint32 respondedBlock;
    bytes32 hashOfNonSigners;
    bytes32 responseDigest;
}
