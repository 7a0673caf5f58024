// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// Values by block: an entry is valid from its block until the block of the next one. The latest
/// entry is stored apart from the earlier ones, in one slot with the number of entries, because
/// almost every read is of the latest.
library BlockHistory {
    /// The given index is not that of the valid entry at the reference block.
    error WrongHistoryIndex(uint32 index, uint32 referenceBlock);

    struct History {
        uint32 length;
        uint32 fromBlock;
        uint192 value;
        mapping(uint256 index => Entry) earlier;
    }

    struct Entry {
        uint32 fromBlock;
        uint192 value;
    }

    /// @return index the index of the entry: a second value in one block replaces the first.
    function record(History storage history, uint192 newValue) internal returns (uint32 index) {
        uint32 length = history.length;
        uint32 current = uint32(block.number);
        if (length == 0 || history.fromBlock != current) {
            if (length > 0) history.earlier[length - 1] = Entry(history.fromBlock, history.value);
            history.length = ++length;
            history.fromBlock = current;
        }
        history.value = newValue;
        return length - 1;
    }

    /// The entry at `index`, after checking that it was valid at the reference block.
    function valueAt(History storage history, uint32 index, uint32 referenceBlock) internal view returns (uint192) {
        uint256 length = history.length;
        if (index >= length) revert WrongHistoryIndex(index, referenceBlock);
        uint32 fromBlock = history.fromBlock;
        uint192 value = history.value;
        if (index + 1 < length) {
            uint32 until = index + 2 < length ? history.earlier[index + 1].fromBlock : fromBlock;
            if (until <= referenceBlock) revert WrongHistoryIndex(index, referenceBlock);
            Entry storage entry = history.earlier[index];
            (fromBlock, value) = (entry.fromBlock, entry.value);
        }
        if (fromBlock > referenceBlock) revert WrongHistoryIndex(index, referenceBlock);
        return value;
    }

    /// The index of the valid entry at a block, for off-chain readers.
    function indexAt(History storage history, uint32 referenceBlock) internal view returns (bool found, uint32 index) {
        index = history.length;
        if (index == 0) return (false, 0);
        index--;
        if (history.fromBlock <= referenceBlock) return (true, index);
        while (index > 0) {
            if (history.earlier[--index].fromBlock <= referenceBlock) return (true, index);
        }
        return (false, 0);
    }
}
