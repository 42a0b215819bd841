// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ledger} from "./base/Ledger.sol";
import {OrderSource} from "./base/OrderSource.sol";
import {IReceiver, ReceiverConfig} from "./interfaces/IReceiver.sol";
import {IMessageTransmitterV2} from "./interfaces/external/IMessageTransmitterV2.sol";
import {ITokenMessengerV2} from "./interfaces/external/ITokenMessengerV2.sol";
import {Burn, BurnMessage} from "./libraries/BurnMessage.sol";
import {FeeMath} from "./libraries/FeeMath.sol";
import {Hook, HookData} from "./libraries/HookData.sol";
import {RecipientBytes} from "./libraries/RecipientBytes.sol";
import {Currency} from "./types/Currency.sol";
import {Order, Refusal} from "./types/Order.sol";

/// @title Receiver
/// @notice Receives burns from other networks, and makes orders of what their hook data says
/// @dev Unaudited reference implementation. That a message was received proves nothing: anybody can have any bytes
/// attested and delivered to a contract of their own. What the issuer's messenger minted here does.
///
/// What is minted stays here, order by order, until the relayer releases the order (then it becomes liquidity of
/// the gateway pool) or refunds it. So the balance always covers all claims and all deposits held, and what a
/// refund pays is what came in.
contract Receiver is IReceiver, OrderSource {
    /// @inheritdoc IReceiver
    /// @dev The protocol's fee on these orders is 0.3 %: at most that is given away.
    uint32 public constant MAX_ABSORB_RATE = 3_000;

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

    /// @inheritdoc IReceiver
    mapping(uint32 domain => uint256) public places;

    constructor(ReceiverConfig memory config) Ledger(config.token, config.roles, config.limits) {
        _requireContract(Currency.unwrap(config.token)); // nobody burns the native coin
        _requireContract(address(config.messenger));
        _requireContract(address(config.transmitter));
        _requireContract(config.pool);
        if (config.absorbRate > MAX_ABSORB_RATE) {
            revert AbsorbRateTooHigh(config.absorbRate, MAX_ABSORB_RATE);
        }
        messenger = config.messenger;
        transmitter = config.transmitter;
        pool = config.pool;
        lastResort = _nonZero(config.lastResort);
        absorbRate = config.absorbRate;
    }

    /// @inheritdoc IReceiver
    function relay(bytes calldata message, bytes calldata attestation)
        external
        nonReentrant
        whenNotPaused
        returns (bytes32 id)
    {
        Burn memory burn = BurnMessage.read(message);
        _authenticate(burn);
        uint256 minted = _mint(burn, message, attestation);
        (Refusal why, Order memory order) = _read(burn, BurnMessage.hookData(message));
        if (why == Refusal.None) return _open(order, minted);
        _park(burn.sender, minted, why);
    }

    /// @inheritdoc IReceiver
    function skim(address to) external onlyRole(DEFAULT_ADMIN_ROLE) nonReentrant returns (uint256 amount) {
        _nonZero(to);
        amount = liquidity() - heldTotal;
        emit Skimmed(to, amount);
        token.send(to, amount);
    }

    /// @inheritdoc IReceiver
    function setSource(uint32 domain, uint256 place) external onlyRole(DEFAULT_ADMIN_ROLE) {
        places[domain] = place;
        emit SourceSet(domain, place);
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

    /// @dev The order that `burn` asks for, or why there is none. It must not revert: the money is here by now.
    function _read(Burn memory burn, bytes calldata data) private view returns (Refusal, Order memory order) {
        (bool ok, Hook memory hook) = HookData.read(data);
        if (!ok) return (Refusal.Hook, order);
        order.srcPlace = places[burn.sourceDomain];
        order.refundTo = _low(burn.sender);
        if (order.srcPlace == 0 || !_isAddress(burn.sender)) return (Refusal.Source, order);
        order.amount = _amount(burn.amount, burn.feeExecuted);
        order.dstPlace = hook.dstPlace;
        order.dstToken = hook.dstToken;
        order.integratorId = hook.integratorId;
        order.recipientType = hook.recipientType;
        order.recipient = RecipientBytes.orSender(hook.recipientType, hook.recipient, order.refundTo);
        return (refusal(order), order);
    }

    /// @dev The issuer's fee is ours to bear, up to a share of the amount: the burner chose how much it may be, and
    /// bears what was allowed beyond that share.
    function _amount(uint256 burned, uint256 fee) private view returns (uint256) {
        uint256 absorbed = FeeMath.share(burned, absorbRate);
        return fee > absorbed ? burned - (fee - absorbed) : burned;
    }

    function _park(bytes32 sender, uint256 amount, Refusal why) private {
        address account = _isAddress(sender) ? _low(sender) : lastResort;
        emit Parked(sender, account, amount, why);
        _credit(account, amount);
    }

    /// @dev The money of paid orders is of use where outbound orders are paid.
    function _released(uint256 total) internal override {
        token.send(pool, total);
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
