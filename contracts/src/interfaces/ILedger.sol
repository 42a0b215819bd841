// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Currency} from "../types/Currency.sol";

/// @notice Who may do what at first; the admin may change it
struct Roles {
    address admin; // sets routes and limits, moves liquidity, ends a pause
    address relayer; // says what happened on other networks
    address pauser; // stops deposits and payments
}

/// @notice How much may pass, in the token's smallest units
struct Limits {
    uint128 min; // of one order
    uint128 max; // of one order
    uint128 daily; // of all payments in any 24 hours
}

/// @notice Holds one currency, pays it out, and owes what it could not pay
interface ILedger {
    /// @notice Emitted when `account` is owed `amount` more, because paying it was not possible
    event Credited(address indexed account, uint256 amount);
    /// @notice Emitted when `account` had what it was owed sent to `to`
    event Claimed(address indexed account, address indexed to, uint256 amount);
    /// @notice Emitted when the limits change
    event LimitsSet(Limits limits);

    /// @notice Thrown when the zero address is given where somebody is needed
    error ZeroAddress();
    /// @notice Thrown when a contract is needed and there is none
    error NotAContract(address account);
    /// @notice Thrown when the limits leave no order possible
    error BadLimits(Limits limits);
    /// @notice Thrown when more is to be paid than is there and owed to nobody
    error Illiquid(uint256 needed, uint256 liquid);
    /// @notice Thrown when `account` is owed nothing
    error NothingToClaim(address account);

    /// @notice What is held and paid here
    function token() external view returns (Currency);

    /// @notice What `account` may claim
    function claims(address account) external view returns (uint256);

    /// @notice The sum of all claims; this much is never paid to anybody else
    function owed() external view returns (uint256);

    /// @notice What is held and owed to nobody
    function liquidity() external view returns (uint256);

    /// @notice What the daily limit lets out now
    function spendable() external view returns (uint256);

    /// @notice How much may pass
    function limits() external view returns (uint128 min, uint128 max, uint128 daily);

    /// @notice Sends the caller all it is owed, to an account of its choice; works during a pause
    function claim(address to) external;

    /// @notice Changes the limits; for the admin
    function setLimits(Limits calldata limits) external;

    /// @notice Stops deposits and payments; for the pauser
    function pause() external;

    /// @notice Resumes them; for the admin
    function unpause() external;
}
