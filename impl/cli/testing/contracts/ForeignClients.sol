// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IPolicy} from "polgate-contracts/interfaces/IPolicy.sol";
import {ITaskManager} from "polgate-contracts/interfaces/ITaskManager.sol";
import {PolicyConfig, Task, TaskResponse} from "polgate-contracts/Types.sol";

/// What the service reads of a client that does not derive from PolicyClient.
abstract contract ForeignClient {
    error Forbidden();
    error Denied();

    address internal _admin;
    address internal _manager;
    address internal _policy;

    modifier onlyAdmin() {
        if (msg.sender != _admin) revert Forbidden();
        _;
    }

    receive() external payable {}

    function spend(Task calldata task, TaskResponse calldata response, bytes calldata signatureData) external {
        if (
            task.policyClient != address(this) || response.policyId != getPolicyId()
                || response.intent.from != msg.sender || task.quorumThresholdPercentage < 67
        ) revert Forbidden();
        if (!ITaskManager(_manager).validateAttestationDirect(task, response, signatureData)) revert Denied();
        (bool done,) = response.intent.to.call{value: response.intent.value}("");
        if (!done) revert Denied();
    }

    function getOwner() external view virtual returns (address) {
        return _admin;
    }

    function getTaskManager() external view returns (address) {
        return _manager;
    }

    function getPolicyAddress() external view returns (address) {
        return _policy;
    }

    function getPolicyConfig() external view returns (PolicyConfig memory) {
        return IPolicy(_policy).getPolicyConfig(getPolicyId());
    }

    function getPolicyId() public view returns (bytes32) {
        return IPolicy(_policy).getPolicyId(address(this));
    }
}

/// One setter of another name, and a constructor without a policy.
contract ConfiguredClient is ForeignClient {
    constructor(address admin, address manager) {
        _admin = admin;
        _manager = manager;
    }

    function configurePolicy(address policy, PolicyConfig calldata config) external onlyAdmin {
        _policy = policy;
        IPolicy(policy).setPolicy(config);
    }
}

/// Policy and parameters are set by different functions, and by another account than the owner.
contract TwoStepClient is ForeignClient {
    address private immutable _owner;

    constructor(address owner, address taskManager) {
        _owner = owner;
        _admin = msg.sender;
        _manager = taskManager;
    }

    function getOwner() external view override returns (address) {
        return _owner;
    }

    function setPolicy(address policy) external onlyAdmin {
        _policy = policy;
    }

    function updatePolicyParams(uint64 validFor, bytes calldata params) external onlyAdmin {
        IPolicy(_policy).setPolicy(PolicyConfig(params, uint32(validFor)));
    }
}

/// No constructor, and a configuration of its own.
contract InitializedClient is ForeignClient {
    struct Configuration {
        address policy;
        string params;
        uint32 validFor;
    }

    function initialize(address admin, address manager, uint256 version) external {
        if (_admin != address(0) || version != 3) revert Forbidden();
        _admin = admin;
        _manager = manager;
    }

    function useConfig(Configuration calldata config) external onlyAdmin {
        _policy = config.policy;
        IPolicy(config.policy).setPolicy(PolicyConfig(bytes(config.params), config.validFor));
    }
}
