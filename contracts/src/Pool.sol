// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ledger} from "./base/Ledger.sol";
import {OrderSource} from "./base/OrderSource.sol";
import {IIntegratorRegistry} from "./interfaces/IIntegratorRegistry.sol";
import {CapKind} from "./interfaces/ILedger.sol";
import {
    Deposit,
    DepositState,
    Destination,
    IOrderSource,
    Limits,
    Refund
} from "./interfaces/IOrderSource.sol";
import {IPool, PoolConfig, Settlement, Source} from "./interfaces/IPool.sol";
import {FeeMath, Fees} from "./libraries/FeeMath.sol";
import {RecipientBytes} from "./libraries/RecipientBytes.sol";
import {RollingCap} from "./libraries/RollingCap.sol";
import {Currency} from "./types/Currency.sol";
import {Delivery, Link, Order, Refusal} from "./types/Order.sol";

/// @title Pool
/// @notice Takes deposits of one token at one place, and pays that token out there
/// @dev Unaudited reference implementation. An order is paid at most once: its ID is marked before any money moves,
/// and nothing unmarks it. The one call whose target a user chooses pays the native coin, with empty data, and money
/// is taken from the caller only.
///
/// At worst, a relayer pays invented orders until the liquidity or the caps of their sources and of the pool are used
/// up; a treasurer sends free liquidity to listed accounts, up to its cap; the admin does both by granting itself the
/// roles and listing itself, and closes routes. None of them touches a held deposit, except a relayer that releases
/// it.
contract Pool is IPool, OrderSource {
    using RollingCap for RollingCap.Bucket;

    /// @inheritdoc IPool
    uint32 public constant MAX_FEE_BOUND = 5_000; // 0.5 %, the protocol's own fee on outbound orders

    /// @inheritdoc IPool
    uint256 public immutable place;
    /// @inheritdoc IPool
    IIntegratorRegistry public immutable registry;

    /// @inheritdoc IPool
    mapping(bytes32 id => Settlement) public settlements;
    /// @inheritdoc IPool
    mapping(uint256 place => mapping(address pool => Source)) public sources;
    /// @inheritdoc IPool
    mapping(address sender => mapping(address refundTo => uint256)) public nonces;
    /// @inheritdoc IPool
    mapping(address account => bool) public treasury;
    /// @inheritdoc IPool
    uint32 public feeBound;
    /// @dev The highest maximum there ever was: a deposit of that size may still be held, and must fit in the release
    /// cap. Beside the fee bound, whose slot every payment reads.
    uint128 private highest;

    Limits private bounds;

    constructor(PoolConfig memory config)
        Ledger(config.token, config.roles)
        OrderSource(config.caps.refunds, config.caps.releases)
    {
        if (!_mayServe(config.place)) {
            revert WrongPlace(config.place, block.chainid);
        }
        if (config.decimals != decimals) revert WrongDecimals(config.decimals, decimals);
        _requireContract(address(config.registry));
        place = config.place;
        registry = config.registry;
        _firstCap(CapKind.Payments, config.caps.payments);
        _firstCap(CapKind.Treasury, config.caps.treasury);
        _setLimits(config.limits);
        _setFeeBound(config.feeBound);
    }

    /// @inheritdoc IOrderSource
    function limits() public view override returns (uint128 min, uint128 max) {
        return (bounds.min, bounds.max);
    }

    /// @inheritdoc IPool
    function swap(
        uint256 dstChain,
        uint256 amount,
        bytes memory recipient,
        uint8 recipientType,
        address dstToken,
        bytes32 integratorId
    ) external payable nonReentrant returns (bytes32) {
        Order memory order = _order(dstChain, amount, recipient, recipientType, dstToken, integratorId);
        order.refundTo = _refundTo(order);
        return _swap(order);
    }

    /// @inheritdoc IPool
    function swapFor(
        uint256 dstChain,
        uint256 amount,
        bytes memory recipient,
        uint8 recipientType,
        address dstToken,
        bytes32 integratorId,
        address refundTo
    ) external payable nonReentrant returns (bytes32) {
        Order memory order = _order(dstChain, amount, recipient, recipientType, dstToken, integratorId);
        order.refundTo = refundTo;
        return _swap(order);
    }

    /// @inheritdoc IPool
    function fulfil(Order memory order, bool mayOwe) external onlyRelayer nonReentrant {
        _requirePayments();
        _fulfil(order, mayOwe);
    }

    /// @inheritdoc IPool
    function fulfilMany(Order[] memory batch) external onlyRelayer nonReentrant {
        _requirePayments();
        uint256 itemGas = _itemGas();
        for (uint256 i; i < batch.length; ++i) {
            if (gasleft() < itemGas) {
                emit BatchStopped(i);
                return;
            }
            try this.fulfilOne(batch[i]) {}
            catch (bytes memory reason) {
                emit OrderSkipped(batch[i].id(), bytes4(reason));
            }
        }
    }

    /// @inheritdoc IPool
    /// @dev Not guarded against reentrance: the batch that calls it is.
    function fulfilOne(Order memory order) external {
        if (msg.sender != address(this)) revert NotSelf(msg.sender);
        _fulfil(order, false);
    }

    /// @inheritdoc IPool
    function cancel(Order memory order) external onlyRelayer {
        emit OrderCancelled(_settle(order, Settlement.Cancelled));
    }

    /// @inheritdoc IPool
    function fund(uint256 amount) external payable nonReentrant {
        token.take(amount);
        emit Funded(msg.sender, amount);
    }

    /// @inheritdoc IPool
    function withdraw(address to, uint256 amount) external onlyRole(TREASURER_ROLE) nonReentrant {
        if (!treasury[to]) revert NotListed(to);
        _requireLiquid(amount);
        caps[CapKind.Treasury].spend(amount);
        emit Withdrawn(to, amount);
        token.send(to, amount);
    }

    /// @inheritdoc IPool
    /// @dev Level and time stay, so that closing, opening and new caps do not empty the bucket.
    function setSource(uint256 place_, address pool, Link state, uint24 rate, uint96 cap) external {
        Source storage source = sources[place_][pool];
        bool known = source.state != Link.None;
        bool reopens = state == Link.Open && source.state == Link.Closed;
        _requireSetter(known && !reopens && rate == source.rate && cap <= source.cap);
        if (place_ == 0 || pool == address(0) || state == Link.None || (!known && cap == 0)) {
            revert BadSource(place_, pool);
        }
        _requireRate(rate, MAX_RATE);
        (source.state, source.rate, source.cap) = (state, rate, cap);
        emit SourceSet(place_, pool, state, rate, cap);
    }

    /// @inheritdoc IPool
    function setLimits(Limits memory limits_) external {
        _requireSetter(limits_.min == bounds.min && limits_.max <= bounds.max);
        _setLimits(limits_);
    }

    /// @inheritdoc IPool
    function setFeeBound(uint32 bound) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setFeeBound(bound);
    }

    /// @inheritdoc IPool
    function setTreasury(address account, bool listed) external {
        _requireSetter(!listed);
        treasury[_nonZero(account)] = listed;
        emit TreasurySet(account, listed);
    }

    function _swap(Order memory order) private returns (bytes32) {
        if (depositsPaused) revert DepositsArePaused();
        (Refusal why, Destination memory terms) = _stamp(order);
        if (why == Refusal.None && terms.state != Link.Open) why = Refusal.Closed;
        if (why == Refusal.None && _loses(order.refundTo, terms.pool)) why = Refusal.RefundTo;
        _requireAccepted(why);
        token.take(order.amount);
        order.nonce = _nextNonce(order.refundTo);
        uint48 deadline = uint48(block.timestamp + terms.lifetime);
        return _open(order, msg.sender, Deposit(uint128(order.amount), deadline, 0, DepositState.Held));
    }

    /// @dev The caller's own count, so that no other caller's orders change the IDs of this one's.
    function _nextNonce(address refundTo) private returns (uint256) {
        unchecked {
            uint256 count = nonces[msg.sender][refundTo]++;
            return uint256(keccak256(abi.encode(msg.sender, count)));
        }
    }

    function _order(
        uint256 dstChain,
        uint256 amount,
        bytes memory recipient,
        uint8 recipientType,
        address dstToken,
        bytes32 integratorId
    ) private view returns (Order memory order) {
        order.srcPlace = place;
        order.amount = amount;
        order.dstPlace = dstChain;
        order.dstToken = dstToken;
        order.integratorId = integratorId;
        order.recipientType = recipientType;
        order.recipient = recipient;
    }

    function _fulfil(Order memory order, bool mayOwe) private {
        if (block.timestamp >= order.deadline) revert Expired(order.deadline);
        Refusal why = RecipientBytes.problem(
            _delivery(order.dstPlace, order.dstToken), order.recipientType, order.recipient, address(this)
        );
        _requireAccepted(why);
        bytes32 id = _settle(order, Settlement.Fulfilled);

        Source storage source = sources[order.srcPlace][order.srcPool];
        Source memory terms = source;
        _requireOpen(order, terms.state);
        (Fees memory fees, address integrator) = _quote(order, terms.rate);
        if (fees.received == 0) revert NothingToPay(id);
        uint256 cost = _boundedCost(order, fees);
        uint256 leaves = cost + fees.integrator;
        _requireLiquid(leaves);
        source.level = RollingCap.filled(terms.cap, terms.level, terms.since, leaves);
        source.since = uint32(block.timestamp);
        caps[CapKind.Payments].spend(leaves);

        _pay(integrator, fees.integrator, id);
        bool paid = _deliver(order, fees.received, cost);
        if (!paid) _owe(id, order, fees.received, mayOwe);
        _emitFulfilled(id, order, fees, cost - fees.received, paid);
    }

    function _emitFulfilled(
        bytes32 id,
        Order memory order,
        Fees memory fees,
        uint256 thirdPartyFee,
        bool paid
    ) private {
        bool note = order.recipientType == RecipientBytes.TO_NOTE;
        emit OrderFulfilled(
            id,
            order.integratorId,
            note ? address(0) : RecipientBytes.toAddress(order.recipient),
            order.srcPlace,
            order.srcPool,
            fees.received,
            fees.protocol,
            fees.integrator,
            thirdPartyFee,
            paid
        );
    }

    function _owe(bytes32 id, Order memory order, uint256 amount, bool mayOwe) private {
        if (!mayOwe) revert CannotPay(id);
        _credit(RecipientBytes.toAddress(order.recipient), amount, id);
    }

    function _requireOpen(Order memory order, Link state) private pure {
        if (state == Link.None) revert UnknownSource(order.srcPlace, order.srcPool);
        if (state == Link.Closed) revert SourceIsClosed(order.srcPlace, order.srcPool);
    }

    /// @dev What it takes to deliver what the recipient receives, if the third party's part of that is bearable.
    function _boundedCost(Order memory order, Fees memory fees) private view returns (uint256 cost) {
        uint256 bound = FeeMath.share(fees.gross, feeBound);
        cost = _cost(order, fees.received, fees.received + bound);
        if (cost > fees.received + bound) revert FeeTooHigh(cost - fees.received, bound);
    }

    /// @dev The lower of two rates: that of the order was promised, that of the source may be a discount.
    function _quote(Order memory order, uint256 sourceRate)
        private
        view
        returns (Fees memory fees, address integrator)
    {
        if (order.srcDecimals > MAX_DECIMALS) revert TooManyDecimals(order.srcDecimals);
        uint256 partnerRate;
        (integrator, partnerRate) = _partner(order.integratorId);
        uint256 rate = order.rate < sourceRate ? order.rate : sourceRate;
        fees = FeeMath.split(order.amount, order.srcDecimals, decimals, rate, partnerRate);
    }

    /// @dev A partner that is unknown or switched off when the order is paid takes nothing: the quote's fee then
    /// stays with the recipient, and the order is not held up.
    function _partner(bytes32 id) private view returns (address wallet, uint256 rate) {
        bool active;
        (wallet, rate, active) = registry.integrators(id);
        if (!active) return (address(0), 0);
    }

    function _settle(Order memory order, Settlement settlement) private returns (bytes32 id) {
        if (order.dstPool != address(this)) revert WrongPool(order.dstPool);
        id = order.id();
        Settlement before = settlements[id];
        if (before != Settlement.None) revert AlreadySettled(id, before);
        settlements[id] = settlement;
    }

    function _setLimits(Limits memory limits_) private {
        _requireLimits(limits_, caps[CapKind.Releases].cap);
        bounds = limits_;
        if (limits_.max > highest) highest = limits_.max;
        emit LimitsSet(limits_);
    }

    function _largest() internal view override returns (uint256) {
        return highest;
    }

    function _setFeeBound(uint32 bound) private {
        if (bound > MAX_FEE_BOUND) revert FeeTooHigh(bound, MAX_FEE_BOUND);
        feeBound = bound;
        emit FeeBoundSet(bound);
    }

    /// @dev Whether a pool of this kind can serve `place_` from the network it is deployed on.
    function _mayServe(uint256 place_) internal view virtual returns (bool) {
        return place_ == block.chainid;
    }

    /// @dev Who gets a deposit back when the caller does not say. A zero recipient becomes the caller here, if the
    /// caller is a key: then the same key owns the address elsewhere.
    function _refundTo(Order memory order) internal view virtual returns (address) {
        bool zero = RecipientBytes.isZero(order.recipientType, order.recipient);
        if (zero && !_isContract(msg.sender)) order.recipient = abi.encodePacked(msg.sender);
        return msg.sender;
    }

    /// @dev Whether money sent back to `refundTo` would be lost.
    function _loses(address refundTo, address payer) internal view virtual returns (bool) {
        return refundTo == address(0) || refundTo == address(this) || refundTo == Currency.unwrap(token)
            || refundTo == payer;
    }

    /// @dev An account with code, unless the code only says to whom a key delegated (EIP-7702).
    function _isContract(address account) internal view returns (bool) {
        uint256 size = account.code.length;
        return size != 0 && !(size == 23 && bytes3(account.code) == 0xef0100);
    }

    /// @dev How this pool pays `dstToken` at `dstPlace`, if it does.
    function _delivery(uint256 dstPlace, address dstToken) internal view virtual returns (Delivery) {
        bool here = dstPlace == place && dstToken == Currency.unwrap(token);
        return here ? Delivery.Address : Delivery.None;
    }

    /// @dev What it takes to deliver `received`; the exact figure matters only up to `most`.
    function _cost(Order memory, uint256 received, uint256) internal view virtual returns (uint256) {
        return received;
    }

    /// @dev Makes sure that the recipient has `received`, spending `cost`; false if it cannot take it.
    function _deliver(Order memory order, uint256 received, uint256) internal virtual returns (bool) {
        return token.trySend(RecipientBytes.toAddress(order.recipient), received);
    }

    /// @dev The gas without which no order of a batch is tried: more than paying one takes, so that a failure is the
    /// order's and not the gas limit's.
    function _itemGas() internal pure virtual returns (uint256) {
        return 300_000;
    }

    function _giveBack(bytes32 id, address refundTo, Deposit memory deposit)
        internal
        override
        returns (Refund)
    {
        return _pay(refundTo, deposit.amount, id) ? Refund.Paid : Refund.Owed;
    }
}
