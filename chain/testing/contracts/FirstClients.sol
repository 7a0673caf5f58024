// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IPolicy} from "polgate-contracts/interfaces/IPolicy.sol";
import {ITaskManager} from "polgate-contracts/interfaces/ITaskManager.sol";
import {PolicyConfig, Task, TaskResponse} from "polgate-contracts/Types.sol";

/// A client whose policy id is what its policy has recorded for it, as in version 0.1.0.
contract FollowingClient {
    address public immutable getTaskManager;
    address public immutable getPolicyAddress;

    constructor(address taskManager, address policy, PolicyConfig memory config) {
        getTaskManager = taskManager;
        getPolicyAddress = policy;
        IPolicy(policy).setPolicy(config);
    }

    function getPolicyId() public view returns (bytes32) {
        return IPolicy(getPolicyAddress).getPolicyId(address(this));
    }
}

/// It calls what an intent names.
contract ClientOfFirstRelease is FollowingClient {
    error IntentFailed(bytes reason);

    constructor(address taskManager, address policy, PolicyConfig memory config)
        FollowingClient(taskManager, policy, config) {}

    function executeIntent(Task calldata task, TaskResponse calldata response, bytes calldata signatureData) external {
        require(response.policyId == getPolicyId() && response.intent.from == msg.sender);
        require(ITaskManager(getTaskManager).validateAttestationDirect(task, response, signatureData));
        (bool done, bytes memory reason) = response.intent.to.call(response.intent.data);
        if (!done) revert IntentFailed(reason);
    }
}
