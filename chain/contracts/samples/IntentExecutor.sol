// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {PolicyClient} from "../PolicyClient.sol";
import {Intent, Task, TaskResponse} from "../Types.sol";

/// Executes an allowed intent as it was attested; of a denied one it only spends the attestation.
abstract contract IntentExecutor is PolicyClient {
    error ValueMismatch(uint256 sent, uint256 intended);

    event IntentExecuted(bytes32 indexed taskId, bytes returned);
    event IntentDenied(bytes32 indexed taskId);

    function executeIntent(Task calldata task, TaskResponse calldata response, bytes calldata signatureData)
        external
        payable
        returns (bool allowed)
    {
        Intent calldata intent = response.intent;
        if (msg.value != intent.value) revert ValueMismatch(msg.value, intent.value);
        allowed = _validateAttestation(task, response, signatureData);
        if (allowed) {
            bytes memory returned = intent.data.length == 0
                ? _send(intent)
                : Address.functionCallWithValue(intent.to, intent.data, intent.value);
            emit IntentExecuted(response.taskId, returned);
        } else {
            emit IntentDenied(response.taskId);
            Address.sendValue(payable(msg.sender), msg.value);
        }
    }

    function _send(Intent calldata intent) private returns (bytes memory) {
        Address.sendValue(payable(intent.to), intent.value);
        return "";
    }
}
