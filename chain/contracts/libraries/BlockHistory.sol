// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Checkpoints} from "@openzeppelin/contracts/utils/structs/Checkpoints.sol";

/// Values by block: an entry is valid from its block until the block of the next one.
library BlockHistory {
    using Checkpoints for Checkpoints.Trace256;

    /// The given index is not that of the valid entry at the reference block.
    error WrongHistoryIndex(uint32 index, uint32 referenceBlock);

    function record(Checkpoints.Trace256 storage history, uint256 value) internal {
        history.push(block.number, value);
    }

    /// The entry at `index`, after checking that it was valid at the reference block.
    function valueAt(Checkpoints.Trace256 storage history, uint32 index, uint32 referenceBlock)
        internal
        view
        returns (uint256)
    {
        uint256 length = history.length();
        if (index >= length) revert WrongHistoryIndex(index, referenceBlock);
        Checkpoints.Checkpoint256 memory entry = history.pos(index);
        if (entry._key > referenceBlock) revert WrongHistoryIndex(index, referenceBlock);
        if (index + 1 < length && history.pos(index + 1)._key <= referenceBlock) {
            revert WrongHistoryIndex(index, referenceBlock);
        }
        return entry._value;
    }

    /// The index of the valid entry at a block, for off-chain readers.
    function indexAt(Checkpoints.Trace256 storage history, uint32 referenceBlock)
        internal
        view
        returns (bool found, uint32 index)
    {
        for (uint256 i = history.length(); i > 0; i--) {
            if (history.pos(uint32(i - 1))._key <= referenceBlock) return (true, uint32(i - 1));
        }
    }
}
