// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ResponseCertificate, Task, TaskResponse} from "../Types.sol";

interface ITaskManager {
    event NewTaskCreated(bytes32 indexed taskId, address indexed policyClient, Task task);
    event TaskResponded(
        bytes32 indexed taskId, address indexed policyClient, TaskResponse response, ResponseCertificate certificate
    );
    event AttestationSpent(bytes32 indexed taskId, address indexed policyClient, bool allowed);
    event TaskChallengedSuccessfully(bytes32 indexed taskId, address indexed challenger);
    event TaskChallengedUnsuccessfully(bytes32 indexed taskId, address indexed challenger);

    function createNewTask(Task calldata task) external;
    function respondToTask(Task calldata task, TaskResponse calldata response, bytes calldata signatureData) external;
    function multicall(bytes[] calldata calls) external returns (bytes[] memory failures);
    function challengeTask(Task calldata task, TaskResponse calldata evidence, bytes calldata signatureData)
        external
        returns (bool successful);
    function validateAttestationDirect(
        Task calldata task,
        TaskResponse calldata response,
        bytes calldata signatureData
    ) external returns (bool allowed);
}
