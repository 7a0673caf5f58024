// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Checkpoints} from "@openzeppelin/contracts/utils/structs/Checkpoints.sol";
import {BN254} from "./libraries/BN254.sol";
import {BlockHistory} from "./libraries/BlockHistory.sol";
import {OperatorHistory} from "./OperatorHistory.sol";
import {G1Point, G2Point, NonSignerStakesAndSignature} from "./Types.sol";

/// Verifies that enough stake of every quorum signed a digest (decisions C5, T7).
abstract contract SignatureVerifier is OperatorHistory {
    using BN254 for G1Point;
    using BlockHistory for Checkpoints.Trace256;

    error ReferenceBlockInFuture(uint32 referenceBlock, uint256 currentBlock);
    error SignatureDataNotCanonical();
    error LengthMismatch();
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
        NonSignerStakesAndSignature memory evidence = abi.decode(signatureData, (NonSignerStakesAndSignature));
        // Only the canonical encoding is accepted, so that no bit can be changed.
        if (keccak256(signatureData) != keccak256(abi.encode(evidence))) revert SignatureDataNotCanonical();
        uint256 bitmap = _bitmapOf(quorumNumbers);
        if (referenceBlock > block.number) revert ReferenceBlockInFuture(referenceBlock, block.number);
        _checkLengths(evidence, quorumNumbers.length);

        G1Point memory apk = _sumOfApks(evidence, quorumNumbers, referenceBlock);
        bytes32[] memory nonSigners = new bytes32[](evidence.nonSignerPubkeys.length);
        uint256[] memory memberships = new uint256[](nonSigners.length);
        apk = _subtractNonSigners(apk, evidence, bitmap, referenceBlock, nonSigners, memberships);
        uint256[] memory signedStakes =
            _subtractStakes(evidence, quorumNumbers, referenceBlock, nonSigners, memberships);

        // The identity is a valid signature of every message under the identity key: reject an
        // empty set of signers.
        if (apk.isInfinity()) revert NoSigners();
        if (!_verifies(digest, apk, evidence.apkG2, evidence.sigma)) revert InvalidSignature();
        _checkQuorums(evidence, quorumNumbers, referenceBlock, thresholdPercentage, signedStakes);
        return keccak256(abi.encodePacked(referenceBlock, nonSigners));
    }

    function _checkLengths(NonSignerStakesAndSignature memory evidence, uint256 quorums) private pure {
        if (
            evidence.quorumApks.length != quorums || evidence.quorumApkIndices.length != quorums
                || evidence.totalStakeIndices.length != quorums || evidence.nonSignerStakeIndices.length != quorums
                || evidence.nonSignerQuorumBitmapIndices.length != evidence.nonSignerPubkeys.length
        ) revert LengthMismatch();
    }

    function _sumOfApks(NonSignerStakesAndSignature memory evidence, bytes calldata quorumNumbers, uint32 referenceBlock)
        private
        view
        returns (G1Point memory apk)
    {
        for (uint256 q = 0; q < quorumNumbers.length; q++) {
            uint8 number = uint8(quorumNumbers[q]);
            uint256 expected = _apkHashes[number].valueAt(evidence.quorumApkIndices[q], referenceBlock);
            if (uint256(evidence.quorumApks[q].operatorId()) != expected) revert QuorumApkMismatch(number);
            apk = apk.add(evidence.quorumApks[q]);
        }
    }

    /// An operator in two of the quorums is added to the aggregate key twice, and subtracted twice.
    function _subtractNonSigners(
        G1Point memory apk,
        NonSignerStakesAndSignature memory evidence,
        uint256 bitmap,
        uint32 referenceBlock,
        bytes32[] memory nonSigners,
        uint256[] memory memberships
    ) private view returns (G1Point memory) {
        bytes32 previous = 0;
        for (uint256 i = 0; i < nonSigners.length; i++) {
            G1Point memory key = evidence.nonSignerPubkeys[i];
            bytes32 id = key.operatorId();
            if (id <= previous) revert NonSignersNotAscending();
            previous = id;
            nonSigners[i] = id;
            memberships[i] = _bitmaps[id].valueAt(evidence.nonSignerQuorumBitmapIndices[i], referenceBlock) & bitmap;
            if (memberships[i] == 0) revert NonSignerOutsideQuorums(id);
            apk = apk.add(key.negate().mul(_countOnes(memberships[i])));
        }
        return apk;
    }

    function _subtractStakes(
        NonSignerStakesAndSignature memory evidence,
        bytes calldata quorumNumbers,
        uint32 referenceBlock,
        bytes32[] memory nonSigners,
        uint256[] memory memberships
    ) private view returns (uint256[] memory signedStakes) {
        signedStakes = new uint256[](quorumNumbers.length);
        for (uint256 q = 0; q < quorumNumbers.length; q++) {
            uint8 number = uint8(quorumNumbers[q]);
            uint32[] memory indices = evidence.nonSignerStakeIndices[q];
            uint256 signed = _totalStakes[number].valueAt(evidence.totalStakeIndices[q], referenceBlock);
            uint256 cursor = 0;
            for (uint256 i = 0; i < nonSigners.length; i++) {
                if (memberships[i] & (1 << number) == 0) continue;
                if (cursor == indices.length) revert LengthMismatch();
                signed -= _stakes[nonSigners[i]][number].valueAt(indices[cursor++], referenceBlock);
            }
            if (cursor != indices.length) revert LengthMismatch();
            signedStakes[q] = signed;
        }
    }

    /// A quorum without stake is rejected, whatever the threshold.
    function _checkQuorums(
        NonSignerStakesAndSignature memory evidence,
        bytes calldata quorumNumbers,
        uint32 referenceBlock,
        uint32 thresholdPercentage,
        uint256[] memory signedStakes
    ) private view {
        for (uint256 q = 0; q < quorumNumbers.length; q++) {
            uint8 number = uint8(quorumNumbers[q]);
            uint256 total = _totalStakes[number].valueAt(evidence.totalStakeIndices[q], referenceBlock);
            if (total == 0 || signedStakes[q] * 100 < total * thresholdPercentage) {
                revert QuorumNotReached(number, signedStakes[q], total);
            }
        }
    }

    /// One pairing check for two facts: the signature is by this key, and the key's G1 and G2 points
    /// have the same secret. The factor hashes all inputs, so that an error in one cannot be
    /// compensated by the other.
    function _verifies(bytes32 digest, G1Point memory keyG1, G2Point memory keyG2, G1Point memory sigma)
        internal
        view
        returns (bool)
    {
        uint256 factor = uint256(keccak256(abi.encode(digest, keyG1, keyG2, sigma))) % BN254.R;
        return BN254.pairingProductIsOne(
            sigma.add(keyG1.mul(factor)),
            BN254.negatedGeneratorG2(),
            BN254.hashToG1(digest).add(BN254.generatorG1().mul(factor)),
            keyG2
        );
    }

    function _countOnes(uint256 bitmap) private pure returns (uint256 count) {
        for (; bitmap != 0; bitmap &= bitmap - 1) count++;
    }
}
