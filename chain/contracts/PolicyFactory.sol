// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Policy, PolicyInfo} from "./Policy.sol";

/// Deploys policies, so that indexers find all of them at one address.
contract PolicyFactory {
    event PolicyDeployed(address indexed policy, address indexed owner, PolicyInfo info);

    function deployPolicy(PolicyInfo calldata info) external returns (Policy policy) {
        policy = new Policy(info);
        emit PolicyDeployed(address(policy), info.owner, info);
    }
}
