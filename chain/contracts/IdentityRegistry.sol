// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

/// Binds an identity owner and a domain to data that a gateway stores sealed. The gateway's
/// signature confirms that the owner signed the data (decision K7); the data itself is never on
/// chain.
contract IdentityRegistry is EIP712, Ownable {
    error NotIdentityOwner(address caller, address identityOwner);
    error RegistrationExpired(uint256 deadline, uint256 timestamp);
    error InvalidGatewaySignature();
    error RegistrationAlreadyUsed(bytes32 digest);

    event IdentityBound(address indexed identityOwner, bytes32 indexed identityDomain, string dataRefId);
    event GatewaySet(address indexed gateway);

    bytes32 private constant REGISTRATION = keccak256(
        "registerIdentityData(address identityOwner,bytes32 identityDomain,string dataRefId,uint256 deadline)"
    );

    /// The gateway whose signature is accepted; the zero address accepts none.
    address public gateway;

    mapping(address identityOwner => mapping(bytes32 identityDomain => string dataRefId)) private _bound;
    mapping(bytes32 digest => bool) private _used;

    constructor(address owner, address gateway_) Ownable(owner) EIP712("IdentityRegistry", "1") {
        _setGateway(gateway_);
    }

    /// Signatures of the previous gateway become invalid.
    function setGateway(address gateway_) external onlyOwner {
        _setGateway(gateway_);
    }

    /// Only the identity owner may call: otherwise, within the deadline, a relayer with signatures
    /// of two uploads could choose which of them is bound last.
    /// @param deadline the last block timestamp at which the signature is valid.
    function registerIdentityData(
        address identityOwner,
        bytes32 identityDomain,
        string calldata dataRefId,
        bytes calldata gatewaySignature,
        uint256 deadline
    ) external {
        if (msg.sender != identityOwner) revert NotIdentityOwner(msg.sender, identityOwner);
        if (block.timestamp > deadline) revert RegistrationExpired(deadline, block.timestamp);
        bytes32 digest = registrationDigest(identityOwner, identityDomain, dataRefId, deadline);
        (address signer, ECDSA.RecoverError problem,) = ECDSA.tryRecover(digest, gatewaySignature);
        if (problem != ECDSA.RecoverError.NoError || signer != gateway) revert InvalidGatewaySignature();
        if (_used[digest]) revert RegistrationAlreadyUsed(digest);
        _used[digest] = true;
        _bound[identityOwner][identityDomain] = dataRefId;
        emit IdentityBound(identityOwner, identityDomain, dataRefId);
    }

    /// The reference that was bound last; empty if none was.
    function dataRefIdOf(address identityOwner, bytes32 identityDomain) external view returns (string memory) {
        return _bound[identityOwner][identityDomain];
    }

    /// The message that the gateway signs.
    function registrationDigest(
        address identityOwner,
        bytes32 identityDomain,
        string calldata dataRefId,
        uint256 deadline
    ) public view returns (bytes32) {
        return _hashTypedDataV4(
            keccak256(abi.encode(REGISTRATION, identityOwner, identityDomain, keccak256(bytes(dataRefId)), deadline))
        );
    }

    function _setGateway(address gateway_) private {
        gateway = gateway_;
        emit GatewaySet(gateway_);
    }
}
