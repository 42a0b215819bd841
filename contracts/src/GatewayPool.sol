// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IGatewayPool, Remote} from "./interfaces/IGatewayPool.sol";
import {PoolConfig} from "./interfaces/IPool.sol";
import {ITokenMessengerV2} from "./interfaces/external/ITokenMessengerV2.sol";
import {Burns} from "./libraries/Burns.sol";
import {RecipientBytes} from "./libraries/RecipientBytes.sol";
import {Currency} from "./types/Currency.sol";
import {Delivery, Link, Order} from "./types/Order.sol";
import {Pool} from "./Pool.sol";

/// @title GatewayPool
/// @notice A pool that also pays on the other networks of its token's issuer, by burning here what is minted there
/// @dev It burns with the standard transfer, and so much that what is minted after the issuer's least fee is what was
/// quoted. Beyond the fee bound orders wait or are cancelled; no recipient gets less. Once burned the money is the
/// recipient's: anyone may deliver the mint.
contract GatewayPool is IGatewayPool, Pool {
    /// @notice The place whose domain is zero; for every other a zero is a value left out
    uint256 private constant DOMAIN_ZERO_PLACE = 1;

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
    function setRemote(uint256 place_, Remote memory remote) external {
        Remote memory before = remotes[place_];
        bool known = before.state != Link.None;
        bool same = remote.domain == before.domain && remote.token == before.token;
        _requireSetter(known && remote.state == Link.Closed);
        bool bad = place_ == 0 || _isHere(place_) || remote.token == address(0) || remote.state == Link.None
            || (known && !same) || (remote.domain == 0 && place_ != DOMAIN_ZERO_PLACE);
        if (bad) revert BadRemote(place_, remote);
        remotes[place_] = remote;
        emit RemoteSet(place_, remote);
    }

    function _delivery(uint256 dstPlace, address dstToken) internal view override returns (Delivery) {
        if (_isHere(dstPlace)) return super._delivery(dstPlace, dstToken);
        Remote memory remote = remotes[dstPlace];
        return remote.state == Link.Open && dstToken == remote.token ? Delivery.Address : Delivery.None;
    }

    /// @dev The least amount of which `received` is left after the issuer's least fee. The fee grows with the amount,
    /// so each round comes closer from below and the first that changes nothing is the least.
    function _cost(Order memory order, uint256 received, uint256 most)
        internal
        view
        override
        returns (uint256 cost)
    {
        if (_isHere(order.dstPlace)) return received;
        uint256 next = received;
        while (next > cost && cost <= most) {
            cost = next;
            next = received + Burns.minFee(messenger, cost);
        }
    }

    function _deliver(Order memory order, uint256 received, uint256 cost) internal override returns (bool) {
        if (_isHere(order.dstPlace)) return super._deliver(order, received, cost);
        uint32 domain = remotes[order.dstPlace].domain;
        address recipient = RecipientBytes.toAddress(order.recipient);
        Burns.burn(messenger, token.erc20(), cost, domain, recipient, cost - received);
        return true;
    }

    function _isHere(uint256 place_) private view returns (bool) {
        return place_ == place;
    }

    function _itemGas() internal pure override returns (uint256) {
        return 500_000;
    }
}
