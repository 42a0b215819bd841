// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice The fee that the privacy pool keeps from what is shielded
/// @dev The privacy pool makes a note worth `value - floor(value * bps / 10_000)`. One more unit of value adds one
/// or no unit of worth, so below a fee of 100 % every worth is reached exactly.
library ShieldFee {
    uint256 internal constant BASIS_POINTS = 10_000;

    /// @notice What a note is worth when `value` is shielded
    function worthOf(uint256 value, uint256 bps) internal pure returns (uint256) {
        return value - value * bps / BASIS_POINTS;
    }

    /// @notice The least that must be shielded for a note to be worth `worth`
    /// @dev `worthOf(v)` is `ceil(v * (10_000 - bps) / 10_000)`; it exceeds `worth - 1` as soon as
    /// `v * (10_000 - bps)` exceeds `(worth - 1) * 10_000`.
    function valueFor(uint256 worth, uint256 bps) internal pure returns (uint256) {
        if (worth == 0) return 0;
        return (worth - 1) * BASIS_POINTS / (BASIS_POINTS - bps) + 1;
    }
}
