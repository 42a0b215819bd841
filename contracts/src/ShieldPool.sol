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
/// @dev The caller of `swap` is an adapter that all users share: any of them can take the tokens that it holds. So the
/// caller is never paid: the recipient is required and gets a refund, unless `swapFor` names another account.
contract ShieldPool is IShieldPool, Pool {
    using SafeERC20 for IERC20;

    /// @inheritdoc IShieldPool
    IPrivacyPool public immutable privacyPool;

    constructor(PoolConfig memory config, IPrivacyPool privacyPool_) Pool(config) {
        _requireContract(Currency.unwrap(config.token)); // the native coin cannot be shielded
        _requireContract(address(privacyPool_));
        privacyPool = privacyPool_;
    }

    /// @dev Each privacy pool has a virtual ID of its own, and is on one network.
    function _mayServe(uint256 place_) internal view override returns (bool) {
        return (place_ == 69696969 && block.chainid == 1) || (place_ == 96969696 && block.chainid == 56);
    }

    function _refundTo(Order memory order) internal pure override returns (address) {
        if (order.recipientType != RecipientBytes.TO_ADDRESS) revert OrderRefused(Refusal.RecipientType);
        return RecipientBytes.toAddress(order.recipient);
    }

    function _loses(address refundTo, address payer) internal view override returns (bool) {
        return super._loses(refundTo, payer) || (refundTo == msg.sender && _isContract(msg.sender));
    }

    function _delivery(uint256 dstPlace, address dstToken) internal view override returns (Delivery) {
        bool here = dstPlace == place && dstToken == Currency.unwrap(token);
        return here ? Delivery.Note : Delivery.None;
    }

    /// @dev The quote promised a note worth `received`, so the privacy pool's fee comes on top, from this pool.
    function _cost(Order memory, uint256 received, uint256) internal view override returns (uint256) {
        return ShieldFee.valueFor(received, privacyPool.shieldFee());
    }

    /// @dev A note has no owner who could claim, so a shield that fails reverts: the order stays open.
    function _deliver(Order memory order, uint256 received, uint256 cost) internal override returns (bool) {
        IERC20 erc20 = token.erc20();
        (uint256 here, uint256 there) = (token.balance(), erc20.balanceOf(address(privacyPool)));
        erc20.forceApprove(address(privacyPool), cost);
        privacyPool.shield(_requests(order.recipient, cost));
        (here, there) = (here - token.balance(), erc20.balanceOf(address(privacyPool)) - there);
        if (there != received || here != cost) revert WrongNote(there, here);
        return true;
    }

    /// @dev The privacy pool hashes sixteen levels of a tree for each note, which costs several times the rest.
    function _itemGas() internal pure override returns (uint256) {
        return 1_500_000;
    }

    function _requests(bytes memory recipient, uint256 value)
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
