// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice Bounds how much leaves in any stretch of time
/// @dev A bucket that holds half the cap and drains in one window. In a window at most the bucket fills once and
/// drains once, so no more than the cap passes, wherever the window begins; a counter reset every window would
/// let twice that through around its reset.
library RollingCap {
    /// @notice Thrown when a payment would exceed what may leave now
    error CapExceeded(uint256 amount, uint256 spendable);

    struct Bucket {
        uint128 level; // what was spent and had not drained at `since`
        uint64 since; // seconds, as block.timestamp
    }

    /// @notice What may be spent now if at most `cap` may be spent in any `window` seconds
    function spendable(Bucket storage self, uint128 cap, uint256 window) internal view returns (uint256) {
        uint256 size = cap / 2;
        uint256 drained = (block.timestamp - self.since) * size / window;
        uint256 level = self.level > drained ? self.level - drained : 0;
        return size > level ? size - level : 0;
    }

    /// @notice Records that `amount` is spent, or reverts
    function spend(Bucket storage self, uint128 cap, uint256 window, uint256 amount) internal {
        uint256 room = spendable(self, cap, window);
        if (amount > room) revert CapExceeded(amount, room);
        self.level = uint128(cap / 2 - room + amount);
        self.since = uint64(block.timestamp);
    }
}
