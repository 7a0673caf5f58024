// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {PolicyClient} from "../PolicyClient.sol";
import {Intent, Task, TaskResponse} from "../Types.sol";

/// Executes an allowed intent from its balance; for a denied intent it only spends the attestation.
/// Tasks must have a threshold of at least 67 % and include quorum 0 (`minimumQuorumThreshold`,
/// `requiredQuorumNumbers`): otherwise a task may succeed at the gateway, but its attestation is
/// refused here.
abstract contract IntentExecutor is PolicyClient {
    error IntentFailed(bytes reason);
    error IntentTargetHasNoCode(address target);

    event IntentExecuted(bytes32 indexed taskId, bytes returned);
    event IntentDenied(bytes32 indexed taskId);

    receive() external payable {}

    function executeIntent(Task calldata task, TaskResponse calldata response, bytes calldata signatureData)
        external
        returns (bool allowed)
    {
        Intent calldata intent = response.intent;
        allowed = _validateAttestation(task, response, signatureData);
        if (!allowed) {
            emit IntentDenied(response.taskId);
            return false;
        }
        // A call with data to an account without code would succeed without effect.
        if (intent.data.length > 0 && intent.to.code.length == 0) revert IntentTargetHasNoCode(intent.to);
        (bool done, bytes memory returned) = intent.to.call{value: intent.value}(intent.data);
        if (!done) revert IntentFailed(returned);
        emit IntentExecuted(response.taskId, returned);
    }
}
