// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// Behaves as its constructor says in transactions, which pay for gas; simulations do not.
contract HostilePolicyData {
    uint256 private immutable _behaviour;

    constructor(uint256 behaviour) {
        _behaviour = behaviour;
    }

    function getExpireAfter() external pure returns (uint32) {
        return 1000;
    }

    function verifyAttestation(bytes calldata, bytes calldata, uint32, bytes calldata) external view returns (bool) {
        uint256 behaviour = _behaviour;
        if (tx.gasprice == 0 && behaviour < 8) return true;
        if (behaviour == 7) behaviour = block.number % 2 == 0 ? 1 : 0;
        if (behaviour == 0) return true;
        if (behaviour == 3 || behaviour == 8) revert("refused");
        if (behaviour == 5) return false;
        if (behaviour == 4) assembly { revert(0, 200000) }
        if (behaviour == 6) assembly { mstore(0, 1) return(0, 200000) }
        uint256 enough = behaviour == 2 ? gasleft() > 2000000 ? gasleft() - 2000000 : 0 : 0;
        while (gasleft() > enough) {}
        return true;
    }
}
