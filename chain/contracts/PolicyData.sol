// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IPolicyData} from "./interfaces/IPolicyData.sol";

/// A data source: the oracle's WASM and the schema of its secrets by content id, and the attesters
/// of its output.
///
/// What `verifyAttestation` needs is in the code of the contract as far as possible: 2,100 gas less for
/// each word than from storage.
contract PolicyData is IPolicyData {
    uint256 private immutable _wasmCidLength;
    bytes32 private immutable _wasmCidStart;
    bytes32 private immutable _wasmCidRest;
    /// Only if it has more than 64 bytes. A CID usually has 59.
    string private _longWasmCid;
    bool private immutable _hasSecretsSchema;
    string private _secretsSchemaCid;
    string private _metadataCid;
    string private _version;
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
        _wasmCidLength = bytes(wasmCid).length;
        if (bytes(wasmCid).length > 64) _longWasmCid = wasmCid;
        (_wasmCidStart, _wasmCidRest) = _firstWords(wasmCid);
        _hasSecretsSchema = bytes(secretsSchemaCid).length > 0;
        _secretsSchemaCid = secretsSchemaCid;
        _expireAfter = expireAfter;
        _hasAttesters = attesters.length > 0;
        _firstAttester = attesters.length > 0 ? attesters[0] : address(0);
        _attesters = attesters;
        for (uint256 i = 0; i < attesters.length; i++) _isAttester[attesters[i]] = true;
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
        if (!_hasAttesters) return attestation.length == 0;
        string memory secretsSchemaCid = _hasSecretsSchema ? _secretsSchemaCid : "";
        bytes32 digest = keccak256(
            abi.encodePacked(wasmArgs, data, address(this), expireBlock, _wasmCid(), secretsSchemaCid)
        );
        (address signer, ECDSA.RecoverError problem,) = ECDSA.tryRecoverCalldata(digest, attestation);
        if (problem != ECDSA.RecoverError.NoError) return false;
        return signer == _firstAttester || _isAttester[signer];
    }

    function getWasmCid() external view returns (string memory) {
        return _wasmCid();
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

    function _wasmCid() private view returns (string memory cid) {
        uint256 length = _wasmCidLength;
        if (length > 64) return _longWasmCid;
        cid = string(bytes.concat(_wasmCidStart, _wasmCidRest));
        assembly ("memory-safe") {
            mstore(cid, length)
        }
    }

    /// The first 64 bytes, padded with zero bytes.
    function _firstWords(string memory text) private pure returns (bytes32 start, bytes32 rest) {
        return abi.decode(bytes.concat(bytes(text), new bytes(64)), (bytes32, bytes32));
    }
}
