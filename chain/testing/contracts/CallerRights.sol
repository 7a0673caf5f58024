// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IPolicy} from "polgate-contracts/interfaces/IPolicy.sol";
import {PolicyClient} from "polgate-contracts/PolicyClient.sol";
import {PolicyGuard} from "polgate-contracts/PolicyGuard.sol";
import {PolicyConfig, Task, TaskResponse} from "polgate-contracts/Types.sol";

/// The client of the guide, which also has identities: it signs everything (ERC-1271).
contract SigningTreasury is PolicyGuard {
    constructor(address owner, address taskManager, address policy, PolicyConfig memory config)
        PolicyClient(owner, taskManager, policy, config) {}

    receive() external payable {}

    function executeIntent(Task calldata task, TaskResponse calldata response, bytes calldata signatureData)
        external
        onlyAllowed(task, response, signatureData)
    {
        _execute(response);
    }

    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0x1626ba7e;
    }
}

/// Owns a client, and sets its policy while it is constructed.
contract Multisig {
    SigningTreasury public immutable client;

    constructor(address taskManager, address policy, PolicyConfig memory config) {
        client = new SigningTreasury(address(this), taskManager, address(0), config);
        client.setPolicy(policy, config);
    }

    function call(address target, bytes calldata data) external {
        (bool done, bytes memory reason) = target.call(data);
        if (!done) {
            assembly ("memory-safe") {
                revert(add(reason, 32), mload(reason))
            }
        }
    }
}

/// Passes calls on, which are then its own.
contract Relay {
    fallback() external payable {
        (bool done,) = address(bytes20(msg.data[:20])).call(msg.data[20:]);
        require(done);
    }
}

/// What all policies below answer.
abstract contract OtherPolicy is IPolicy {
    mapping(address policyClient => bytes32) internal _idOf;
    mapping(bytes32 policyId => PolicyConfig) internal _configOf;

    function setPolicy(PolicyConfig calldata config) external returns (bytes32 policyId) {
        policyId = _newId(config);
        _idOf[msg.sender] = policyId;
        _configOf[policyId] = config;
        emit PolicySet(msg.sender, policyId, config);
    }

    function getPolicyConfig(bytes32 policyId) external view returns (PolicyConfig memory) {
        return _configOf[policyId];
    }

    function getPolicyId(address policyClient) external view returns (bytes32) {
        return _idOf[policyClient];
    }

    function getEntrypoint() external pure returns (string memory) {
        return "sample.allow";
    }

    function getPolicyCid() external pure returns (string memory) {
        return "bafypolicy";
    }

    function getSchemaCid() external pure returns (string memory) {}
    function getMetadataCid() external pure returns (string memory) {}
    function getPolicyData() external pure returns (address[] memory) {}

    function version() external pure returns (string memory) {
        return "1.0.0";
    }

    function _newId(PolicyConfig calldata config) internal virtual returns (bytes32);
}

/// The id as Policy of version 0.1.0 makes it.
contract PolicyOfFirstRelease is OtherPolicy {
    function _newId(PolicyConfig calldata config) internal view override returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), msg.sender, config));
    }
}

/// The id has a number and no content.
contract CountingPolicy is OtherPolicy {
    uint256 private _count;

    function _newId(PolicyConfig calldata) internal override returns (bytes32) {
        return bytes32(++_count);
    }
}

/// The id does not cover the configuration, which a client can therefore change.
contract PolicyByClient is OtherPolicy {
    function _newId(PolicyConfig calldata) internal view override returns (bytes32) {
        return keccak256(abi.encode(msg.sender));
    }
}
