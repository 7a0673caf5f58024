// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {IntentTypedData} from "../libraries/IntentTypedData.sol";
import {PolicyClient} from "../PolicyClient.sol";
import {Intent, PolicyConfig} from "../Types.sol";
import {IntentExecutor} from "./IntentExecutor.sol";

/// A client that exposes its signing domain (EIP-5267).
contract SampleClient is IntentExecutor, EIP712 {
    constructor(
        address owner,
        address taskManager,
        address policy,
        PolicyConfig memory config,
        string memory name,
        string memory version
    ) PolicyClient(owner, taskManager, policy, config) EIP712(name, version) {}

    /// The message that the sender of an intent signs.
    function hashIntent(Intent calldata intent) external view returns (bytes32) {
        return _hashTypedDataV4(IntentTypedData.structHash(intent));
    }
}
