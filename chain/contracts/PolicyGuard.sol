// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IntentCaller} from "./IntentCaller.sol";
import {Intent, Task, TaskResponse} from "./Types.sol";

/// A policy client that acts only on what its policy allowed. A denial reverts, so that no function
/// continues because it overlooked a returned `false`.
abstract contract PolicyGuard is IntentCaller {
    error IntentNotAllowed(bytes32 taskId);
    error AnotherIntent(bytes32 taskId);

    /// Spends the attestation before the function runs, or reverts.
    modifier onlyAllowed(Task calldata task, TaskResponse calldata response, bytes calldata signatureData) {
        _requireAllowed(task, response, signatureData);
        _;
    }

    /// Spends the attestation, or reverts: with `IntentNotAllowed` if the policy denied.
    function _requireAllowed(Task calldata task, TaskResponse calldata response, bytes calldata signatureData)
        internal
    {
        if (!_validateAttestation(task, response, signatureData)) revert IntentNotAllowed(response.taskId);
    }

    /// Reverts unless the intent is exactly this call: the policy decided about the intent, not about
    /// the arguments of your function.
    /// @param functionSignature as in the intent, such as `transfer(address,uint256)`; the policy reads
    /// the arguments of the call by it.
    function _requireIntent(
        TaskResponse calldata response,
        address to,
        uint256 value,
        bytes memory data,
        string memory functionSignature
    ) internal pure {
        Intent calldata intent = response.intent;
        if (
            intent.to != to || intent.value != value || keccak256(intent.data) != keccak256(data)
                || keccak256(intent.functionSignature) != keccak256(bytes(functionSignature))
        ) revert AnotherIntent(response.taskId);
    }
}
