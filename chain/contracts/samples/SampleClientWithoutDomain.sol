// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {IntentTypedData} from "../libraries/IntentTypedData.sol";
import {PolicyClient} from "../PolicyClient.sol";
import {Intent, PolicyConfig} from "../Types.sol";
import {IntentExecutor} from "./IntentExecutor.sol";

/// A client whose signing domain cannot be read: signers must know name and version.
contract SampleClientWithoutDomain is IntentExecutor {
    bytes32 private constant DOMAIN_TYPE_HASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    bytes32 private immutable _nameHash;
    bytes32 private immutable _versionHash;

    constructor(
        address owner,
        address taskManager,
        address policy,
        PolicyConfig memory config,
        string memory name,
        string memory version
    ) PolicyClient(owner, taskManager, policy, config) {
        _nameHash = keccak256(bytes(name));
        _versionHash = keccak256(bytes(version));
    }

    /// The message that the sender of an intent signs.
    function hashIntent(Intent calldata intent) external view returns (bytes32) {
        bytes32 separator =
            keccak256(abi.encode(DOMAIN_TYPE_HASH, _nameHash, _versionHash, block.chainid, address(this)));
        return MessageHashUtils.toTypedDataHash(separator, IntentTypedData.structHash(intent));
    }
}
