// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {BN254} from "./libraries/BN254.sol";
import {BlockHistory} from "./libraries/BlockHistory.sol";
import {G1Point, G2Point} from "./Types.sol";

/// Current and past operators: keys, quorums, stakes and aggregate keys, by block.
abstract contract OperatorHistory {
    using BN254 for G1Point;
    using BlockHistory for BlockHistory.History;

    error NoQuorums();
    error QuorumsNotAscending();
    error UnknownQuorum(uint8 quorumNumber);

    struct Operator {
        address account;
        G1Point pubkeyG1;
        G2Point pubkeyG2;
    }

    struct OperatorState {
        bytes32 operatorId;
        address account;
        G1Point pubkeyG1;
        G2Point pubkeyG2;
        uint256 quorumBitmap;
        uint32 quorumBitmapIndex;
        uint256[] stakes;
        uint32[] stakeIndices;
    }

    struct QuorumState {
        uint8 quorumNumber;
        G1Point apk;
        uint256 totalStake;
        uint32 apkIndex;
        uint32 totalStakeIndex;
    }

    uint8 public quorumCount;

    bytes32[] internal _operatorIds;
    mapping(bytes32 operatorId => Operator) internal _operators;
    mapping(bytes32 operatorId => BlockHistory.History) internal _bitmaps;
    mapping(bytes32 operatorId => mapping(uint8 quorumNumber => BlockHistory.History)) internal _stakes;
    mapping(uint8 quorumNumber => BlockHistory.History) internal _totalStakes;
    /// The hash of the aggregate key for every entry of the history of the total stake: the two have
    /// the same indices.
    mapping(uint8 quorumNumber => mapping(uint32 index => bytes32)) internal _apkHashes;
    mapping(uint8 quorumNumber => G1Point) internal _apks;
    /// The hash of the aggregate keys in G1 and G2, where `proveAggregateKey` has checked that they have
    /// the same secret; 0 elsewhere. With the indices of `_apkHashes`.
    mapping(uint8 quorumNumber => mapping(uint32 index => bytes32)) internal _provenKeyHashes;

    /// The operators of the given quorums at a block, with the indices required by a signature
    /// check. `stakes` and `stakeIndices` are parallel to `quorumNumbers`; for an operator that is
    /// not in a quorum both are 0.
    function getOperatorSet(bytes calldata quorumNumbers, uint32 referenceBlock)
        external
        view
        returns (OperatorState[] memory operators, QuorumState[] memory quorums)
    {
        uint256 bitmap = _bitmapOf(quorumNumbers);
        operators = _operatorsAt(quorumNumbers, bitmap, referenceBlock);
        quorums = new QuorumState[](quorumNumbers.length);
        for (uint256 q = 0; q < quorumNumbers.length; q++) {
            uint8 number = uint8(quorumNumbers[q]);
            QuorumState memory quorum = quorums[q];
            quorum.quorumNumber = number;
            (, quorum.totalStakeIndex) = _totalStakes[number].indexAt(referenceBlock);
            quorum.apkIndex = quorum.totalStakeIndex;
            quorum.totalStake = _totalStakes[number].valueAt(quorum.totalStakeIndex, referenceBlock);
            for (uint256 i = 0; i < operators.length; i++) {
                if (operators[i].quorumBitmap & (1 << number) != 0) {
                    quorum.apk = quorum.apk.add(operators[i].pubkeyG1);
                }
            }
        }
    }

    function _operatorsAt(bytes calldata quorumNumbers, uint256 bitmap, uint32 referenceBlock)
        private
        view
        returns (OperatorState[] memory operators)
    {
        operators = new OperatorState[](_operatorIds.length);
        uint256 count = 0;
        for (uint256 i = 0; i < _operatorIds.length; i++) {
            bytes32 id = _operatorIds[i];
            (bool found, uint32 index) = _bitmaps[id].indexAt(referenceBlock);
            if (!found) continue;
            uint256 quorumBitmap = _bitmaps[id].valueAt(index, referenceBlock);
            if (quorumBitmap & bitmap == 0) continue;
            operators[count++] = _operatorAt(id, quorumBitmap, index, quorumNumbers, referenceBlock);
        }
        assembly ("memory-safe") {
            mstore(operators, count)
        }
    }

    function _operatorAt(
        bytes32 id,
        uint256 quorumBitmap,
        uint32 bitmapIndex,
        bytes calldata quorumNumbers,
        uint32 referenceBlock
    ) private view returns (OperatorState memory state) {
        Operator storage operator = _operators[id];
        state.operatorId = id;
        state.account = operator.account;
        state.pubkeyG1 = operator.pubkeyG1;
        state.pubkeyG2 = operator.pubkeyG2;
        state.quorumBitmap = quorumBitmap;
        state.quorumBitmapIndex = bitmapIndex;
        state.stakes = new uint256[](quorumNumbers.length);
        state.stakeIndices = new uint32[](quorumNumbers.length);
        for (uint256 q = 0; q < quorumNumbers.length; q++) {
            uint8 number = uint8(quorumNumbers[q]);
            if (quorumBitmap & (1 << number) == 0) continue;
            (, uint32 index) = _stakes[id][number].indexAt(referenceBlock);
            state.stakeIndices[q] = index;
            state.stakes[q] = _stakes[id][number].valueAt(index, referenceBlock);
        }
    }

    /// Quorum numbers, one per byte, as a bitmap; they must exist and be strictly ascending.
    function _bitmapOf(bytes calldata quorumNumbers) internal view returns (uint192 bitmap) {
        if (quorumNumbers.length == 0) revert NoQuorums();
        for (uint256 q = 0; q < quorumNumbers.length; q++) {
            uint8 number = uint8(quorumNumbers[q]);
            // A quorum has a total stake from its creation.
            if (_totalStakes[number].length == 0) revert UnknownQuorum(number);
            if (bitmap >> number != 0) revert QuorumsNotAscending();
            bitmap |= uint192(1) << number;
        }
    }
}
