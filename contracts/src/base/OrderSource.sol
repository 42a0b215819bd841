// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IOrderSource} from "../interfaces/IOrderSource.sol";
import {RecipientBytes} from "../libraries/RecipientBytes.sol";
import {Delivery, Order, Refusal} from "../types/Order.sol";
import {Ledger} from "./Ledger.sol";

/// @title OrderSource
/// @notice Takes deposits that are owed a payment elsewhere
/// @dev A deposit is given back at most once, and only one that was made here: `held` is set when an order opens and
/// cleared when it is refunded or released.
abstract contract OrderSource is IOrderSource, Ledger {
    /// @inheritdoc IOrderSource
    uint256 public orders;
    /// @inheritdoc IOrderSource
    mapping(bytes32 id => uint256) public held;
    /// @inheritdoc IOrderSource
    uint256 public heldTotal;
    /// @inheritdoc IOrderSource
    mapping(uint256 place => mapping(address token => Delivery)) public destinations;

    /// @inheritdoc IOrderSource
    function refusal(Order memory order) public view returns (Refusal why) {
        Delivery delivery = destinations[order.dstPlace][order.dstToken];
        why = RecipientBytes.problem(delivery, order.recipientType, order.recipient);
        if (why != Refusal.None) return why;
        if (order.amount < limits.min) return Refusal.AmountTooLow;
        if (order.amount > limits.max) return Refusal.AmountTooHigh;
    }

    /// @inheritdoc IOrderSource
    function refund(Order calldata order) external onlyRole(RELAYER_ROLE) nonReentrant whenNotPaused {
        bytes32 id = order.id();
        uint256 amount = _unhold(id);
        _spend(amount);
        emit OrderRefunded(id, order.refundTo, amount);
        _pay(order.refundTo, amount);
    }

    /// @inheritdoc IOrderSource
    function release(bytes32[] calldata ids) external onlyRole(RELAYER_ROLE) nonReentrant whenNotPaused {
        uint256 total;
        for (uint256 i; i < ids.length; ++i) {
            uint256 amount = _unhold(ids[i]);
            total += amount;
            emit OrderReleased(ids[i], amount);
        }
        _released(total);
    }

    /// @inheritdoc IOrderSource
    function setDestination(uint256 place, address token_, Delivery delivery)
        external
        onlyRole(DEFAULT_ADMIN_ROLE)
    {
        if (place == 0) revert OrderRefused(Refusal.Destination);
        _nonZero(token_);
        destinations[place][token_] = delivery;
        emit DestinationSet(place, token_, delivery);
    }

    /// @dev Records an accepted order for which `deposit` came in. The order gets its number here.
    function _open(Order memory order, uint256 deposit) internal returns (bytes32 id) {
        order.srcPool = address(this);
        order.nonce = orders++;
        id = order.id();
        held[id] = deposit;
        heldTotal += deposit;
        emit OrderOpened(id, order.dstPlace, order);
    }

    /// @dev What becomes of deposits that need not be refundable any more.
    function _released(uint256 total) internal virtual;

    function _unhold(bytes32 id) private returns (uint256 amount) {
        amount = held[id];
        if (amount == 0) revert NotHeld(id);
        delete held[id];
        heldTotal -= amount;
    }
}
