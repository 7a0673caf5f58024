// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {PolicyConfig} from "../Types.sol";

/// The id of a policy as configured by a client (decision C10).
library PolicyIds {
    /// keccak256(abi.encode(chain id, policy, client, configuration)).
    function idOf(address policy, address policyClient, PolicyConfig calldata config) internal view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, policy, policyClient, config));
    }
}
