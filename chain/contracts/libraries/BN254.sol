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

    function generatorG1() internal pure returns (G1Point memory) {
        return G1Point(1, 2);
    }

    function negatedGeneratorG2() internal pure returns (G2Point memory) {
        return G2Point(
            [
                11559732032986387107991004021392285783925812861821192530917403151452391805634,
                10857046999023057135944570762232829481370756359578518086990519993285655852781
            ],
            [
                17805874995975841540914202342111839520379459829704422454583296818431106115052,
                13392588948715843804641432497768002650278120570034223513918757245338268106653
            ]
        );
    }

    function isInfinity(G1Point memory a) internal pure returns (bool) {
        return a.X == 0 && a.Y == 0;
    }

    function negate(G1Point memory a) internal pure returns (G1Point memory) {
        return a.Y == 0 ? a : G1Point(a.X, P - (a.Y % P));
    }

    function add(G1Point memory a, G1Point memory b) internal view returns (G1Point memory) {
        return _call(0x06, abi.encode(a, b));
    }

    function mul(G1Point memory a, uint256 scalar) internal view returns (G1Point memory) {
        return _call(0x07, abi.encode(a, scalar));
    }

    /// Whether e(a1, a2) · e(b1, b2) is the identity: one pairing call.
    function pairingProductIsOne(G1Point memory a1, G2Point memory a2, G1Point memory b1, G2Point memory b2)
        internal
        view
        returns (bool)
    {
        (bool ok, bytes memory out) = address(0x08).staticcall(abi.encode(a1, a2, b1, b2));
        if (!ok || out.length != 32) revert InvalidPoint();
        return abi.decode(out, (bool));
    }

    /// Try and increment: the lowest x, from the digest modulo P upwards, with a point (decision
    /// C3).
    function hashToG1(bytes32 digest) internal view returns (G1Point memory) {
        uint256 x = uint256(digest) % P;
        while (true) {
            uint256 square = addmod(mulmod(mulmod(x, x, P), x, P), 3, P);
            uint256 y = _power(square, SQUARE_ROOT_EXPONENT);
            if (mulmod(y, y, P) == square) return G1Point(x, y);
            x = addmod(x, 1, P);
        }
        return G1Point(0, 0);
    }

    function operatorId(G1Point memory key) internal pure returns (bytes32) {
        return keccak256(abi.encode(key.X, key.Y));
    }

    function _call(uint160 precompile, bytes memory input) private view returns (G1Point memory) {
        (bool ok, bytes memory out) = address(precompile).staticcall(input);
        if (!ok || out.length != 64) revert InvalidPoint();
        return abi.decode(out, (G1Point));
    }

    function _power(uint256 base, uint256 exponent) private view returns (uint256) {
        (, bytes memory out) = address(0x05).staticcall(abi.encode(32, 32, 32, base, exponent, P));
        return abi.decode(out, (uint256));
    }
}
