// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {CallerRights} from "./libraries/CallerRights.sol";
import {PolicyClient} from "./PolicyClient.sol";
import {Intent, TaskResponse} from "./Types.sol";

/// A policy client that makes the calls of its intents. Such a call is made by the client, so its author
/// has the rights of the client where it goes. Targets at which these are rights about the client itself
/// are refused, unless the owner allowed the target: a policy need not think of them.
abstract contract IntentCaller is PolicyClient {
    error IntentFailed(bytes reason);
    error IntentTargetHasNoCode(address target);
    /// The owner allows it with `setTargetAllowed`.
    error IntentTargetRefused(address target);

    event IntentExecuted(bytes32 indexed taskId, bytes returned);
    event TargetAllowed(address indexed target, bool allowed);

    mapping(address target => bool) private _allowedTargets;

    /// Allows intents to a target that is refused otherwise, with any data. For other targets it has no
    /// effect.
    function setTargetAllowed(address target, bool allowed) external onlyOwner {
        _allowedTargets[target] = allowed;
        emit TargetAllowed(target, allowed);
    }

    /// Whether the owner allowed it by name.
    function isTargetAllowed(address target) external view returns (bool) {
        return _allowedTargets[target];
    }

    /// Whether an intent with this target and data is refused with `IntentTargetRefused`, whatever the
    /// policy decides: to the client itself, its task manager and its policy, and any call of a function by
    /// which a caller changes its own rights (`CallerRights`).
    function refusesTarget(address target, bytes calldata data) public view returns (bool) {
        return (_isOwnAuthority(target) || CallerRights.changedBy(data)) && !_allowedTargets[target];
    }

    /// Makes the call of the intent, from this contract. Only after its attestation was spent, and allows.
    function _execute(TaskResponse calldata response) internal returns (bytes memory returned) {
        Intent calldata intent = response.intent;
        if (refusesTarget(intent.to, intent.data)) revert IntentTargetRefused(intent.to);
        // A call with data to an account without code would succeed without effect.
        if (intent.data.length > 0 && intent.to.code.length == 0) revert IntentTargetHasNoCode(intent.to);
        bool done;
        (done, returned) = intent.to.call{value: intent.value}(intent.data);
        if (!done) revert IntentFailed(returned);
        emit IntentExecuted(response.taskId, returned);
    }
}
