// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {AttestationChecks} from "./AttestationChecks.sol";
import {IPolicyClient} from "./interfaces/IPolicyClient.sol";
import {ITaskManager} from "./interfaces/ITaskManager.sol";
import {OperatorRegistry} from "./OperatorRegistry.sol";
import {ResponseCertificate, Task, TaskResponse} from "./Types.sol";

/// Stores tasks, their responses and the state of attestations.
contract TaskManager is ITaskManager, AttestationChecks, Ownable {
    error NotAggregator(address caller);
    error TaskAlreadyCreated(bytes32 taskId);
    error TaskFromTheFuture(uint32 taskCreatedBlock, uint256 currentBlock);
    error TaskNotCreated(bytes32 taskId);
    error TaskDiffersFromPosted(bytes32 taskId);
    error TaskAlreadyResponded(bytes32 taskId);
    error TaskNotResponded(bytes32 taskId);
    error ResponseDiffersFromPosted(bytes32 taskId);
    error CallerNotPolicyClient(address caller);
    error PolicyIdNotCurrent(bytes32 policyId, bytes32 current);
    error IntentForAnotherChain(uint256 chainId);
    error AttestationAlreadySpent(bytes32 taskId);
    error AttestationVoid(bytes32 taskId);
    error ChallengeWindowClosed(uint256 lastBlock, uint256 currentBlock);
    error AlreadyChallenged(bytes32 taskId);
    error ChallengeNeedsMoreGas(uint256 needed);
    error OnlyItself();
    error MulticallNeedsMoreGas(uint256 call, uint256 needed);

    /// A response can be challenged within this many blocks after it was posted, inclusive.
    uint32 public constant CHALLENGE_WINDOW = 100;

    /// The members before the hashes share one slot, the only one that spending the attestation of a task
    /// that is not posted reads and writes.
    struct Record {
        bool created;
        bool spent;
        bool challenged;
        uint32 referenceBlock;
        uint32 expirationBlock;
        uint32 respondedBlock;
        bytes32 taskHash;
        bytes32 resultHash;
        bytes32 hashOfNonSigners;
        bytes32 responseDigest;
    }

    mapping(address account => bool) public isAggregator;
    mapping(bytes32 taskId => Record) private _records;

    constructor(address owner, OperatorRegistry registry, address aggregator) Ownable(owner) AttestationChecks(registry) {
        isAggregator[aggregator] = true;
    }

    modifier onlyAggregator() {
        if (!isAggregator[msg.sender]) revert NotAggregator(msg.sender);
        _;
    }

    function setAggregator(address account, bool allowed) external onlyOwner {
        isAggregator[account] = allowed;
    }

    function createNewTask(Task calldata task) external onlyAggregator {
        Record storage record = _records[task.taskId];
        if (record.created) revert TaskAlreadyCreated(task.taskId);
        if (task.taskCreatedBlock > block.number) revert TaskFromTheFuture(task.taskCreatedBlock, block.number);
        _checkTask(task);
        record.created = true;
        record.taskHash = keccak256(abi.encode(task));
        emit NewTaskCreated(task.taskId, task.policyClient, task);
    }

    function respondToTask(Task calldata task, TaskResponse calldata response, bytes calldata signatureData)
        external
        onlyAggregator
    {
        Record storage record = _postedRecord(task);
        if (record.respondedBlock != 0) revert TaskAlreadyResponded(task.taskId);
        ResponseCertificate memory certificate = _verifyResponse(task, response, signatureData);
        certificate.respondedBlock = uint32(block.number);
        record.referenceBlock = certificate.referenceBlock;
        record.expirationBlock = certificate.expirationBlock;
        record.respondedBlock = certificate.respondedBlock;
        record.hashOfNonSigners = certificate.hashOfNonSigners;
        record.responseDigest = certificate.responseDigest;
        record.resultHash = keccak256(response.evaluationResult);
        emit TaskResponded(task.taskId, task.policyClient, response, certificate);
    }

    /// Makes several calls of the aggregator in one transaction. A call that reverts changes nothing
    /// and does not affect the others.
    /// @return failures for each call: its revert data, or empty bytes if it succeeded.
    function multicall(bytes[] calldata calls) external onlyAggregator returns (bytes[] memory failures) {
        failures = new bytes[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            (bool succeeded, bytes memory answer) = address(this).delegatecall(calls[i]);
            if (!succeeded) failures[i] = answer.length == 0 ? bytes(hex"00") : answer;
        }
    }

    /// As `multicall`, with a gas limit for each call: a call to a contract of somebody else that burns
    /// all gas it has takes none from the calls after it. Of revert data at most 1,024 bytes are kept.
    function boundedMulticall(bytes[] calldata calls, uint256[] calldata gasLimits)
        external
        onlyAggregator
        returns (bytes[] memory failures)
    {
        failures = new bytes[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            bytes calldata data = calls[i];
            uint256 limit = gasLimits[i];
            // A call has at most 63 of 64 parts of the gas that is left. Copying its data is paid before.
            uint256 needed = limit + limit / 63 + data.length / 4 + 10_000;
            if (gasleft() < needed) revert MulticallNeedsMoreGas(i, needed);
            bool succeeded;
            uint256 size;
            assembly ("memory-safe") {
                let input := mload(0x40)
                calldatacopy(input, data.offset, data.length)
                succeeded := delegatecall(limit, address(), input, data.length, 0, 0)
                size := returndatasize()
                if gt(size, 1024) { size := 1024 }
            }
            if (succeeded) continue;
            bytes memory answer = new bytes(size == 0 ? 1 : size);
            assembly ("memory-safe") {
                returndatacopy(add(answer, 32), 0, size)
            }
            failures[i] = answer;
        }
    }

    /// Two results signed by a quorum for one task prove equivocation, so showing the second one
    /// voids the attestation. Evidence that does not verify is recorded without further effect
    /// (decision C13).
    function challengeTask(Task calldata task, TaskResponse calldata evidence, bytes calldata signatureData)
        external
        returns (bool successful)
    {
        Record storage record = _postedRecord(task);
        if (record.respondedBlock == 0) revert TaskNotResponded(task.taskId);
        uint256 lastBlock = uint256(record.respondedBlock) + CHALLENGE_WINDOW;
        if (block.number > lastBlock) revert ChallengeWindowClosed(lastBlock, block.number);
        if (record.challenged) revert AlreadyChallenged(task.taskId);

        // Valid evidence must not run out of gas and be recorded as unsuccessful, which gas
        // estimates would choose. The minimum is far above the cost of verifying evidence of this
        // size.
        uint256 needed = 1_000_000 + 300 * msg.data.length;
        if (gasleft() < needed) revert ChallengeNeedsMoreGas(needed);
        if (keccak256(evidence.evaluationResult) != record.resultHash) {
            try this.verifyEvidence(task, evidence, signatureData) {
                successful = true;
            } catch {}
        }
        if (successful) {
            record.challenged = true;
            emit TaskChallengedSuccessfully(task.taskId, msg.sender);
        } else {
            emit TaskChallengedUnsuccessfully(task.taskId, msg.sender);
        }
    }

    /// An external call, so that malformed evidence reverts only this call.
    function verifyEvidence(Task calldata task, TaskResponse calldata evidence, bytes calldata signatureData)
        external
        view
    {
        if (msg.sender != address(this)) revert OnlyItself();
        _verifyResponse(task, evidence, signatureData);
    }

    /// Makes the checks of decision C7 in order; the client, which knows its caller, checks that
    /// `intent.from` is the sender.
    /// @return allowed the decision; a denied attestation is spent as well.
    function validateAttestationDirect(
        Task calldata task,
        TaskResponse calldata response,
        bytes calldata signatureData
    ) external returns (bool allowed) {
        if (msg.sender != task.policyClient || msg.sender != response.policyClient) {
            revert CallerNotPolicyClient(msg.sender);
        }
        bytes32 current = IPolicyClient(msg.sender).getPolicyId();
        if (response.policyId != current) revert PolicyIdNotCurrent(response.policyId, current);
        if (response.intent.chainId != block.chainid) revert IntentForAnotherChain(response.intent.chainId);
        Record storage record = _records[response.taskId];
        if (record.spent) revert AttestationAlreadySpent(response.taskId);
        if (record.challenged) revert AttestationVoid(response.taskId);
        _checkPolicyConfig(response);

        ResponseCertificate memory certificate = _verifyResponse(task, response, signatureData);
        if (record.created && record.taskHash != keccak256(abi.encode(task))) {
            revert TaskDiffersFromPosted(task.taskId);
        }
        if (record.respondedBlock != 0 && record.responseDigest != certificate.responseDigest) {
            revert ResponseDiffersFromPosted(task.taskId);
        }
        _checkNotExpired(certificate, response.policyTaskData.policyData);

        record.spent = true;
        allowed = _isAllowed(response.evaluationResult);
        emit AttestationSpent(response.taskId, msg.sender, allowed);
    }

    /// The state of a task: posted, responded (certificate), spent, successfully challenged.
    function getAttestationState(bytes32 taskId)
        external
        view
        returns (bool created, ResponseCertificate memory certificate, bool spent, bool challenged)
    {
        Record storage record = _records[taskId];
        certificate = ResponseCertificate({
            referenceBlock: record.referenceBlock,
            expirationBlock: record.expirationBlock,
            respondedBlock: record.respondedBlock,
            hashOfNonSigners: record.hashOfNonSigners,
            responseDigest: record.responseDigest
        });
        return (record.created, certificate, record.spent, record.challenged);
    }

    function _postedRecord(Task calldata task) private view returns (Record storage record) {
        record = _records[task.taskId];
        if (!record.created) revert TaskNotCreated(task.taskId);
        if (record.taskHash != keccak256(abi.encode(task))) revert TaskDiffersFromPosted(task.taskId);
    }
}
