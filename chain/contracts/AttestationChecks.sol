// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IPolicyClient} from "./interfaces/IPolicyClient.sol";
import {IPolicyData} from "./interfaces/IPolicyData.sol";
import {PolicyIds} from "./libraries/PolicyIds.sol";
import {OperatorRegistry} from "./OperatorRegistry.sol";
import {Intent, PolicyConfig, PolicyData, ResponseCertificate, Task, TaskResponse} from "./Types.sol";

/// Verifies that a response to a task is an attestation.
///
/// Operators sign the response, not the task. Therefore every term of the task that a check relies
/// on is bound to something signed: the signed task id is recomputed from chain, client, intent,
/// nonce and reference block, and the arguments of the oracles must equal those in the signed data.
///
/// Threshold and quorum numbers are fixed once the task is posted. Before that the holder of an
/// attestation could change them, so a client defines which quorums must sign, and with how much of
/// their stake (PolicyClient). The arguments of a task whose policy has no oracles have no effect.
///
/// What operators sign is not the truth because they sign it: they decide, and nothing else. In
/// particular they do not choose how long an attestation is valid. Otherwise operators of a former
/// set could sign for ever, because they may name any block at which they were operators.
abstract contract AttestationChecks {
    error TaskIdMismatch(bytes32 taskId, bytes32 expected);
    error TaskResponseMismatch();
    error PolicyConfigMismatch(bytes32 policyId);
    error PolicyAddressMismatch(address policy, address current);
    error ThresholdOutOfRange(uint32 thresholdPercentage);
    error ReferenceBlockMismatch(address policyData, uint32 expireBlock, uint32 expected);
    error PolicyDataAttestationInvalid(address policyData);
    error AttestationExpired(uint256 expirationBlock, uint256 currentBlock);
    error PolicyDataExpired(address policyData, uint32 expireBlock, uint256 currentBlock);

    OperatorRegistry public immutable operatorRegistry;

    constructor(OperatorRegistry registry) {
        operatorRegistry = registry;
    }

    /// keccak256(abi.encode(chain id, client, intent hash, nonce, reference block)) (decisions T1, T3).
    function taskIdOf(address policyClient, Intent calldata intent, uint32 nonce, uint32 taskCreatedBlock)
        public
        view
        returns (bytes32)
    {
        return _taskIdOf(policyClient, _intentHash(intent), nonce, taskCreatedBlock);
    }

    /// The signed message: the response with every data attestation emptied (decision C2).
    function responseDigest(TaskResponse calldata response) public pure returns (bytes32) {
        bytes memory encoded = abi.encode(response);
        if (_hasAttestation(response.policyTaskData.policyData)) _emptyAttestations(encoded);
        return keccak256(encoded);
    }

    function _checkTask(Task calldata task) internal view {
        bytes32 expected = _taskIdOf(task.policyClient, _intentHash(task.intent), task.nonce, task.taskCreatedBlock);
        if (task.taskId != expected) revert TaskIdMismatch(task.taskId, expected);
        if (task.quorumThresholdPercentage > 100) revert ThresholdOutOfRange(task.quorumThresholdPercentage);
    }

    /// The signed configuration is that of the policy id, which is the client's current one. If the id is
    /// not computed as `Policy` does, the client says which policy and configuration it stands for.
    function _checkPolicyConfig(TaskResponse calldata response) internal view {
        PolicyConfig calldata config = response.policyConfig;
        if (PolicyIds.idOf(response.policyAddress, response.policyClient, config) == response.policyId) return;
        IPolicyClient client = IPolicyClient(response.policyClient);
        address current = client.getPolicyAddress();
        if (response.policyAddress != current) revert PolicyAddressMismatch(response.policyAddress, current);
        PolicyConfig memory own = client.getPolicyConfig();
        if (config.expireAfter != own.expireAfter || keccak256(config.policyParams) != keccak256(own.policyParams)) {
            revert PolicyConfigMismatch(response.policyId);
        }
    }

    /// All checks from a response to its certificate; independent of the caller.
    function _verifyResponse(Task calldata task, TaskResponse calldata response, bytes calldata signatureData)
        internal
        view
        returns (ResponseCertificate memory certificate)
    {
        _checkTask(task);
        if (
            task.taskId != response.taskId || task.policyClient != response.policyClient
                || !_sameIntent(task.intent, response.intent)
                || !_sameBytes(task.intentSignature, response.intentSignature)
        ) revert TaskResponseMismatch();
        _checkPolicyData(task, response.policyTaskData.policyData);

        certificate.referenceBlock = task.taskCreatedBlock;
        certificate.expirationBlock = _blockAfter(task.taskCreatedBlock, response.policyConfig.expireAfter);
        certificate.responseDigest = responseDigest(response);
        certificate.hashOfNonSigners = operatorRegistry.verifySignature(
            certificate.responseDigest,
            task.quorumNumbers,
            task.taskCreatedBlock,
            task.quorumThresholdPercentage,
            signatureData
        );
    }

    /// Valid while the block is below the expiration (decision T9), and each oracle's data is valid.
    function _checkNotExpired(ResponseCertificate memory certificate, PolicyData[] calldata policyData) internal view {
        if (block.number >= certificate.expirationBlock) {
            revert AttestationExpired(certificate.expirationBlock, block.number);
        }
        for (uint256 i = 0; i < policyData.length; i++) {
            if (block.number >= policyData[i].expireBlock) {
                revert PolicyDataExpired(policyData[i].policyDataAddress, policyData[i].expireBlock, block.number);
            }
        }
    }

    /// Only uint 1 and the string `true` allow; everything else denies (decision T11).
    function _isAllowed(bytes calldata evaluationResult) internal pure returns (bool) {
        if (evaluationResult.length == 32) return uint256(bytes32(evaluationResult)) == 1;
        return keccak256(evaluationResult) == keccak256(abi.encode("true"));
    }

    function _checkPolicyData(Task calldata task, PolicyData[] calldata policyData) private view {
        for (uint256 i = 0; i < policyData.length; i++) {
            PolicyData calldata entry = policyData[i];
            if (!_sameBytes(entry.wasmArgs, task.wasmArgs)) revert TaskResponseMismatch();
            IPolicyData source = IPolicyData(entry.policyDataAddress);
            uint32 expected = _blockAfter(task.taskCreatedBlock, source.getExpireAfter());
            if (entry.expireBlock != expected) {
                revert ReferenceBlockMismatch(entry.policyDataAddress, entry.expireBlock, expected);
            }
            if (!source.verifyAttestation(entry.wasmArgs, entry.data, entry.expireBlock, entry.attestation)) {
                revert PolicyDataAttestationInvalid(entry.policyDataAddress);
            }
        }
    }

    function _sameIntent(Intent calldata a, Intent calldata b) private pure returns (bool) {
        return a.from == b.from && a.to == b.to && a.value == b.value && a.chainId == b.chainId
            && _sameBytes(a.data, b.data) && _sameBytes(a.functionSignature, b.functionSignature);
    }

    function _sameBytes(bytes calldata a, bytes calldata b) private pure returns (bool) {
        return a.length == b.length && (a.length == 0 || keccak256(a) == keccak256(b));
    }

    function _hasAttestation(PolicyData[] calldata policyData) private pure returns (bool) {
        for (uint256 i = 0; i < policyData.length; i++) {
            if (policyData[i].attestation.length > 0) return true;
        }
        return false;
    }

    /// Changes the encoding of a response into that of the same response without attestations, which
    /// costs less than to copy the response to memory, change it there and encode it. The compiler
    /// encodes members in their order, without gaps.
    function _emptyAttestations(bytes memory encoded) private pure {
        assembly ("memory-safe") {
            let end := add(add(encoded, 32), mload(encoded))
            // Offsets count from the place where the members of a struct, or of an array, begin.
            let response := add(encoded, 64)
            let policyTaskData := add(response, mload(add(response, 0xe0)))
            let policyData := add(policyTaskData, mload(add(policyTaskData, 0x60)))
            let entries := add(policyData, 32)
            let entriesEnd := add(entries, mul(mload(policyData), 32))
            let removed := 0
            for { let place := entries } lt(place, entriesEnd) { place := add(place, 32) } {
                let offset := sub(mload(place), removed)
                mstore(place, offset)
                let entry := add(entries, offset)
                let attestation := add(entry, mload(add(entry, 0x40)))
                let content := add(attestation, 32)
                let size := and(add(mload(attestation), 31), not(31))
                let rest := add(content, size)
                mstore(attestation, 0)
                mcopy(content, rest, sub(end, rest))
                end := sub(end, size)
                removed := add(removed, size)
            }
            let policyConfig := add(response, 0x100)
            mstore(policyConfig, sub(mload(policyConfig), removed))
            mstore(encoded, sub(mload(encoded), removed))
        }
    }

    /// Block numbers are uint32: a later expiry is capped at the last block number.
    function _blockAfter(uint32 referenceBlock, uint32 blocks) private pure returns (uint32) {
        uint256 sum = uint256(referenceBlock) + blocks;
        return sum > type(uint32).max ? type(uint32).max : uint32(sum);
    }

    function _taskIdOf(address policyClient, bytes32 intentHash, uint32 nonce, uint32 taskCreatedBlock)
        private
        view
        returns (bytes32)
    {
        return keccak256(abi.encode(block.chainid, policyClient, intentHash, nonce, taskCreatedBlock));
    }

    function _intentHash(Intent calldata intent) private pure returns (bytes32) {
        return keccak256(
            abi.encode(intent.from, intent.to, intent.value, intent.data, intent.chainId, intent.functionSignature)
        );
    }
}
