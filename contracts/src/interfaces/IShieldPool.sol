// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPrivacyPool} from "./external/IPrivacyPool.sol";

/// @notice A pool whose place is a privacy pool
interface IShieldPool {
    /// @notice Thrown when the privacy pool keeps more than this pool is willing to bear
    error ShieldFeeTooHigh(uint256 bps, uint256 max);
    /// @notice Thrown when a note came out worth something else, or cost something else
    error WrongNote(uint256 worth, uint256 cost);

    /// @notice The privacy pool's fee above which nothing is shielded, in basis points
    function MAX_SHIELD_FEE() external view returns (uint256);

    /// @notice Where notes are made
    function privacyPool() external view returns (IPrivacyPool);
}
