// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// Stores who may provide confidential data, and of what type. The owner adds providers; gateways
/// read it on every upload.
contract ConfidentialDataRegistry is Ownable {
    error InvalidProvider();
    error InvalidDataType();
    error ProviderAlreadyRegistered(address provider);
    error ProviderNotRegistered(address provider);
    error NotOwnerNorProvider(address caller);

    event ProviderRegistered(address indexed provider, string dataType);
    event ProviderRemoved(address indexed provider);

    mapping(address provider => string dataType) private _dataTypes;

    constructor(address owner) Ownable(owner) {}

    /// @param dataType type of the provider's data, 1 to 64 bytes.
    function registerProvider(address provider, string calldata dataType) external onlyOwner {
        if (provider == address(0)) revert InvalidProvider();
        uint256 size = bytes(dataType).length;
        if (size == 0 || size > 64) revert InvalidDataType();
        if (isProvider(provider)) revert ProviderAlreadyRegistered(provider);
        _dataTypes[provider] = dataType;
        emit ProviderRegistered(provider, dataType);
    }

    /// By the owner or the provider.
    function removeProvider(address provider) external {
        if (msg.sender != owner() && msg.sender != provider) revert NotOwnerNorProvider(msg.sender);
        if (!isProvider(provider)) revert ProviderNotRegistered(provider);
        delete _dataTypes[provider];
        emit ProviderRemoved(provider);
    }

    /// Empty exactly for accounts that are not providers.
    function providerDataType(address provider) external view returns (string memory) {
        return _dataTypes[provider];
    }

    function isProvider(address provider) public view returns (bool) {
        return bytes(_dataTypes[provider]).length != 0;
    }
}
