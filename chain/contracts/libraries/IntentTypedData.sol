// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Intent} from "../Types.sol";

/// The EIP-712 struct hash of an intent.
library IntentTypedData {
    bytes32 internal constant TYPE_HASH = keccak256(
        "Intent(address from,address to,uint256 value,bytes data,uint256 chainId,bytes functionSignature)"
    );

    function structHash(Intent calldata intent) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(
                TYPE_HASH,
                intent.from,
                intent.to,
                intent.value,
                keccak256(intent.data),
                intent.chainId,
                keccak256(intent.functionSignature)
            )
        );
    }
}
