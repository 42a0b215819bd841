// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {
    Deposit,
    DepositState,
    Destination,
    IOrderSource,
    Limits,
    Refund
} from "../interfaces/IOrderSource.sol";
import {CapKind} from "../interfaces/ILedger.sol";
import {RecipientBytes} from "../libraries/RecipientBytes.sol";
import {RollingCap} from "../libraries/RollingCap.sol";
import {Delivery, Link, Order, Refusal} from "../types/Order.sol";
import {Ledger} from "./Ledger.sol";

/// @title OrderSource
/// @notice Takes deposits that are owed a payment elsewhere
/// @dev A deposit is given back at most once, and only one that was made here: its slot is written when an order opens
/// and deleted when it is refunded, released or reclaimed. Whatever the slot says, the order's fields are believed
/// only because they hash to its ID.
///
/// At worst, a relayer voids open orders by releasing them unpaid, or gives back deposits of orders that were paid,
/// each up to its cap. No role can send a deposit anywhere but to its `refundTo`.
abstract contract OrderSource is IOrderSource, Ledger {
    using RollingCap for RollingCap.Bucket;

    /// @inheritdoc IOrderSource
    uint32 public constant MAX_RATE = 10_000; // 1 %

    /// @notice How long after the deadline a deposit can be announced
    uint256 private constant ANNOUNCE_AFTER = 5 days;
    /// @notice How long after the announcement it can be taken
    uint256 private constant TAKE_AFTER = 2 days;
    /// @notice Bounds of a destination's lifetime
    uint256 private constant MIN_LIFETIME = 6 hours;
    uint256 private constant MAX_LIFETIME = 7 days;
    /// @notice What one release may cost, and what ending the batch does
    uint256 private constant RELEASE_GAS = 40_000;

    /// @inheritdoc IOrderSource
    mapping(bytes32 id => Deposit) public deposits;
    /// @inheritdoc IOrderSource
    mapping(uint256 place => mapping(address token => Destination)) public destinations;

    constructor(uint96 refundCap, uint96 releaseCap) {
        _firstCap(CapKind.Refunds, refundCap);
        _firstCap(CapKind.Releases, releaseCap);
    }

    /// @inheritdoc IOrderSource
    function limits() public view virtual returns (uint128 min, uint128 max);

    /// @inheritdoc IOrderSource
    function refund(Order memory order) external onlyRelayer nonReentrant {
        _requirePayments();
        bytes32 id = order.id();
        Deposit memory deposit = _unhold(id);
        caps[CapKind.Refunds].spend(deposit.amount);
        emit OrderRefunded(id, order.refundTo, deposit.amount, _giveBack(id, order.refundTo, deposit));
    }

    /// @inheritdoc IOrderSource
    /// @dev The bucket and the sum are written once, after the last ID. No money moves, so nothing can be reentered.
    function releaseMany(bytes32[] calldata ids) external onlyRelayer {
        RollingCap.Bucket storage bucket = caps[CapKind.Releases];
        uint256 room = RollingCap.spendable(bucket.cap, bucket.level, bucket.since);
        uint256 total;
        for (uint256 i; i < ids.length; ++i) {
            if (gasleft() < RELEASE_GAS) {
                emit BatchStopped(i);
                break;
            }
            total += _release(ids[i], room - total);
        }
        if (total == 0) return;
        bucket.spend(total);
        totals.held -= uint128(total); // no deposit is larger than their sum
    }

    /// @inheritdoc IOrderSource
    function reclaim(Order memory order) external nonReentrant {
        bytes32 id = order.id();
        if (deposits[id].state == DepositState.Held) return _announce(id);
        Deposit memory deposit = _takeBack(id);
        emit OrderReclaimed(id, order.refundTo, deposit.amount, _giveBack(id, order.refundTo, deposit));
    }

    /// @inheritdoc IOrderSource
    function setDestination(uint256 place_, address token_, Destination memory terms) external {
        Destination memory before = destinations[place_][token_];
        bool closes = terms.state == Link.Closed && terms.delivery == before.delivery
            && terms.pool == before.pool && terms.rate == before.rate && terms.lifetime == before.lifetime;
        _requireSetter(closes);
        _requireRate(terms.rate, before.state == Link.None ? MAX_RATE : before.rate);
        _requireTerms(place_, token_, terms, before);
        destinations[place_][token_] = terms;
        emit DestinationSet(place_, token_, terms);
    }

    /// @dev Stamps who pays the order and at which rate, or tells why it is not accepted. A closed destination is no
    /// reason: what a burn was promised still holds.
    function _stamp(Order memory order) internal view returns (Refusal, Destination memory) {
        Destination memory terms = destinations[order.dstPlace][order.dstToken];
        if (terms.state == Link.None) return (Refusal.Destination, terms);
        Refusal why = RecipientBytes.problem(terms.delivery, order.recipientType, order.recipient, terms.pool);
        if (why != Refusal.None) return (why, terms);
        (uint128 min, uint128 max) = limits();
        if (order.amount < min) return (Refusal.AmountTooLow, terms);
        if (order.amount > max) return (Refusal.AmountTooHigh, terms);
        (order.dstPool, order.rate) = (terms.pool, terms.rate);
        return (Refusal.None, terms);
    }

    /// @dev Records an order for which `deposit` came in; with no state, one whose deposit is not held.
    function _open(Order memory order, address depositor, Deposit memory deposit)
        internal
        returns (bytes32 id)
    {
        order.srcPool = address(this);
        order.srcDecimals = decimals;
        order.deadline = deposit.deadline;
        id = order.id();
        if (deposit.state != DepositState.None) _hold(id, deposit);
        uint256 number = orders;
        unchecked {
            orders = uint64(number + 1);
        }
        emit OrderOpened(id, order.refundTo, order.dstPlace, depositor, number, deposit.amount, order);
    }

    /// @dev Takes a deposit that is announced or unpayable, if the time has come.
    function _takeBack(bytes32 id) internal returns (Deposit memory deposit) {
        deposit = _unhold(id);
        _requireTime(id, deposit.deadline);
    }

    /// @dev Sends a deposit that is no longer held to its owner.
    function _giveBack(bytes32 id, address refundTo, Deposit memory deposit) internal virtual returns (Refund);

    function _requireRate(uint32 rate, uint32 max) internal pure {
        if (rate > max) revert RateTooHigh(rate, max);
    }

    function _requireAccepted(Refusal why) internal pure {
        if (why != Refusal.None) revert OrderRefused(why);
    }

    function _largest() internal view virtual override returns (uint256 max) {
        (, max) = limits();
    }

    /// @dev A deposit must fit in what may be released at once, or it could be paid and never be released.
    function _requireLimits(Limits memory limits_, uint256 releaseCap) internal pure {
        if (limits_.min == 0 || limits_.min > limits_.max) revert BadLimits(limits_);
        _requireCap(CapKind.Releases, releaseCap, 2 * uint256(limits_.max));
    }

    function _hold(bytes32 id, Deposit memory deposit) private {
        if (deposits[id].state != DepositState.None) revert AlreadyOpen(id);
        deposits[id] = deposit;
        totals.held += deposit.amount;
    }

    function _unhold(bytes32 id) private returns (Deposit memory deposit) {
        deposit = deposits[id];
        if (deposit.state == DepositState.None) revert NotHeld(id);
        delete deposits[id];
        totals.held -= deposit.amount;
    }

    function _announce(bytes32 id) private {
        Deposit storage deposit = deposits[id];
        _requireTime(id, deposit.deadline + ANNOUNCE_AFTER);
        deposit.deadline = uint48(block.timestamp + TAKE_AFTER);
        deposit.state = DepositState.Announced;
        emit ReclaimAnnounced(id, msg.sender, deposit.deadline);
    }

    function _requireTime(bytes32 id, uint256 from) private view {
        if (block.timestamp < from) revert TooEarly(id, from);
    }

    function _release(bytes32 id, uint256 room) private returns (uint256 amount) {
        Deposit storage deposit = deposits[id];
        DepositState state = deposit.state;
        amount = deposit.amount;
        bytes4 why;
        if (state == DepositState.None) why = NotHeld.selector;
        else if (state == DepositState.Unpayable) why = OrderIsUnpayable.selector;
        else if (amount > room) why = RollingCap.CapExceeded.selector;
        if (why != 0) {
            emit ReleaseSkipped(id, why);
            return 0;
        }
        delete deposits[id];
        emit OrderReleased(id, amount);
    }

    function _requireTerms(
        uint256 place_,
        address token_,
        Destination memory terms,
        Destination memory before
    ) private pure {
        _nonZero(token_);
        _nonZero(terms.pool);
        bool bad = place_ == 0 || terms.delivery == Delivery.None || terms.lifetime < MIN_LIFETIME
            || terms.lifetime > MAX_LIFETIME;
        if (before.state == Link.None) bad = bad || terms.state == Link.Closed;
        else bad = bad || terms.state == Link.None || terms.delivery != before.delivery;
        if (bad) revert BadTerms(terms);
    }
}
