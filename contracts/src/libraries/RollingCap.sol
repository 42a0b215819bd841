// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice Bounds how much leaves in any stretch of time
/// @dev A bucket that holds half the cap and drains in one day. In a day at most the bucket fills once and drains
/// once, so no more than the cap passes, wherever the day begins; a counter reset every day would let twice that
/// through around its reset. Half the cap passes at once, and half of it a day is what can be sustained.
library RollingCap {
    /// @notice Thrown when more would leave than may leave now
    error CapExceeded(uint256 amount, uint256 spendable);

    struct Bucket {
        uint96 cap; // in any 24 hours
        uint96 level; // what was spent and had not drained at `since`
        uint32 since; // seconds, as block.timestamp; until 2106
    }

    uint256 private constant WINDOW = 1 days;

    /// @notice What may be spent now
    function spendable(uint256 cap, uint256 level, uint256 since) internal view returns (uint256) {
        return room(cap, remaining(cap, level, since));
    }

    /// @notice The level after `amount` is spent now, or a revert
    function filled(uint256 cap, uint256 level, uint256 since, uint256 amount)
        internal
        view
        returns (uint96)
    {
        uint256 left = remaining(cap, level, since);
        uint256 free = room(cap, left);
        if (amount > free) revert CapExceeded(amount, free);
        return uint96(left + amount);
    }

    /// @notice Records that `amount` is spent, or reverts
    function spend(Bucket storage self, uint256 amount) internal {
        Bucket memory bucket = self;
        self.level = filled(bucket.cap, bucket.level, bucket.since, amount);
        self.since = uint32(block.timestamp);
    }

    function room(uint256 cap, uint256 left) private pure returns (uint256) {
        return cap / 2 > left ? cap / 2 - left : 0;
    }

    /// @dev What has not drained. The cap of now counts for all the time since, as if it had always been this.
    function remaining(uint256 cap, uint256 level, uint256 since) private view returns (uint256) {
        uint256 drained = (block.timestamp - since) * (cap / 2) / WINDOW;
        return level > drained ? level - drained : 0;
    }
}
