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

/// What the gateway asked of the operators. Nobody signs it: see AttestationChecks.
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

/// How a client configures a policy; `policyParams` is UTF-8 JSON.
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

/// What the operators answered, and what their signatures cover.
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

/// The imaginary coefficient stands first, as the precompiles want it.
struct G2Point {
    uint256[2] X;
    uint256[2] Y;
}

/// An aggregate signature, and where in the registry's history its parts are found.
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

/// What is remembered of a response that was posted.
struct ResponseCertificate {
    uint32 referenceBlock;
    uint32 expirationBlock;
    uint32 respondedBlock;
    bytes32 hashOfNonSigners;
    bytes32 responseDigest;
}
