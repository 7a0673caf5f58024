// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {PolicyConfig} from "../Types.sol";

/// Interface of a policy contract (decision C10).
interface IPolicy {
    event PolicySet(address indexed policyClient, bytes32 indexed policyId, PolicyConfig config);

    function getEntrypoint() external view returns (string memory);
    function getPolicyCid() external view returns (string memory);
    function getSchemaCid() external view returns (string memory);
    function getMetadataCid() external view returns (string memory);
    function getPolicyData() external view returns (address[] memory);
    function getPolicyConfig(bytes32 policyId) external view returns (PolicyConfig memory);
    function getPolicyId(address policyClient) external view returns (bytes32);
    function version() external view returns (string memory);
    function setPolicy(PolicyConfig calldata config) external returns (bytes32 policyId);
}
