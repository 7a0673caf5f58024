// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IPolicyClient} from "./interfaces/IPolicyClient.sol";

/// Stores who may provide confidential data, of what type, and which policy clients use it. The owner
/// adds providers; gateways read it on every upload. A policy of a client reads data of a provider
/// only if both agree: the provider grants it, and the client's owner makes it a source (decision C17).
contract ConfidentialDataRegistry is Ownable {
    error InvalidProvider();
    error InvalidDataType();
    error ProviderAlreadyRegistered(address provider);
    error ProviderNotRegistered(address provider);
    error NotProvider(address caller);
    error NotOwnerNorProvider(address caller);
    error InvalidDataRefId();
    error NotGranted(address provider, address client, bytes32 domain);
    error NotClientOwner(address caller, address client);
    error ProviderOfAnotherType(address provider, string dataType);
    error TooManySources(address client);
    error SourceNotSet(address client, string dataType);

    event ProviderRegistered(address indexed provider, string dataType);
    event ProviderRemoved(address indexed provider);
    event DataPublished(address indexed provider, bytes32 indexed domain, uint32 version, string dataRefId);
    event AccessGranted(address indexed provider, address indexed client, bytes32 indexed domain);
    event AccessRevoked(address indexed provider, address indexed client, bytes32 indexed domain);
    event SourceSet(address indexed client, string dataType, address indexed provider, bytes32 indexed domain);
    event SourceRemoved(address indexed client, string dataType);

    /// What a provider did since it was registered. It ends with its removal: otherwise a provider that
    /// registers again with another type would have published a blacklist as an allowlist.
    struct Registration {
        mapping(bytes32 domain => Publication) latest;
        mapping(address client => mapping(bytes32 domain => bool)) granted;
    }

    struct Publication {
        uint32 version;
        string dataRefId;
    }

    /// What the owner of a client chose.
    struct Choice {
        string dataType;
        address provider;
        bytes32 domain;
    }

    /// @param version 0 if none is published, and then `dataRefId` is empty.
    /// @param granted the provider is registered with this type and grants the client the domain.
    struct Source {
        string dataType;
        address provider;
        bytes32 domain;
        uint32 version;
        string dataRefId;
        bool granted;
    }

    /// The most data types of a client.
    uint256 public constant MAX_SOURCES = 8;

    mapping(address provider => string dataType) private _dataTypes;
    mapping(address provider => uint256) private _removals;
    mapping(address provider => mapping(uint256 removals => Registration)) private _registrations;
    /// Survives removals, so that a version number never means two publications.
    mapping(address provider => mapping(bytes32 domain => uint32)) private _lastVersions;
    mapping(address client => Choice[]) private _choices;

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

    /// By the owner or the provider. Ends what it has published and granted.
    function removeProvider(address provider) external {
        if (msg.sender != owner() && msg.sender != provider) revert NotOwnerNorProvider(msg.sender);
        if (!isProvider(provider)) revert ProviderNotRegistered(provider);
        delete _dataTypes[provider];
        _removals[provider]++;
        emit ProviderRemoved(provider);
    }

    /// By a provider: data that replaces what it has published for the domain.
    /// @param dataRefId the reference of the uploaded envelope, 1 to 128 bytes.
    /// @return version 1 for the first of provider and domain.
    function publish(bytes32 domain, string calldata dataRefId) external returns (uint32 version) {
        Registration storage registration = _ownRegistration();
        uint256 size = bytes(dataRefId).length;
        if (size == 0 || size > 128) revert InvalidDataRefId();
        version = ++_lastVersions[msg.sender][domain];
        registration.latest[domain] = Publication(version, dataRefId);
        emit DataPublished(msg.sender, domain, version, dataRefId);
    }

    /// By a provider: lets policies of the client use what it publishes for the domain.
    function grant(address client, bytes32 domain) external {
        _ownRegistration().granted[client][domain] = true;
        emit AccessGranted(msg.sender, client, domain);
    }

    /// By a provider.
    function revoke(address client, bytes32 domain) external {
        Registration storage registration = _ownRegistration();
        if (!registration.granted[client][domain]) revert NotGranted(msg.sender, client, domain);
        delete registration.granted[client][domain];
        emit AccessRevoked(msg.sender, client, domain);
    }

    /// By the owner of a policy client: policies of the client read data of this type from the provider.
    /// Replaces the source of the type. Without the owner's consent a provider could put its own
    /// allowlist under somebody's policy.
    /// @param dataType the provider's type.
    function setSource(address client, string calldata dataType, address provider, bytes32 domain) external {
        _checkClientOwner(client);
        if (!_isOfType(provider, dataType)) revert ProviderOfAnotherType(provider, dataType);
        Choice[] storage choices = _choices[client];
        uint256 index = _indexOf(choices, dataType);
        if (index == choices.length) {
            if (index == MAX_SOURCES) revert TooManySources(client);
            choices.push();
        }
        choices[index] = Choice(dataType, provider, domain);
        emit SourceSet(client, dataType, provider, domain);
    }

    /// By the owner of the policy client.
    function removeSource(address client, string calldata dataType) external {
        _checkClientOwner(client);
        Choice[] storage choices = _choices[client];
        uint256 index = _indexOf(choices, dataType);
        if (index == choices.length) revert SourceNotSet(client, dataType);
        if (index != choices.length - 1) choices[index] = choices[choices.length - 1];
        choices.pop();
        emit SourceRemoved(client, dataType);
    }

    /// The sources of a client, at most 8 and one for each type, in no certain order.
    function sourcesOf(address client) external view returns (Source[] memory sources) {
        Choice[] storage choices = _choices[client];
        sources = new Source[](choices.length);
        for (uint256 i = 0; i < sources.length; i++) {
            Choice memory choice = choices[i];
            Source memory source = sources[i];
            (source.dataType, source.provider, source.domain) = (choice.dataType, choice.provider, choice.domain);
            if (!_isOfType(choice.provider, choice.dataType)) continue;
            (source.version, source.dataRefId) = latestOf(choice.provider, choice.domain);
            source.granted = isGranted(choice.provider, client, choice.domain);
        }
    }

    /// What a provider has published last for a domain; 0 and empty for none, and after its removal.
    function latestOf(address provider, bytes32 domain)
        public
        view
        returns (uint32 version, string memory dataRefId)
    {
        Publication storage latest = _registrationOf(provider).latest[domain];
        return (latest.version, latest.dataRefId);
    }

    function isGranted(address provider, address client, bytes32 domain) public view returns (bool) {
        return _registrationOf(provider).granted[client][domain];
    }

    /// Empty exactly for accounts that are not providers.
    function providerDataType(address provider) external view returns (string memory) {
        return _dataTypes[provider];
    }

    function isProvider(address provider) public view returns (bool) {
        return bytes(_dataTypes[provider]).length != 0;
    }

    function _isOfType(address provider, string memory dataType) private view returns (bool) {
        return isProvider(provider) && _areEqual(_dataTypes[provider], dataType);
    }

    function _areEqual(string memory one, string memory other) private pure returns (bool) {
        return keccak256(bytes(one)) == keccak256(bytes(other));
    }

    /// Its length for a type that has no source.
    function _indexOf(Choice[] storage choices, string calldata dataType) private view returns (uint256 index) {
        while (index < choices.length && !_areEqual(choices[index].dataType, dataType)) index++;
    }

    function _registrationOf(address provider) private view returns (Registration storage) {
        return _registrations[provider][_removals[provider]];
    }

    function _ownRegistration() private view returns (Registration storage) {
        if (!isProvider(msg.sender)) revert NotProvider(msg.sender);
        return _registrationOf(msg.sender);
    }

    /// Also for what is not a policy client: the reason would otherwise be missing.
    function _checkClientOwner(address client) private view {
        (bool answered, bytes memory owner) = client.staticcall(abi.encodeCall(IPolicyClient.getOwner, ()));
        if (!answered || owner.length != 32 || uint256(bytes32(owner)) != uint160(msg.sender)) {
            revert NotClientOwner(msg.sender, client);
        }
    }
}
