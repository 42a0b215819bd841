// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Delivery, Link, Order, Refusal} from "../types/Order.sol";

/// @notice The terms on which orders to a destination are taken
struct Destination {
    Delivery delivery; // fixed once the destination was opened
    Link state;
    address pool; // the only contract that may pay the orders
    uint32 rate; // the most that the protocol takes, in millionths; only falls once the destination was opened
    uint32 lifetime; // seconds in which an order may be paid
}

/// @notice How large a deposit may be, in the token's smallest units
struct Limits {
    uint128 min;
    uint128 max;
}

/// @notice What a deposit is; deleted when it is given back or released
struct Deposit {
    uint128 amount;
    uint48 deadline; // of the order; after an announcement the time from which the deposit may be taken
    uint32 domain; // at the receiver, where the burn came from
    DepositState state;
}

/// @notice Where a deposit stands
enum DepositState {
    None, // not made here, given back, or released
    Held,
    Announced, // to be reclaimed
    Unpayable // its order can be paid by no contract, so it may be reclaimed at once
}

/// @notice How a deposit left
enum Refund {
    Paid, // to `refundTo`
    Owed, // sending it failed: `refundTo` has a claim
    BurnedBack, // to `refundTo` on the network that it was burned on
    PaidHere // taken on this network by a key that burned on another
}

/// @notice Takes deposits that are owed a payment elsewhere
interface IOrderSource {
    /// @notice Emitted when a deposit was taken; `order` is what the far side pays by
    /// @param depositor who called the pool, or who burned
    /// @param number how many orders were opened here before; a watcher that has them all has seen every order
    /// @param deposit what came in; for burns this is `order.amount` less what the issuer kept and is not passed on
    event OrderOpened(
        bytes32 indexed id,
        address indexed refundTo,
        uint256 indexed dstPlace,
        address depositor,
        uint256 number,
        uint256 deposit,
        Order order
    );
    /// @notice Emitted when the relayer gave the deposit of an order back
    event OrderRefunded(bytes32 indexed id, address indexed to, uint256 amount, Refund how);
    /// @notice Emitted when an order was declared paid; its deposit can no longer be given back
    event OrderReleased(bytes32 indexed id, uint256 amount);
    /// @notice Emitted when an order was not released
    /// @param why the selector of NotHeld, OrderIsUnpayable or CapExceeded
    event ReleaseSkipped(bytes32 indexed id, bytes4 why);
    /// @notice Emitted when a batch ended early for want of gas; items from `next` on were not tried
    event BatchStopped(uint256 next);
    /// @notice Emitted when `by` announced that a deposit will be taken back, which is possible from `from` on
    event ReclaimAnnounced(bytes32 indexed id, address indexed by, uint48 from);
    /// @notice Emitted when a deposit was taken back without the relayer
    event OrderReclaimed(bytes32 indexed id, address indexed to, uint256 amount, Refund how);
    /// @notice Emitted when the terms of a destination change
    event DestinationSet(uint256 indexed place, address indexed token, Destination destination);

    /// @notice Thrown when an order is not accepted
    error OrderRefused(Refusal why);
    /// @notice Thrown when an order would have the ID of one that is open
    error AlreadyOpen(bytes32 id);
    /// @notice Thrown when no deposit of that order is held: never made here, given back or released
    error NotHeld(bytes32 id);
    /// @notice The reason for not releasing an order that no contract can have paid
    error OrderIsUnpayable(bytes32 id);
    /// @notice Thrown when a deposit cannot be announced or taken before `from`
    error TooEarly(bytes32 id, uint256 from);
    /// @notice Thrown when the limits leave no order possible
    error BadLimits(Limits limits);
    /// @notice Thrown when the terms of a destination cannot be these
    error BadTerms(Destination terms);
    /// @notice Thrown when a rate is above what it may be
    error RateTooHigh(uint32 rate, uint32 max);

    /// @notice The deposit of an order
    function deposits(bytes32 id)
        external
        view
        returns (uint128 amount, uint48 deadline, uint32 domain, DepositState state);

    /// @notice The terms on which orders to `token` at `place` are taken
    function destinations(uint256 place, address token)
        external
        view
        returns (Delivery delivery, Link state, address pool, uint32 rate, uint32 lifetime);

    /// @notice How large a deposit may be
    function limits() external view returns (uint128 min, uint128 max);

    /// @notice The most that the protocol may take, in millionths
    function MAX_RATE() external view returns (uint32);

    /// @notice Gives the deposit of an order back to its `refundTo`; for the relayer
    /// @dev The contract cannot see whether the order was paid on the far side. The relayer must have cancelled it
    /// there, or know that its deadline has passed there unpaid; what it can do wrong is bounded by the cap.
    function refund(Order calldata order) external;

    /// @notice Declares orders paid, so that their deposits are free; for the relayer
    /// @dev No pause touches it: a paid order that cannot be released could be reclaimed. An ID that cannot be
    /// released is skipped. A relayer that lies voids unpaid orders, up to the cap in a day; an OrderReleased without
    /// the OrderFulfilled of the order's `dstPool` proves it.
    function releaseMany(bytes32[] calldata ids) external;

    /// @notice Takes a deposit back without the relayer: a first call announces it, a second sends it to `refundTo`
    /// @dev Anyone may call, and no pause, cap or limit touches it. The first call is possible five days after the
    /// deadline, the second two days after the first: that long the relayer of a chain that lives can still release
    /// what it paid.
    function reclaim(Order calldata order) external;

    /// @notice Writes the terms of a destination; the guardian may only close it
    /// @dev Free until it is opened for the first time. From then on the rate can only fall, closed or open: a signed
    /// call has no expiry, so no delay would be long enough for a rise. The pool may change: orders that are open keep
    /// theirs, while calls that are signed and burns that are under way get the new one.
    function setDestination(uint256 place, address token, Destination calldata terms) external;
}
