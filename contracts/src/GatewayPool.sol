// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IGatewayPool, Remote} from "./interfaces/IGatewayPool.sol";
import {PoolConfig} from "./interfaces/IPool.sol";
import {ITokenMessengerV2} from "./interfaces/external/ITokenMessengerV2.sol";
import {RecipientBytes} from "./libraries/RecipientBytes.sol";
import {Currency} from "./types/Currency.sol";
import {Delivery, Order} from "./types/Order.sol";
import {Pool} from "./Pool.sol";

/// @title GatewayPool
/// @notice A pool that also pays on the other networks of its token's issuer, by burning here what is minted there
/// @dev It burns with the standard transfer: the issuer waits for finality and may keep nothing, so what is minted
/// is what was quoted. Should the issuer ever ask a fee for that, burns revert and orders wait or are cancelled;
/// nobody silently gets less. Once burned the money is the recipient's: anyone may deliver the mint.
contract GatewayPool is IGatewayPool, Pool {
    using SafeERC20 for IERC20;

    /// @notice The issuer attests when the burn is final
    uint32 private constant FINALIZED = 2000;
    /// @notice The most that the issuer may keep of a standard transfer
    uint256 private constant NO_FEE = 0;
    /// @notice Who may deliver the mint
    bytes32 private constant ANYONE = 0;

    /// @inheritdoc IGatewayPool
    ITokenMessengerV2 public immutable messenger;

    /// @inheritdoc IGatewayPool
    mapping(uint256 place => Remote) public remotes;

    constructor(PoolConfig memory config, ITokenMessengerV2 messenger_) Pool(config) {
        _requireContract(Currency.unwrap(config.token)); // the native coin cannot be burned
        _requireContract(address(messenger_));
        messenger = messenger_;
    }

    /// @inheritdoc IGatewayPool
    function setRemote(uint256 place_, Remote calldata remote) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (place_ == 0 || place_ == place) revert NotRemote(place_);
        remotes[place_] = remote;
        emit RemoteSet(place_, remote);
    }

    function _delivery(uint256 dstPlace, address dstToken) internal view override returns (Delivery) {
        bool remote = dstToken != address(0) && dstToken == remotes[dstPlace].token;
        return remote ? Delivery.Address : super._delivery(dstPlace, dstToken);
    }

    function _deliver(Order calldata order, uint256 received, uint256 cost) internal override returns (bool) {
        if (order.dstPlace == place) return super._deliver(order, received, cost);
        _burn(remotes[order.dstPlace].domain, RecipientBytes.toAddress(order.recipient), received);
        return true;
    }

    function _burn(uint32 domain, address recipient, uint256 amount) private {
        IERC20 erc20 = token.erc20();
        uint256 before = token.balance();
        erc20.forceApprove(address(messenger), amount);
        messenger.depositForBurn(
            amount, domain, bytes32(uint256(uint160(recipient))), address(erc20), ANYONE, NO_FEE, FINALIZED
        );
        uint256 burned = before - token.balance();
        if (burned != amount) revert WrongBurn(amount, burned);
    }
}
