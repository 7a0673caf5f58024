// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {G1Point, G2Point} from "../Types.sol";

/// Arithmetic on alt_bn128 through the precompiles of EIP-196, EIP-197 and EIP-198.
library BN254 {
    /// A coordinate is not below the field modulus, or the point is not on the curve.
    error InvalidPoint();

    uint256 internal constant P = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47;
    uint256 internal constant R = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001;
    uint256 private constant SQUARE_ROOT_EXPONENT = 0x0c19139cb84c680a6e14116da060561765e05aa45a1c72a34f082305b61f3f52;

    // The negated generator of G2, imaginary coefficients first.
    uint256 private constant NEGATED_G2_X_IMAGINARY =
        11559732032986387107991004021392285783925812861821192530917403151452391805634;
    uint256 private constant NEGATED_G2_X_REAL =
        10857046999023057135944570762232829481370756359578518086990519993285655852781;
    uint256 private constant NEGATED_G2_Y_IMAGINARY =
        17805874995975841540914202342111839520379459829704422454583296818431106115052;
    uint256 private constant NEGATED_G2_Y_REAL =
        13392588948715843804641432497768002650278120570034223513918757245338268106653;

    function generatorG1() internal pure returns (G1Point memory) {
        return G1Point(1, 2);
    }

    function isInfinity(G1Point memory a) internal pure returns (bool) {
        return a.X == 0 && a.Y == 0;
    }

    function negate(G1Point memory a) internal pure returns (G1Point memory) {
        return a.Y == 0 ? a : G1Point(a.X, P - (a.Y % P));
    }

    function add(G1Point memory a, G1Point memory b) internal view returns (G1Point memory sum) {
        uint256[4] memory input = [a.X, a.Y, b.X, b.Y];
        bool ok;
        assembly ("memory-safe") {
            ok := staticcall(gas(), 0x06, input, 0x80, sum, 0x40)
            ok := and(ok, eq(returndatasize(), 0x40))
        }
        if (!ok) revert InvalidPoint();
    }

    /// a + scalar · b
    function addMultiple(G1Point memory a, G1Point memory b, uint256 scalar)
        internal
        view
        returns (G1Point memory sum)
    {
        // The product replaces the second point.
        uint256[5] memory input = [a.X, a.Y, b.X, b.Y, scalar];
        bool ok;
        assembly ("memory-safe") {
            let product := add(input, 0x40)
            ok := staticcall(gas(), 0x07, product, 0x60, product, 0x40)
            ok := and(ok, eq(returndatasize(), 0x40))
            if ok {
                ok := staticcall(gas(), 0x06, input, 0x80, sum, 0x40)
                ok := and(ok, eq(returndatasize(), 0x40))
            }
        }
        if (!ok) revert InvalidPoint();
    }

    /// Whether e(a, -G2) · e(b, key) is the identity, where G2 is the generator: one pairing call.
    function pairingProductIsOne(G1Point memory a, G1Point memory b, G2Point calldata key)
        internal
        view
        returns (bool)
    {
        uint256[12] memory input = [
            a.X,
            a.Y,
            NEGATED_G2_X_IMAGINARY,
            NEGATED_G2_X_REAL,
            NEGATED_G2_Y_IMAGINARY,
            NEGATED_G2_Y_REAL,
            b.X,
            b.Y,
            key.X[0],
            key.X[1],
            key.Y[0],
            key.Y[1]
        ];
        bool ok;
        assembly ("memory-safe") {
            ok := staticcall(gas(), 0x08, input, 0x180, input, 0x20)
            ok := and(ok, eq(returndatasize(), 0x20))
        }
        if (!ok) revert InvalidPoint();
        return input[0] == 1;
    }

    /// Try and increment: the lowest x, from the digest modulo P upwards, with a point (decision
    /// C3).
    function hashToG1(bytes32 digest) internal view returns (G1Point memory) {
        uint256 x = uint256(digest) % P;
        uint256[6] memory input = [32, 32, 32, 0, SQUARE_ROOT_EXPONENT, P];
        while (true) {
            uint256 square = addmod(mulmod(mulmod(x, x, P), x, P), 3, P);
            input[3] = square;
            uint256 y = _power(input);
            if (mulmod(y, y, P) == square) return G1Point(x, y);
            x = addmod(x, 1, P);
        }
        return G1Point(0, 0);
    }

    function operatorId(G1Point memory key) internal pure returns (bytes32) {
        return keccak256(abi.encode(key.X, key.Y));
    }

    /// @param input as for the precompile: three lengths, which are 32; base, exponent and modulus.
    function _power(uint256[6] memory input) private view returns (uint256 power) {
        bool ok;
        assembly ("memory-safe") {
            ok := staticcall(gas(), 0x05, input, 0xc0, 0x00, 0x20)
            ok := and(ok, eq(returndatasize(), 0x20))
            power := mload(0x00)
        }
        // The input is always valid: only too little gas makes this call fail.
        if (!ok) revert InvalidPoint();
    }
}
