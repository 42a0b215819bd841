// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Currency} from "../types/Currency.sol";

/// @notice Who may do what at first
/// @dev Relayer and standby hold the same role, so that losing one key stops nothing. They pay; so neither may be the
/// account that watches, moves liquidity or sets.
struct Roles {
    address admin; // loosens: routes, rates, caps, roles, the end of a pause; a timelock
    address relayer; // says what happened on other networks
    address standby; // a second relayer
    address guardian; // only tightens: pauses, closes, lowers, revokes a relayer
    address treasurer; // moves free liquidity to listed accounts
}

/// @notice What each cap bounds
enum CapKind {
    Payments, // what a pool pays, all sources together
    Refunds, // what the relayer gives back
    Releases, // what the relayer declares paid
    Treasury // what the treasurer moves out
}

/// @notice What is here but not free
struct Totals {
    uint128 owed; // the sum of all claims
    uint128 held; // the sum of all open deposits
}

/// @notice Holds one currency, pays it out, and owes what it could not pay
interface ILedger {
    /// @notice Emitted when `account` is owed `amount` more on account of order `id`, because it could not be sent
    event Credited(address indexed account, bytes32 indexed id, uint256 amount);
    /// @notice Emitted when what `account` was owed was sent to `to`, at the wish of `by`
    event Claimed(address indexed account, address indexed to, address by, uint256 amount);
    /// @notice Emitted when a cap changes
    event CapSet(CapKind indexed kind, uint96 cap);
    /// @notice Emitted when a pause begins or ends
    event PausesSet(address indexed by, bool deposits, bool payments);

    /// @notice Thrown when a contract is needed and there is none
    error NotAContract(address account);
    /// @notice Thrown when one account would hold two roles that watch each other
    error SameAccount(address account);
    /// @notice Thrown when a token has more decimals than any listed one
    error TooManyDecimals(uint8 decimals);
    /// @notice Thrown when a cap is left out, or too low for what it must let through
    error CapTooLow(CapKind kind, uint256 cap, uint256 least);
    /// @notice Thrown when more is to be paid than is free
    error Illiquid(uint256 needed, uint256 liquid);
    /// @notice Thrown when `account` is owed nothing
    error NothingToClaim(address account);
    /// @notice Thrown when a call comes in the course of another
    error Reentered();
    /// @notice Thrown while no deposits are taken
    error DepositsArePaused();
    /// @notice Thrown while nothing is paid or refunded
    error PaymentsArePaused();

    /// @notice What is held and paid here
    function token() external view returns (Currency);

    /// @notice The decimals of the token
    function decimals() external view returns (uint8);

    /// @notice What `account` may claim
    function claims(address account) external view returns (uint256);

    /// @notice What is owed and what is held; neither is ever paid to another account
    function totals() external view returns (uint128 owed, uint128 held);

    /// @notice How many orders were opened here
    function orders() external view returns (uint64);

    /// @notice Whether `swap` takes no deposits; at a receiver it stops nothing, because a burn is made already
    function depositsPaused() external view returns (bool);

    /// @notice Whether nothing is paid or refunded
    function paymentsPaused() external view returns (bool);

    /// @notice A cap for any 24 hours, and the state of its bucket
    function caps(CapKind kind) external view returns (uint96 cap, uint96 level, uint32 since);

    /// @notice What is neither owed nor held; zero should the token ever take from the balance
    function liquidity() external view returns (uint256);

    /// @notice Sends the caller all it is owed, to an account of its choice; no pause touches it
    function claim(address to) external;

    /// @notice Sends `account` all it is owed; anyone may, and no pause touches it
    function claimFor(address account) external;

    /// @notice Pauses deposits or payments, or ends that; the guardian may only pause, the admin both
    /// @dev The first stops `swap`, the second `fulfil` and `refund`. Nothing stops `relay`, `release`, `reclaim`,
    /// `cancel` and claims.
    function setPauses(bool deposits, bool payments) external;

    /// @notice Changes a cap; the guardian may only lower, and not that of releases
    /// @dev A relayer that cannot release lets paid orders be reclaimed: with that cap the guardian could make the
    /// pool pay twice. So that cap is at least twice the highest maximum that deposits ever had here. The others may
    /// be lowered to zero, which stops what they bound; only a constructor refuses a zero, as a value left out.
    function setCap(CapKind kind, uint96 cap) external;

    /// @notice Takes the relayer's role from `account`; for guardian and admin
    function revokeRelayer(address account) external;
}
