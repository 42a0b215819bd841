// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPrivacyPool} from "./external/IPrivacyPool.sol";

/// @notice A pool whose place is a privacy pool
interface IShieldPool {
    /// @notice Thrown when a note came out worth something else, or cost something else
    error WrongNote(uint256 worth, uint256 cost);

    /// @notice Where notes are made
    function privacyPool() external view returns (IPrivacyPool);
}
