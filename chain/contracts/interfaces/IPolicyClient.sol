// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {PolicyConfig} from "../Types.sol";

/// Interface of a policy client and of its owner's controls (decision C9).
interface IPolicyClient {
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    function getOwner() external view returns (address);
    function setOwner(address newOwner) external;
    function transferOwnership(address newOwner) external;
    function getPolicyAddress() external view returns (address);
    function getPolicyId() external view returns (bytes32);
    function getPolicyConfig() external view returns (PolicyConfig memory);
    function getTaskManager() external view returns (address);
    function setPolicy(address policy, PolicyConfig calldata config) external returns (bytes32 policyId);
}
