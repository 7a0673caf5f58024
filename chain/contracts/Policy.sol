// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IPolicy} from "./interfaces/IPolicy.sol";
import {PolicyIds} from "./libraries/PolicyIds.sol";
import {PolicyConfig} from "./Types.sol";

/// Content of a policy; immutable after deployment.
struct PolicyInfo {
    address owner;
    string metadataCid;
    string policyCid;
    string schemaCid;
    string entrypoint;
    address[] policyData;
    string version;
}

/// A Rego policy by content id, and its configuration by each client.
contract Policy is IPolicy {
    error ExpireAfterTooLong(uint32 expireAfter, uint32 maximum);

    /// The longest that an attestation may be valid, in blocks, and therefore the longest that a signature
    /// of an operator counts after the operator was removed: a week of blocks of 12 seconds.
    uint32 public constant MAX_EXPIRE_AFTER = 50_400;

    PolicyInfo private _info;
    mapping(address policyClient => bytes32 policyId) private _idOf;
    mapping(bytes32 policyId => PolicyConfig) private _configOf;

    constructor(PolicyInfo memory info) {
        _info = info;
    }

    /// Configures the policy for the calling client. The id covers chain, policy, client and
    /// configuration, so attestations under an older configuration become invalid.
    function setPolicy(PolicyConfig calldata config) external returns (bytes32 policyId) {
        if (config.expireAfter > MAX_EXPIRE_AFTER) revert ExpireAfterTooLong(config.expireAfter, MAX_EXPIRE_AFTER);
        policyId = PolicyIds.idOf(address(this), msg.sender, config);
        _idOf[msg.sender] = policyId;
        _configOf[policyId] = config;
        emit PolicySet(msg.sender, policyId, config);
    }

    function getOwner() external view returns (address) {
        return _info.owner;
    }

    function getEntrypoint() external view returns (string memory) {
        return _info.entrypoint;
    }

    function getPolicyCid() external view returns (string memory) {
        return _info.policyCid;
    }

    function getSchemaCid() external view returns (string memory) {
        return _info.schemaCid;
    }

    function getMetadataCid() external view returns (string memory) {
        return _info.metadataCid;
    }

    function getPolicyData() external view returns (address[] memory) {
        return _info.policyData;
    }

    function getPolicyConfig(bytes32 policyId) external view returns (PolicyConfig memory) {
        return _configOf[policyId];
    }

    function getPolicyId(address policyClient) external view returns (bytes32) {
        return _idOf[policyClient];
    }

    function version() external view returns (string memory) {
        return _info.version;
    }
}
