// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// Interface of a data source (decision C11), with the check of attested data (decision C8). A source
/// whose attesters sign the second form of the digest also answers `digestVersion()` with 2.
interface IPolicyData {
    function getWasmCid() external view returns (string memory);
    function getSecretsSchemaCid() external view returns (string memory);
    function getExpireAfter() external view returns (uint32);
    function getMetadataCid() external view returns (string memory);
    function getAttesters() external view returns (address[] memory);
    function version() external view returns (string memory);
    function verifyAttestation(
        bytes calldata wasmArgs,
        bytes calldata data,
        uint32 expireBlock,
        bytes calldata attestation
    ) external view returns (bool);
}
