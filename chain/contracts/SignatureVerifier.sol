// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {BN254} from "./libraries/BN254.sol";
import {BlockHistory} from "./libraries/BlockHistory.sol";
import {SignatureData} from "./libraries/SignatureData.sol";
import {OperatorHistory} from "./OperatorHistory.sol";
import {G1Point, G2Point, NonSignerStakesAndSignature} from "./Types.sol";

/// Verifies that enough stake of every quorum signed a digest (decisions C5, T7).
abstract contract SignatureVerifier is OperatorHistory {
    using BN254 for G1Point;
    using BlockHistory for BlockHistory.History;

    error ReferenceBlockInFuture(uint32 referenceBlock, uint256 currentBlock);
    error QuorumApkMismatch(uint8 quorumNumber);
    error NonSignersNotAscending();
    error NonSignerOutsideQuorums(bytes32 operatorId);
    error NoSigners();
    error InvalidSignature();
    error QuorumNotReached(uint8 quorumNumber, uint256 signedStake, uint256 totalStake);

    /// @param digest the signed message.
    /// @param quorumNumbers one byte per quorum, strictly ascending.
    /// @param referenceBlock the block of the operator set.
    /// @param thresholdPercentage required share of every quorum's stake.
    /// @param signatureData abi.encode(NonSignerStakesAndSignature) (decision C6).
    /// @return hashOfNonSigners keccak256(abi.encodePacked(referenceBlock, operator ids)).
    function verifySignature(
        bytes32 digest,
        bytes calldata quorumNumbers,
        uint32 referenceBlock,
        uint32 thresholdPercentage,
        bytes calldata signatureData
    ) external view returns (bytes32 hashOfNonSigners) {
        uint256 bitmap = _bitmapOf(quorumNumbers);
        if (referenceBlock > block.number) revert ReferenceBlockInFuture(referenceBlock, block.number);
        NonSignerStakesAndSignature calldata evidence = SignatureData.read(signatureData, quorumNumbers.length);

        bytes32[] memory nonSigners = new bytes32[](evidence.nonSignerPubkeys.length);
        if (nonSigners.length == 0 && _isProvenKey(evidence, quorumNumbers, referenceBlock)) {
            _checkQuorums(evidence, quorumNumbers, referenceBlock, thresholdPercentage, nonSigners);
            if (!BN254.pairingProductIsOne(evidence.sigma, BN254.hashToG1(digest), evidence.apkG2)) {
                revert InvalidSignature();
            }
            return keccak256(abi.encodePacked(referenceBlock));
        }
        G1Point memory apk = _sumOfApks(evidence, quorumNumbers, referenceBlock);
        if (nonSigners.length > 0) apk = _subtractNonSigners(apk, evidence, bitmap, referenceBlock, nonSigners);
        // The identity is a valid signature of every message under the identity key: reject an
        // empty set of signers.
        if (apk.isInfinity()) revert NoSigners();
        _checkQuorums(evidence, quorumNumbers, referenceBlock, thresholdPercentage, nonSigners);
        if (!_verifies(digest, apk, evidence.apkG2, evidence.sigma)) revert InvalidSignature();
        return keccak256(abi.encodePacked(referenceBlock, nonSigners));
    }

    /// Whether the signers are one whole quorum whose keys in G1 and G2 have been proven to have the same
    /// secret (`proveAggregateKey`): then the pairing check need not bind them.
    function _isProvenKey(
        NonSignerStakesAndSignature calldata evidence,
        bytes calldata quorumNumbers,
        uint32 referenceBlock
    ) private view returns (bool) {
        if (quorumNumbers.length != 1) return false;
        uint8 number = uint8(quorumNumbers[0]);
        uint32 index = evidence.quorumApkIndices[0];
        _totalStakes[number].valueAt(index, referenceBlock);
        return _keysHash(evidence.quorumApks[0], evidence.apkG2) == _provenKeyHashes[number][index];
    }

    function _keysHash(G1Point memory keyG1, G2Point calldata keyG2) internal pure returns (bytes32) {
        return keccak256(abi.encode(keyG1, keyG2));
    }

    function _sumOfApks(
        NonSignerStakesAndSignature calldata evidence,
        bytes calldata quorumNumbers,
        uint32 referenceBlock
    ) private view returns (G1Point memory apk) {
        for (uint256 q = 0; q < quorumNumbers.length; q++) {
            uint8 number = uint8(quorumNumbers[q]);
            uint32 index = evidence.quorumApkIndices[q];
            // The history of the total stake has the same indices.
            _totalStakes[number].valueAt(index, referenceBlock);
            G1Point memory own = evidence.quorumApks[q];
            if (own.operatorId() != _apkHashes[number][index]) revert QuorumApkMismatch(number);
            apk = q == 0 ? own : apk.add(own);
        }
    }

    /// An operator in two of the quorums is added to the aggregate key twice, and subtracted twice.
    /// @param nonSigners is filled with the operator ids.
    function _subtractNonSigners(
        G1Point memory apk,
        NonSignerStakesAndSignature calldata evidence,
        uint256 bitmap,
        uint32 referenceBlock,
        bytes32[] memory nonSigners
    ) private view returns (G1Point memory) {
        bytes32 previous = 0;
        for (uint256 i = 0; i < nonSigners.length; i++) {
            G1Point memory key = evidence.nonSignerPubkeys[i];
            bytes32 id = key.operatorId();
            if (id <= previous) revert NonSignersNotAscending();
            previous = id;
            nonSigners[i] = id;
            uint256 times = _countOnes(_bitmapAt(evidence, i, id, referenceBlock) & bitmap);
            if (times == 0) revert NonSignerOutsideQuorums(id);
            key = key.negate();
            apk = times == 1 ? apk.add(key) : apk.addMultiple(key, times);
        }
        return apk;
    }

    /// A quorum without stake is rejected, whatever the threshold.
    function _checkQuorums(
        NonSignerStakesAndSignature calldata evidence,
        bytes calldata quorumNumbers,
        uint32 referenceBlock,
        uint32 thresholdPercentage,
        bytes32[] memory nonSigners
    ) private view {
        for (uint256 q = 0; q < quorumNumbers.length; q++) {
            uint8 number = uint8(quorumNumbers[q]);
            uint256 total = _totalStakes[number].valueAt(evidence.totalStakeIndices[q], referenceBlock);
            uint256 signed = total - _stakeOf(evidence, q, number, referenceBlock, nonSigners);
            if (total == 0 || signed * 100 < total * thresholdPercentage) {
                revert QuorumNotReached(number, signed, total);
            }
        }
    }

    /// The stake of the non-signers in the quorum.
    function _stakeOf(
        NonSignerStakesAndSignature calldata evidence,
        uint256 q,
        uint8 number,
        uint32 referenceBlock,
        bytes32[] memory nonSigners
    ) private view returns (uint256 stake) {
        uint32[] calldata indices = evidence.nonSignerStakeIndices[q];
        uint256 cursor = 0;
        for (uint256 i = 0; i < nonSigners.length; i++) {
            bytes32 id = nonSigners[i];
            if (_bitmapAt(evidence, i, id, referenceBlock) & (1 << number) == 0) continue;
            if (cursor == indices.length) revert SignatureData.LengthMismatch();
            stake += _stakes[id][number].valueAt(indices[cursor++], referenceBlock);
        }
        if (cursor != indices.length) revert SignatureData.LengthMismatch();
    }

    /// The quorums of a non-signer at the reference block.
    function _bitmapAt(NonSignerStakesAndSignature calldata evidence, uint256 i, bytes32 id, uint32 referenceBlock)
        private
        view
        returns (uint256)
    {
        return _bitmaps[id].valueAt(evidence.nonSignerQuorumBitmapIndices[i], referenceBlock);
    }

    /// One pairing check for two facts: the signature is by this key, and the key's G1 and G2 points
    /// have the same secret. The factor hashes all inputs, so that an error in one cannot be
    /// compensated by the other.
    function _verifies(bytes32 digest, G1Point memory keyG1, G2Point calldata keyG2, G1Point memory sigma)
        internal
        view
        returns (bool)
    {
        uint256 factor = uint256(keccak256(abi.encode(digest, keyG1, keyG2, sigma))) % BN254.R;
        return BN254.pairingProductIsOne(
            sigma.addMultiple(keyG1, factor),
            BN254.hashToG1(digest).addMultiple(BN254.generatorG1(), factor),
            keyG2
        );
    }

    function _countOnes(uint256 bitmap) private pure returns (uint256 count) {
        for (; bitmap != 0; bitmap &= bitmap - 1) count++;
    }
}
