// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {EnumerableMap} from "@openzeppelin/contracts/utils/structs/EnumerableMap.sol";

/// Binds an identity owner and a domain to data that a gateway stores sealed. The gateway's
/// signature confirms that the owner signed the data (decision K7); the data itself is never on
/// chain. A link lets policies of a client use that data for tasks of a user (decision C16).
contract IdentityRegistry is EIP712, Ownable {
    error NotIdentityOwner(address caller, address identityOwner);
    error RegistrationExpired(uint256 deadline, uint256 timestamp);
    error InvalidGatewaySignature();
    error RegistrationAlreadyUsed(bytes32 digest);
    error LinkExpired(uint256 deadline, uint256 timestamp);
    error InvalidDomainCount(uint256 count);
    error InvalidLinkSignature(address account);
    error AlreadyLinked(bytes32 identityDomain, address identityOwner);
    error TooManyLinks(address policyClient, address clientUser);
    error NotPartyOfLink(address caller, bytes32 identityDomain);

    event IdentityBound(address indexed identityOwner, bytes32 indexed identityDomain, string dataRefId);
    event GatewaySet(address indexed gateway);
    event IdentityLinked(
        address indexed identityOwner, address indexed policyClient, address indexed clientUser, bytes32 identityDomain
    );
    event IdentityLinkRevoked(
        address indexed identityOwner, address indexed policyClient, address indexed clientUser, bytes32 identityDomain
    );

    /// @param dataRefId the reference that is bound now; empty if none is.
    struct Link {
        bytes32 identityDomain;
        address identityOwner;
        string dataRefId;
    }

    using EnumerableMap for EnumerableMap.Bytes32ToAddressMap;

    /// The most domains of one call, and the most links of a client and a user.
    uint256 public constant MAX_LINKS = 50;

    bytes32 private constant REGISTRATION = keccak256(
        "registerIdentityData(address identityOwner,bytes32 identityDomain,string dataRefId,uint256 deadline)"
    );

    bytes32 private constant LINK = keccak256(
        "LinkIdentity(address identityOwner,address policyClient,address clientUser,bytes32[] identityDomains,uint256 nonce,uint256 deadline)"
    );

    /// The gateway whose signature is accepted; the zero address accepts none.
    address public gateway;

    mapping(address identityOwner => mapping(bytes32 identityDomain => string dataRefId)) private _bound;
    mapping(bytes32 digest => bool) private _used;

    /// The nonce of the next link that an account signs, as identity owner or as user.
    mapping(address account => uint256 nonce) public linkNonces;

    /// The identity owner of each linked domain.
    mapping(address policyClient => mapping(address clientUser => EnumerableMap.Bytes32ToAddressMap)) private _links;

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

    /// Makes identities of an owner those of a user at a policy client. Both sign the same message but
    /// for the nonce, which is each one's own (`linkNonces`); each is an account with a key or a
    /// contract (ERC-1271). Anyone may send it. A domain without data may be linked.
    /// @param identityDomains 1 to 50, none of them linked.
    /// @param deadline the last block timestamp at which the signatures are valid.
    /// @param userSignature is not read if owner and user are the same account.
    function linkIdentity(
        address identityOwner,
        address policyClient,
        address clientUser,
        bytes32[] calldata identityDomains,
        uint256 deadline,
        bytes calldata ownerSignature,
        bytes calldata userSignature
    ) external {
        if (block.timestamp > deadline) revert LinkExpired(deadline, block.timestamp);
        _checkCount(identityDomains);
        _useSignature(
            identityOwner,
            linkDigest(
                identityOwner, policyClient, clientUser, identityDomains, linkNonces[identityOwner], deadline
            ),
            ownerSignature
        );
        if (clientUser != identityOwner) {
            _useSignature(
                clientUser,
                linkDigest(identityOwner, policyClient, clientUser, identityDomains, linkNonces[clientUser], deadline),
                userSignature
            );
        }
        EnumerableMap.Bytes32ToAddressMap storage links = _links[policyClient][clientUser];
        for (uint256 i = 0; i < identityDomains.length; i++) {
            bytes32 domain = identityDomains[i];
            (bool exists, address linked) = links.tryGet(domain);
            // To another owner, too: a link changes only after it was revoked.
            if (exists) revert AlreadyLinked(domain, linked);
            links.set(domain, identityOwner);
            emit IdentityLinked(identityOwner, policyClient, clientUser, domain);
        }
        if (links.length() > MAX_LINKS) revert TooManyLinks(policyClient, clientUser);
    }

    /// Ends links: the user any of its own, an identity owner those to its identities. Afterwards none
    /// of the domains is linked, and no link that the caller signed before can be made. So a domain
    /// that is not linked is no error: somebody else may hold a signed link and not have sent it.
    /// @param identityDomains 1 to 50.
    function revokeLinks(address policyClient, address clientUser, bytes32[] calldata identityDomains) external {
        _checkCount(identityDomains);
        linkNonces[msg.sender]++;
        EnumerableMap.Bytes32ToAddressMap storage links = _links[policyClient][clientUser];
        for (uint256 i = 0; i < identityDomains.length; i++) {
            bytes32 domain = identityDomains[i];
            (bool exists, address identityOwner) = links.tryGet(domain);
            if (!exists) continue;
            if (msg.sender != clientUser && msg.sender != identityOwner) revert NotPartyOfLink(msg.sender, domain);
            links.remove(domain);
            emit IdentityLinkRevoked(identityOwner, policyClient, clientUser, domain);
        }
    }

    /// The links of a user at a policy client, at most 50, in no certain order.
    function linksOf(address policyClient, address clientUser) external view returns (Link[] memory links) {
        EnumerableMap.Bytes32ToAddressMap storage stored = _links[policyClient][clientUser];
        links = new Link[](stored.length());
        for (uint256 i = 0; i < links.length; i++) {
            (bytes32 domain, address identityOwner) = stored.at(i);
            links[i] = Link(domain, identityOwner, _bound[identityOwner][domain]);
        }
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

    /// The message that identity owner and user sign, each with its own nonce.
    function linkDigest(
        address identityOwner,
        address policyClient,
        address clientUser,
        bytes32[] calldata identityDomains,
        uint256 nonce,
        uint256 deadline
    ) public view returns (bytes32) {
        bytes32 domains = keccak256(abi.encodePacked(identityDomains));
        return _hashTypedDataV4(
            keccak256(abi.encode(LINK, identityOwner, policyClient, clientUser, domains, nonce, deadline))
        );
    }

    /// Verifies the signature of a link and makes it, and any other with its nonce, invalid. The key
    /// first, as gateways do (decision K6): an account with code may have one as well (EIP-7702).
    function _useSignature(address account, bytes32 digest, bytes calldata signature) private {
        (address signer, ECDSA.RecoverError problem,) = ECDSA.tryRecoverCalldata(digest, signature);
        bool isByKey = problem == ECDSA.RecoverError.NoError && signer == account;
        if (!isByKey && !SignatureChecker.isValidERC1271SignatureNowCalldata(account, digest, signature)) {
            revert InvalidLinkSignature(account);
        }
        linkNonces[account]++;
    }

    function _checkCount(bytes32[] calldata identityDomains) private pure {
        uint256 count = identityDomains.length;
        if (count == 0 || count > MAX_LINKS) revert InvalidDomainCount(count);
    }

    function _setGateway(address gateway_) private {
        gateway = gateway_;
        emit GatewaySet(gateway_);
    }
}
