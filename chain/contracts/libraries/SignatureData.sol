// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {NonSignerStakesAndSignature} from "../Types.sol";

/// Reads signature data in place, without a copy in memory.
library SignatureData {
    error SignatureDataNotCanonical();
    error LengthMismatch();

    /// Bytes before the arrays: six offsets, four words of the key in G2, two of the signature.
    uint256 private constant HEAD = 12 * 32;

    /// Only the canonical encoding is accepted, so that no bit can be changed: every array begins
    /// where the one before it ends, no number is longer than its type, and no bytes follow.
    /// @param quorums how many elements the arrays with one for each quorum must have
    function read(bytes calldata data, uint256 quorums)
        internal
        pure
        returns (NonSignerStakesAndSignature calldata evidence)
    {
        if (data.length < 32 + HEAD + 32 || _word(data, 0) != 32) revert SignatureDataNotCanonical();
        bytes calldata tuple = data[32:];
        uint256 nonSigners = _word(tuple, HEAD);
        // No overflow: offsets and lengths are at most the length of the data.
        unchecked {
            uint256 end = _numbers(tuple, 0, HEAD, HEAD, nonSigners);
            end = _array(tuple, 1 * 32, end, end, nonSigners, 64);
            end = _array(tuple, 2 * 32, end, end, quorums, 64);
            end = _numbers(tuple, 9 * 32, end, end, quorums);
            end = _numbers(tuple, 10 * 32, end, end, quorums);
            // Arrays in an array: their offsets come first, and count from the first one.
            uint256 first = end + 32;
            end = _array(tuple, 11 * 32, end, end, quorums, 32);
            for (uint256 q = 0; q < quorums; q++) {
                if (end + 32 > tuple.length) revert SignatureDataNotCanonical();
                end = _numbers(tuple, first + 32 * q, end, end - first, _word(tuple, end));
            }
            if (end != tuple.length) revert SignatureDataNotCanonical();
        }
        assembly ("memory-safe") {
            evidence := tuple.offset
        }
    }

    /// An array of uint32.
    function _numbers(bytes calldata tuple, uint256 head, uint256 begin, uint256 offset, uint256 length)
        private
        pure
        returns (uint256 end)
    {
        end = _array(tuple, head, begin, offset, length, 32);
        unchecked {
            for (uint256 place = begin + 32; place < end; place += 32) {
                if (_word(tuple, place) > type(uint32).max) revert SignatureDataNotCanonical();
            }
        }
    }

    /// An array of elements of `size` bytes, whose offset is at `head`.
    /// @return end where the array ends that begins at `begin`
    function _array(
        bytes calldata tuple,
        uint256 head,
        uint256 begin,
        uint256 offset,
        uint256 length,
        uint256 size
    ) private pure returns (uint256 end) {
        unchecked {
            if (length > tuple.length) revert SignatureDataNotCanonical();
            end = begin + 32 + size * length;
            if (end > tuple.length || _word(tuple, head) != offset) revert SignatureDataNotCanonical();
            if (_word(tuple, begin) != length) revert LengthMismatch();
        }
    }

    /// The word at a place that is within the data.
    function _word(bytes calldata data, uint256 place) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := calldataload(add(data.offset, place))
        }
    }
}
