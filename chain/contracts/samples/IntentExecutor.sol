// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IntentCaller} from "../IntentCaller.sol";
import {Task, TaskResponse} from "../Types.sol";

/// Executes an allowed intent from its balance; for a denied intent it only spends the attestation.
/// Tasks must have a threshold of at least 67 % and include quorum 0 (`minimumQuorumThreshold`,
/// `requiredQuorumNumbers`): otherwise a task may succeed at the gateway, but its attestation is
/// refused here.
abstract contract IntentExecutor is IntentCaller {
    event IntentDenied(bytes32 indexed taskId);

    receive() external payable {}

    function executeIntent(Task calldata task, TaskResponse calldata response, bytes calldata signatureData)
        external
        returns (bool allowed)
    {
        allowed = _validateAttestation(task, response, signatureData);
        if (!allowed) {
            emit IntentDenied(response.taskId);
            return false;
        }
        _execute(response);
    }
}
