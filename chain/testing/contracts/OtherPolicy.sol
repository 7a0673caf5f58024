// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IPolicy} from "polgate-contracts/interfaces/IPolicy.sol";
import {PolicyConfig} from "polgate-contracts/Types.sol";

/// For tests: a policy of another maker. Its ids are numbers of its own, and it has no maximum of
/// `expireAfter`.
contract OtherPolicy is IPolicy {
    uint256 private _count;
    mapping(address policyClient => bytes32 policyId) public getPolicyId;
    mapping(bytes32 policyId => PolicyConfig) private _configOf;

    function setPolicy(PolicyConfig calldata config) external returns (bytes32 policyId) {
        policyId = bytes32(++_count);
        getPolicyId[msg.sender] = policyId;
        _configOf[policyId] = config;
        emit PolicySet(msg.sender, policyId, config);
    }

    function getPolicyConfig(bytes32 policyId) external view returns (PolicyConfig memory) {
        return _configOf[policyId];
    }

    function getPolicyData() external pure returns (address[] memory) {
        return new address[](0);
    }

    function getEntrypoint() external pure returns (string memory) {
        return "sample.allow";
    }

    function getPolicyCid() external pure returns (string memory) {
        return "bafypolicy";
    }

    function getSchemaCid() external pure returns (string memory) {
        return "";
    }

    function getMetadataCid() external pure returns (string memory) {
        return "";
    }

    function version() external pure returns (string memory) {
        return "1.0.0";
    }
}
