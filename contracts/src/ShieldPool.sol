// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {PoolConfig} from "./interfaces/IPool.sol";
import {IShieldPool} from "./interfaces/IShieldPool.sol";
import {IPrivacyPool, ShieldRequest} from "./interfaces/external/IPrivacyPool.sol";
import {RecipientBytes} from "./libraries/RecipientBytes.sol";
import {ShieldFee} from "./libraries/ShieldFee.sol";
import {Currency} from "./types/Currency.sol";
import {Delivery, Order, Refusal} from "./types/Order.sol";
import {Pool} from "./Pool.sol";

/// @title ShieldPool
/// @notice A pool whose place is a privacy pool: it is paid by unshielding and pays by shielding
/// @dev Who calls `swap` here is an adapter that everybody shares, and whatever is sent to it anybody can take. So
/// the caller is nobody's name: the recipient must be said, and is the one who gets a refund.
contract ShieldPool is IShieldPool, Pool {
    using SafeERC20 for IERC20;

    /// @inheritdoc IShieldPool
    /// @dev The protocol's own fee on private orders is 0.5 %: at most that is given away.
    uint256 public constant MAX_SHIELD_FEE = 50;

    /// @inheritdoc IShieldPool
    IPrivacyPool public immutable privacyPool;

    constructor(PoolConfig memory config, IPrivacyPool privacyPool_) Pool(config) {
        _requireContract(Currency.unwrap(config.token)); // the native coin cannot be shielded
        _requireContract(address(privacyPool_));
        privacyPool = privacyPool_;
    }

    function _mayServe(uint256 place_) internal view override returns (bool) {
        return place_ != 0 && place_ != block.chainid;
    }

    function _parties(bytes calldata recipient, uint8 recipientType)
        internal
        pure
        override
        returns (bytes memory to, address refundTo)
    {
        if (recipientType != RecipientBytes.TO_ADDRESS) revert OrderRefused(Refusal.RecipientType);
        return (recipient, RecipientBytes.toAddress(recipient));
    }

    function _delivery(uint256 dstPlace, address dstToken) internal view override returns (Delivery) {
        bool here = dstPlace == place && dstToken == Currency.unwrap(token);
        return here ? Delivery.Note : Delivery.None;
    }

    /// @dev The quote promised a note worth `received`, so the privacy pool's fee comes on top, from this pool.
    function _cost(uint256 received) internal view override returns (uint256) {
        uint256 bps = privacyPool.shieldFee();
        if (bps > MAX_SHIELD_FEE) revert ShieldFeeTooHigh(bps, MAX_SHIELD_FEE);
        return ShieldFee.valueFor(received, bps);
    }

    /// @dev A note has no owner who could claim, so a shield that fails reverts: the order stays open.
    function _deliver(Order calldata order, uint256 received, uint256 cost) internal override returns (bool) {
        IERC20 erc20 = token.erc20();
        (uint256 here, uint256 there) = (token.balance(), erc20.balanceOf(address(privacyPool)));
        erc20.forceApprove(address(privacyPool), cost);
        privacyPool.shield(_requests(order.recipient, cost));
        (here, there) = (here - token.balance(), erc20.balanceOf(address(privacyPool)) - there);
        if (there != received || here != cost) revert WrongNote(there, here);
        return true;
    }

    function _requests(bytes calldata recipient, uint256 value)
        private
        view
        returns (ShieldRequest[] memory requests)
    {
        requests = new ShieldRequest[](1);
        (requests[0].preimage.npk, requests[0].ciphertext) = RecipientBytes.toNote(recipient);
        requests[0].preimage.token.tokenAddress = Currency.unwrap(token);
        requests[0].preimage.value = SafeCast.toUint120(value);
    }
}
