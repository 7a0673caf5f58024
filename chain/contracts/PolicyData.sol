// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IPolicyData} from "./interfaces/IPolicyData.sol";

/// A data source: the oracle's WASM and the schema of its secrets by content id, and the attesters
/// of its output.
contract PolicyData is IPolicyData {
    string private _wasmCid;
    string private _secretsSchemaCid;
    string private _metadataCid;
    string private _version;
    uint32 private immutable _expireAfter;
    address[] private _attesters;

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
        _expireAfter = expireAfter;
        _attesters = attesters;
        _metadataCid = metadataCid;
        _version = version_;
    }

    /// With attesters, a signature of one of them over the raw digest of decision C8 is required;
    /// without attesters, only the empty attestation is accepted.
    function verifyAttestation(
        bytes calldata wasmArgs,
        bytes calldata data,
        uint32 expireBlock,
        bytes calldata attestation
    ) external view returns (bool) {
        if (_attesters.length == 0) return attestation.length == 0;
        bytes32 digest =
            keccak256(abi.encodePacked(wasmArgs, data, address(this), expireBlock, _wasmCid, _secretsSchemaCid));
        (address signer, ECDSA.RecoverError problem,) = ECDSA.tryRecover(digest, attestation);
        if (problem != ECDSA.RecoverError.NoError) return false;
        for (uint256 i = 0; i < _attesters.length; i++) {
            if (_attesters[i] == signer) return true;
        }
        return false;
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
