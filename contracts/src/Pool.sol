// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {OrderSource} from "./base/OrderSource.sol";
import {Ledger} from "./base/Ledger.sol";
import {IIntegratorRegistry} from "./interfaces/IIntegratorRegistry.sol";
import {IPool, PoolConfig, Settlement, Source} from "./interfaces/IPool.sol";
import {FeeMath, Fees} from "./libraries/FeeMath.sol";
import {RecipientBytes} from "./libraries/RecipientBytes.sol";
import {Currency} from "./types/Currency.sol";
import {Delivery, Order, Refusal} from "./types/Order.sol";

/// @title Pool
/// @notice Takes deposits of one token at one place, and pays that token out there
/// @dev Unaudited reference implementation. An order is paid at most once: its ID is marked before any money moves,
/// and nothing unmarks it. There is no call whose target a user chooses, and money is taken from nobody but the
/// caller.
contract Pool is IPool, OrderSource {
    /// @inheritdoc IPool
    uint32 public constant MAX_RATE = 10_000; // 1 %

    /// @notice The most decimals that a listed token has
    uint8 private constant MAX_DECIMALS = 18;

    /// @inheritdoc IPool
    uint256 public immutable place;
    /// @inheritdoc IPool
    uint8 public immutable decimals;
    /// @inheritdoc IPool
    IIntegratorRegistry public immutable registry;

    /// @inheritdoc IPool
    mapping(bytes32 id => Settlement) public settlements;
    /// @inheritdoc IPool
    mapping(uint256 place => mapping(address pool => Source)) public sources;

    constructor(PoolConfig memory config) Ledger(config.token, config.roles, config.limits) {
        if (!_mayServe(config.place)) revert WrongPlace(config.place, block.chainid);
        uint8 actual = config.token.decimals();
        if (config.decimals != actual) revert WrongDecimals(config.decimals, actual);
        _requireContract(address(config.registry));
        place = config.place;
        decimals = config.decimals;
        registry = config.registry;
    }

    /// @inheritdoc IPool
    function swap(
        uint256 dstChain,
        uint256 amount,
        bytes calldata recipient,
        uint8 recipientType,
        address dstToken,
        bytes32 integratorId
    ) external payable nonReentrant whenNotPaused returns (bytes32 id) {
        Order memory order;
        order.srcPlace = place;
        order.amount = amount;
        order.dstPlace = dstChain;
        order.dstToken = dstToken;
        order.integratorId = integratorId;
        order.recipientType = recipientType;
        (order.recipient, order.refundTo) = _parties(recipient, recipientType);

        Refusal why = refusal(order);
        if (why != Refusal.None) revert OrderRefused(why);
        token.take(amount);
        return _open(order, amount);
    }

    /// @inheritdoc IPool
    function fulfil(Order calldata order) external onlyRole(RELAYER_ROLE) nonReentrant whenNotPaused {
        Refusal why = RecipientBytes.problem(
            _delivery(order.dstPlace, order.dstToken), order.recipientType, order.recipient
        );
        if (why != Refusal.None) revert OrderRefused(why);
        bytes32 id = _settle(order, Settlement.Fulfilled);

        (Fees memory fees, address integrator) = quote(order);
        if (fees.gross > limits.max) revert OrderTooLarge(fees.gross, limits.max);
        if (fees.received == 0) revert NothingToPay(id);
        uint256 cost = _cost(fees.received);
        _spend(cost + fees.integrator);

        _pay(integrator, fees.integrator);
        bool paid = _deliver(order, fees.received, cost);
        emit OrderFulfilled(id, order.integratorId, fees.received, fees.protocol, fees.integrator, paid);
    }

    /// @inheritdoc IPool
    function cancel(Order calldata order) external onlyRole(RELAYER_ROLE) {
        if (_delivery(order.dstPlace, order.dstToken) == Delivery.None) {
            revert OrderRefused(Refusal.Destination);
        }
        emit OrderCancelled(_settle(order, Settlement.Cancelled));
    }

    /// @inheritdoc IPool
    function fund(uint256 amount) external payable nonReentrant {
        token.take(amount);
        emit Funded(msg.sender, amount);
    }

    /// @inheritdoc IPool
    function withdraw(address to, uint256 amount) external onlyRole(DEFAULT_ADMIN_ROLE) nonReentrant {
        _nonZero(to);
        _requireLiquid(amount);
        emit Withdrawn(to, amount);
        token.send(to, amount);
    }

    /// @inheritdoc IPool
    function setSource(uint256 place_, address pool, Source calldata source)
        external
        onlyRole(DEFAULT_ADMIN_ROLE)
    {
        if (place_ == 0) revert UnknownSource(place_, pool);
        _nonZero(pool);
        if (source.decimals > MAX_DECIMALS) revert TooManyDecimals(source.decimals);
        if (source.rate > MAX_RATE) revert RateTooHigh(source.rate, MAX_RATE);
        sources[place_][pool] = source;
        emit SourceSet(place_, pool, source);
    }

    /// @inheritdoc IPool
    function quote(Order calldata order) public view returns (Fees memory fees, address integrator) {
        Source memory source = sources[order.srcPlace][order.srcPool];
        if (!source.known) revert UnknownSource(order.srcPlace, order.srcPool);
        uint256 rate;
        (integrator, rate) = _partner(order.integratorId);
        fees = FeeMath.split(order.amount, source.decimals, decimals, source.rate, rate);
    }

    /// @dev A partner that is unknown or switched off when the order is paid takes nothing: the quote's fee then
    /// stays with the recipient, and the order is not held up.
    function _partner(bytes32 id) private view returns (address wallet, uint256 rate) {
        bool active;
        (wallet, rate, active) = registry.integrators(id);
        if (!active) return (address(0), 0);
    }

    function _settle(Order calldata order, Settlement settlement) private returns (bytes32 id) {
        id = order.id();
        Settlement before = settlements[id];
        if (before != Settlement.None) revert AlreadySettled(id, before);
        settlements[id] = settlement;
    }

    /// @dev Whether a pool of this kind can serve `place_` from the network it is deployed on.
    function _mayServe(uint256 place_) internal view virtual returns (bool) {
        return place_ == block.chainid;
    }

    /// @dev Whom a deposit is for, and who gets it back. Called with bytes that nobody has checked.
    function _parties(bytes calldata recipient, uint8 recipientType)
        internal
        view
        virtual
        returns (bytes memory to, address refundTo)
    {
        return (RecipientBytes.orSender(recipientType, recipient, msg.sender), msg.sender);
    }

    /// @dev How this pool pays `dstToken` at `dstPlace`, if it does.
    function _delivery(uint256 dstPlace, address dstToken) internal view virtual returns (Delivery) {
        bool here = dstPlace == place && dstToken == Currency.unwrap(token);
        return here ? Delivery.Address : Delivery.None;
    }

    /// @dev What it takes to deliver `received`.
    function _cost(uint256 received) internal view virtual returns (uint256) {
        return received;
    }

    /// @dev Makes sure that the recipient has `received`, spending `cost`; false if it has to claim it.
    function _deliver(Order calldata order, uint256 received, uint256) internal virtual returns (bool paid) {
        return _pay(RecipientBytes.toAddress(order.recipient), received);
    }

    /// @dev A deposit that is not refundable any more simply stays: it is liquidity.
    function _released(uint256) internal override {}
}
