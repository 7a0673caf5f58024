// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ERC165} from "@openzeppelin/contracts/utils/introspection/ERC165.sol";
import {IPolicy} from "./interfaces/IPolicy.sol";
import {IPolicyClient} from "./interfaces/IPolicyClient.sol";
import {ITaskManager} from "./interfaces/ITaskManager.sol";
import {PolicyConfig, Task, TaskResponse} from "./Types.sol";

/// Base of every contract that acts only on an attested intent.
abstract contract PolicyClient is IPolicyClient, ERC165 {
    error NotOwner(address caller);
    error InvalidOwner();
    error PolicyNotSet();
    error PolicyConfigChanged(bytes32 policyId);
    error AttestationForAnotherClient();
    error StalePolicy(bytes32 policyId, bytes32 current);
    error SenderIsNotIntentFrom(address sender, address from);
    error ThresholdBelowMinimum(uint32 thresholdPercentage, uint32 minimum);
    error QuorumMissing(uint8 quorumNumber);

    address private _owner;
    address private _policy;
    /// What the owner set. A policy records what its caller sets, so an intent to the policy sets it for
    /// this client, too: that record counts only once, when the owner sets it.
    bytes32 private _policyId;
    bytes32 private _configHash;
    ITaskManager private immutable _taskManager;

    /// @param owner may be the zero address: a client without an owner.
    /// @param policy may be the zero address, to be set later.
    constructor(address owner, address taskManager, address policy, PolicyConfig memory config) {
        _owner = owner;
        _taskManager = ITaskManager(taskManager);
        emit OwnershipTransferred(address(0), owner);
        if (policy != address(0)) _usePolicy(policy, config);
    }

    modifier onlyOwner() {
        if (msg.sender != _owner) revert NotOwner(msg.sender);
        _;
    }

    /// The zero address renounces ownership permanently.
    function setOwner(address newOwner) external onlyOwner {
        _moveOwnership(newOwner);
    }

    function transferOwnership(address newOwner) external onlyOwner {
        if (newOwner == address(0)) revert InvalidOwner();
        _moveOwnership(newOwner);
    }

    function setPolicy(address policy, PolicyConfig calldata config) external onlyOwner returns (bytes32 policyId) {
        return _usePolicy(policy, config);
    }

    function getOwner() external view returns (address) {
        return _owner;
    }

    function getPolicyAddress() external view returns (address) {
        return _policy;
    }

    function getTaskManager() external view returns (address) {
        return address(_taskManager);
    }

    /// Of the id that the owner set. Reverts with `PolicyConfigChanged` for a policy whose id does not cover
    /// its configuration, and which has another one for it now.
    function getPolicyConfig() external view returns (PolicyConfig memory config) {
        bytes32 policyId = getPolicyId();
        config = IPolicy(_policy).getPolicyConfig(policyId);
        if (_hashOf(config) != _configHash) revert PolicyConfigChanged(policyId);
    }

    /// The id that the policy returned to the owner's `setPolicy`.
    function getPolicyId() public view returns (bytes32 policyId) {
        policyId = _policyId;
        if (policyId == 0) revert PolicyNotSet();
    }

    /// The minimum threshold, in percent, of a task of this client: 67 unless overridden. An
    /// attestation of a task with a lower one is refused with `ThresholdBelowMinimum`, whatever
    /// share of the stake signed. The threshold of a task that is not posted is unsigned, so this
    /// minimum protects the client.
    function minimumQuorumThreshold() public view virtual returns (uint32) {
        return 67;
    }

    /// The quorums that a task must include, one byte each: quorum 0 unless overridden. Without such
    /// a list, the holder of one operator key in some small quorum could attest anything, because
    /// the caller chooses the quorums of a task.
    function requiredQuorumNumbers() public view virtual returns (bytes memory) {
        return hex"00";
    }

    function supportsInterface(bytes4 interfaceId) public view virtual override returns (bool) {
        return interfaceId == type(IPolicyClient).interfaceId || super.supportsInterface(interfaceId);
    }

    /// Whether the attestation allows its intent. Spends it. The first three checks of decision C7
    /// are made here, the others by the task manager.
    function _validateAttestation(Task calldata task, TaskResponse calldata response, bytes calldata signatureData)
        internal
        returns (bool allowed)
    {
        if (task.policyClient != address(this) || response.policyClient != address(this)) {
            revert AttestationForAnotherClient();
        }
        bytes32 current = getPolicyId();
        if (response.policyId != current) revert StalePolicy(response.policyId, current);
        if (response.intent.from != msg.sender) revert SenderIsNotIntentFrom(msg.sender, response.intent.from);
        uint32 minimum = minimumQuorumThreshold();
        if (task.quorumThresholdPercentage < minimum) {
            revert ThresholdBelowMinimum(task.quorumThresholdPercentage, minimum);
        }
        _checkQuorums(task.quorumNumbers);
        return _taskManager.validateAttestationDirect(task, response, signatureData);
    }

    /// Whether an account decides about attestations of this client.
    function _isOwnAuthority(address account) internal view returns (bool) {
        return account == address(this) || account == address(_taskManager) || account == _policy;
    }

    function _checkQuorums(bytes calldata quorumNumbers) private view {
        bytes memory required = requiredQuorumNumbers();
        for (uint256 i = 0; i < required.length; i++) {
            bool found = false;
            for (uint256 q = 0; q < quorumNumbers.length && !found; q++) found = quorumNumbers[q] == required[i];
            if (!found) revert QuorumMissing(uint8(required[i]));
        }
    }

    function _usePolicy(address policy, PolicyConfig memory config) private returns (bytes32 policyId) {
        policyId = IPolicy(policy).setPolicy(config);
        _policy = policy;
        _policyId = policyId;
        _configHash = _hashOf(IPolicy(policy).getPolicyConfig(policyId));
    }

    function _hashOf(PolicyConfig memory config) private pure returns (bytes32) {
        return keccak256(abi.encode(config));
    }

    function _moveOwnership(address newOwner) private {
        emit OwnershipTransferred(_owner, newOwner);
        _owner = newOwner;
    }
}
