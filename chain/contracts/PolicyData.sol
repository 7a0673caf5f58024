// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IPolicyData} from "./interfaces/IPolicyData.sol";

/// A data source: the oracle's WASM and the schema of its secrets by content id, and the attesters
/// of its output.
///
/// What `verifyAttestation` needs is in the code of the contract: 2,100 gas less for each word than from
/// storage.
contract PolicyData is IPolicyData {
    /// Which digest of decision C8 attesters sign. Contracts of the first form do not have this function.
    /// The text of `version` is the deployer's and says nothing about it.
    uint8 public constant digestVersion = 2;

    bytes32 private constant ATTESTATION_TYPE_HASH = keccak256(
        "PolicyDataAttestation(uint256 chainId,address policyData,uint32 expireBlock,bytes wasmArgs,bytes data,string wasmCid,string secretsSchemaCid)"
    );

    string private _wasmCid;
    string private _secretsSchemaCid;
    string private _metadataCid;
    string private _version;
    bytes32 private immutable _wasmCidHash;
    bytes32 private immutable _secretsSchemaCidHash;
    uint32 private immutable _expireAfter;
    bool private immutable _hasAttesters;
    address private immutable _firstAttester;
    address[] private _attesters;
    mapping(address account => bool) private _isAttester;

    constructor(
        string memory wasmCid,
        string memory secretsSchemaCid,
        uint32 expireAfter,
        address[] memory attesters,
        string memory metadataCid,
        string memory version_
    ) {
        _wasmCid = wasmCid;
        _secretsSchemaCid = secretsSchemaCid;
        _metadataCid = metadataCid;
        _version = version_;
        _wasmCidHash = keccak256(bytes(wasmCid));
        _secretsSchemaCidHash = keccak256(bytes(secretsSchemaCid));
        _expireAfter = expireAfter;
        _hasAttesters = attesters.length > 0;
        _firstAttester = attesters.length > 0 ? attesters[0] : address(0);
        _attesters = attesters;
        for (uint256 i = 0; i < attesters.length; i++) _isAttester[attesters[i]] = true;
    }

    /// With attesters, a signature of one of them over the raw digest of decision C8 is required;
    /// without attesters, only the empty attestation is accepted.
    function verifyAttestation(
        bytes calldata wasmArgs,
        bytes calldata data,
        uint32 expireBlock,
        bytes calldata attestation
    ) external view returns (bool) {
        if (!_hasAttesters) return attestation.length == 0;
        // Every member has one word, so that no bytes can move from one to another.
        bytes32 digest = keccak256(
            abi.encode(
                ATTESTATION_TYPE_HASH,
                block.chainid,
                address(this),
                expireBlock,
                keccak256(wasmArgs),
                keccak256(data),
                _wasmCidHash,
                _secretsSchemaCidHash
            )
        );
        (address signer, ECDSA.RecoverError problem,) = ECDSA.tryRecoverCalldata(digest, attestation);
        if (problem != ECDSA.RecoverError.NoError) return false;
        return signer == _firstAttester || _isAttester[signer];
    }

    function getWasmCid() external view returns (string memory) {
        return _wasmCid;
    }

    function getSecretsSchemaCid() external view returns (string memory) {
        return _secretsSchemaCid;
    }

    function getExpireAfter() external view returns (uint32) {
        return _expireAfter;
    }

    function getMetadataCid() external view returns (string memory) {
        return _metadataCid;
    }

    function getAttesters() external view returns (address[] memory) {
        return _attesters;
    }

    function version() external view returns (string memory) {
        return _version;
    }
}
