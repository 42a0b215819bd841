// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Delivery, Order, Refusal} from "../types/Order.sol";

/// @notice Takes deposits that are owed a payment elsewhere
interface IOrderSource {
    /// @notice Emitted when a deposit was taken; `order` is what the far side pays by
    event OrderOpened(bytes32 indexed id, uint256 indexed dstPlace, Order order);
    /// @notice Emitted when the deposit of an order was given back
    event OrderRefunded(bytes32 indexed id, address indexed to, uint256 amount);
    /// @notice Emitted when an order was declared paid; it can no longer be refunded
    event OrderReleased(bytes32 indexed id, uint256 amount);
    /// @notice Emitted when a destination is opened, changed or closed
    event DestinationSet(uint256 indexed place, address indexed token, Delivery delivery);

    /// @notice Thrown when an order is not accepted
    error OrderRefused(Refusal why);
    /// @notice Thrown when no deposit of that order is held: never made here, refunded or released
    error NotHeld(bytes32 id);

    /// @notice How many orders were opened here
    function orders() external view returns (uint256);

    /// @notice The deposit of an order that is neither refunded nor released
    function held(bytes32 id) external view returns (uint256);

    /// @notice The sum of all such deposits
    function heldTotal() external view returns (uint256);

    /// @notice How `token` is delivered to `place` from here
    function destinations(uint256 place, address token) external view returns (Delivery);

    /// @notice Why `order` would not be accepted here, if it would not
    function refusal(Order calldata order) external view returns (Refusal);

    /// @notice Gives the deposit of an order back to its `refundTo`; for the relayer
    /// @dev The contract cannot see whether the order was paid on the far side. The relayer must have cancelled it
    /// there first; what it can do wrong is bounded by the daily limit.
    function refund(Order calldata order) external;

    /// @notice Declares orders paid, so that they can never be refunded; for the relayer
    function release(bytes32[] calldata ids) external;

    /// @notice Opens, changes or closes a destination; for the admin
    function setDestination(uint256 place, address token, Delivery delivery) external;
}
