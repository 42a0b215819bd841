// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Ledger} from "./base/Ledger.sol";
import {OrderSource} from "./base/OrderSource.sol";
import {ILedger} from "./interfaces/ILedger.sol";
import {Deposit, DepositState, Destination, IOrderSource, Refund} from "./interfaces/IOrderSource.sol";
import {IReceiver, ReceiverConfig} from "./interfaces/IReceiver.sol";
import {IMessageTransmitterV2} from "./interfaces/external/IMessageTransmitterV2.sol";
import {ITokenMessengerV2} from "./interfaces/external/ITokenMessengerV2.sol";
import {Burn, BurnMessage} from "./libraries/BurnMessage.sol";
import {Burns} from "./libraries/Burns.sol";
import {FeeMath} from "./libraries/FeeMath.sol";
import {Hook, HookData} from "./libraries/HookData.sol";
import {RecipientBytes} from "./libraries/RecipientBytes.sol";
import {Currency} from "./types/Currency.sol";
import {Order, Refusal} from "./types/Order.sol";

/// @title Receiver
/// @notice Receives burns from other networks, and makes orders of what their hook data says
/// @dev Unaudited reference implementation. A received message proves nothing: any account can have any bytes
/// attested and delivered to its own contract. The tokens that the issuer's messenger minted here are the proof.
///
/// What is minted stays here, order by order, until the relayer releases the order (then it is free, and swept to the
/// gateway pool) or it is given back. A burner's money goes back by burning it to the network it came from, where the
/// burner's address is known to be its own; while that fails the deposit stays held. It never becomes a claim here.
///
/// At worst, a relayer does what OrderSource says, and the guardian stops refunds by the relayer and no more: a closed
/// destination still takes burns, and the limits never change. The admin can also point a destination at another pool.
/// Burns under way are then owed by that one; they wait and go back if it does not pay them, and at once if it is the
/// recipient that they name.
contract Receiver is IReceiver, OrderSource {
    /// @inheritdoc IReceiver
    /// @dev The protocol's fee on these orders is 0.3 %: at most that is given away.
    uint32 public constant MAX_ABSORB_RATE = 3_000;
    /// @notice The place whose domain is zero; for every other a zero is a value left out
    uint256 private constant DOMAIN_ZERO_PLACE = 1;

    /// @inheritdoc IReceiver
    ITokenMessengerV2 public immutable messenger;
    /// @inheritdoc IReceiver
    IMessageTransmitterV2 public immutable transmitter;
    /// @inheritdoc IReceiver
    address public immutable pool;
    /// @inheritdoc IReceiver
    address public immutable lastResort;
    /// @inheritdoc IReceiver
    uint32 public immutable absorbRate;
    uint128 private immutable min;
    uint128 private immutable max;

    /// @inheritdoc IReceiver
    mapping(uint32 domain => uint256) public places;

    constructor(ReceiverConfig memory config)
        Ledger(config.token, config.roles)
        OrderSource(config.refundCap, config.releaseCap)
    {
        _requireContract(Currency.unwrap(config.token)); // the native coin cannot be burned
        _requireContract(address(config.messenger));
        _requireContract(address(config.transmitter));
        _requireContract(config.pool);
        _requireSameToken(config.pool);
        if (config.absorbRate > MAX_ABSORB_RATE) {
            revert AbsorbRateTooHigh(config.absorbRate, MAX_ABSORB_RATE);
        }
        _requireLimits(config.limits, config.releaseCap);
        messenger = config.messenger;
        transmitter = config.transmitter;
        pool = config.pool;
        lastResort = _nonZero(config.lastResort);
        absorbRate = config.absorbRate;
        (min, max) = (config.limits.min, config.limits.max);
    }

    /// @inheritdoc IOrderSource
    function limits() public view override returns (uint128, uint128) {
        return (min, max);
    }

    /// @inheritdoc IReceiver
    function relay(bytes calldata message, bytes calldata attestation)
        external
        nonReentrant
        returns (bytes32 id)
    {
        Burn memory burn = BurnMessage.read(message);
        _authenticate(burn);
        uint256 minted = _mint(burn, message, attestation);
        (Refusal why, Order memory order, uint256 lifetime) = _read(burn, BurnMessage.hookData(message));
        id = _open(order, order.refundTo, _deposit(why, burn, minted, lifetime));
        emit BurnReceived(id, burn.nonce, burn.sourceDomain, burn.sender, burn.amount, burn.feeExecuted);
        if (why != Refusal.None) emit OrderUnpayable(id, why);
        if (order.refundTo == address(0)) _credit(lastResort, minted, id);
    }

    /// @inheritdoc IReceiver
    function reclaimHere(Order memory order, address to) external nonReentrant {
        if (msg.sender != order.refundTo || tx.origin != msg.sender) revert NotRefundTo(msg.sender);
        _nonZero(to);
        bytes32 id = order.id();
        if (deposits[id].state == DepositState.Held) revert NotAnnounced(id);
        uint256 amount = _takeBack(id).amount;
        emit OrderReclaimed(id, to, amount, Refund.PaidHere);
        token.send(to, amount);
    }

    /// @inheritdoc IReceiver
    function sweep() external nonReentrant {
        uint256 amount = liquidity();
        if (amount == 0) revert NothingToSweep();
        emit Swept(amount);
        token.send(pool, amount);
    }

    /// @inheritdoc IReceiver
    function setPlace(uint32 domain, uint256 place) external onlyRole(DEFAULT_ADMIN_ROLE) {
        bool bad = place == 0 || places[domain] != 0 || (domain == 0 && place != DOMAIN_ZERO_PLACE);
        if (bad) revert BadPlace(domain, place);
        places[domain] = place;
        emit PlaceSet(domain, place);
    }

    /// @dev What is swept to a pool of another token could not leave it.
    function _requireSameToken(address pool_) private view {
        Currency theirs = ILedger(pool_).token();
        if (Currency.unwrap(theirs) != Currency.unwrap(token)) revert PoolOfAnotherToken(theirs);
    }

    /// @dev Nothing here is proof by itself; it says what the mint must be for it to count.
    function _authenticate(Burn memory burn) private view {
        if (burn.recipient != _word(address(messenger))) revert NotForMessenger(burn.recipient);
        if (burn.destinationCaller != _word(address(this))) revert NotForThisCaller(burn.destinationCaller);
        // The messenger mints to the low 20 bytes, whatever is above them, so they are what is compared.
        if (_low(burn.mintRecipient) != address(this)) revert NotMintedHere(burn.mintRecipient);
        address minted = messenger.localMinter().getLocalToken(burn.sourceDomain, burn.burnToken);
        if (minted != Currency.unwrap(token)) revert WrongToken(burn.sourceDomain, burn.burnToken);
    }

    function _mint(Burn memory burn, bytes calldata message, bytes calldata attestation)
        private
        returns (uint256 minted)
    {
        uint256 before = token.balance();
        if (!transmitter.receiveMessage(message, attestation)) revert NotReceived();
        minted = token.balance() - before;
        uint256 expected = burn.amount - burn.feeExecuted;
        if (minted != expected) revert WrongMint(expected, minted);
    }

    /// @dev The order that `burn` asks for, and why no contract can pay it if none can. It must not revert: the money
    /// is here by now.
    function _read(Burn memory burn, bytes calldata data)
        private
        view
        returns (Refusal why, Order memory order, uint256 lifetime)
    {
        bool sent = _isAddress(burn.sender);
        if (sent) order.refundTo = _low(burn.sender);
        order.srcPlace = places[burn.sourceDomain];
        order.nonce = uint256(burn.nonce);
        order.amount = _amount(burn.amount, burn.feeExecuted);
        if (!_fill(order, data)) why = Refusal.Hook;
        else if (order.srcPlace == 0 || !sent) why = Refusal.Source;
        else (why, lifetime) = _stamped(order);
    }

    function _fill(Order memory order, bytes calldata data) private pure returns (bool ok) {
        Hook memory hook;
        (ok, hook) = HookData.read(data);
        order.dstPlace = hook.dstPlace;
        order.dstToken = hook.dstToken;
        order.integratorId = hook.integratorId;
        order.recipientType = hook.recipientType;
        bool zero = RecipientBytes.isZero(hook.recipientType, hook.recipient);
        order.recipient = zero ? abi.encodePacked(order.refundTo) : hook.recipient;
    }

    function _stamped(Order memory order) private view returns (Refusal why, uint256 lifetime) {
        Destination memory terms;
        (why, terms) = _stamp(order);
        lifetime = terms.lifetime;
    }

    /// @dev An unpayable order is over as soon as it is open, and its deposit is the burner's to take. A burn by an
    /// account that has no address on this kind of network has no way back, so its money is not held.
    function _deposit(Refusal why, Burn memory burn, uint256 minted, uint256 lifetime)
        private
        view
        returns (Deposit memory deposit)
    {
        bool payable_ = why == Refusal.None;
        deposit.amount = SafeCast.toUint128(minted);
        deposit.deadline = uint48(block.timestamp + (payable_ ? lifetime : 0));
        deposit.domain = burn.sourceDomain;
        if (payable_) deposit.state = DepositState.Held;
        else if (_isAddress(burn.sender)) deposit.state = DepositState.Unpayable;
    }

    /// @dev The issuer's fee is ours to bear, up to a share of the amount: the burner chose how much it may be, and
    /// bears what was allowed beyond that share.
    function _amount(uint256 burned, uint256 fee) private view returns (uint256) {
        uint256 absorbed = FeeMath.share(burned, absorbRate);
        return fee > absorbed ? burned - (fee - absorbed) : burned;
    }

    /// @dev Standard finality, and the least fee that the issuer accepts: a stranger who calls cannot make it dearer.
    function _giveBack(bytes32, address refundTo, Deposit memory deposit) internal override returns (Refund) {
        uint256 fee = Burns.minFee(messenger, deposit.amount);
        Burns.burn(messenger, token.erc20(), deposit.amount, deposit.domain, refundTo, fee);
        return Refund.BurnedBack;
    }

    function _word(address account) private pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }

    function _low(bytes32 word) private pure returns (address) {
        return address(uint160(uint256(word)));
    }

    function _isAddress(bytes32 word) private pure returns (bool) {
        return word != 0 && word == _word(_low(word));
    }
}
