// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {GatewayPool} from "../../src/GatewayPool.sol";
import {Pool} from "../../src/Pool.sol";
import {Receiver} from "../../src/Receiver.sol";
import {Ledger} from "../../src/base/Ledger.sol";
import {OrderSource} from "../../src/base/OrderSource.sol";
import {Remote} from "../../src/interfaces/IGatewayPool.sol";
import {CapKind} from "../../src/interfaces/ILedger.sol";
import {DepositState, Limits} from "../../src/interfaces/IOrderSource.sol";
import {Delivery, Link, Order} from "../../src/types/Order.sol";
import {Operator} from "./Operator.sol";

/// @notice An account without a role or money that makes every public call
/// @dev Calls that belong to a role must be refused. Those open to all may succeed, and are booked: they move other
/// accounts' money to its owners only.
abstract contract Thief is Operator {
    uint256 private constant REFUSED = 26; // calls that must be
    uint256 private constant COINS = 1 ether;

    address internal immutable thief = account("thief");
    address internal immutable victim = account("victim");

    /// @dev The victim has allowed every pool to take all it has.
    function setUp() public virtual override {
        super.setUp();
        vm.deal(thief, COINS);
        address[4] memory tokens = [address(usdc1), address(usdc56), address(usdcHub), address(here.token)];
        for (uint256 t; t < tokens.length; ++t) {
            (bool ok,) = tokens[t].call(abi.encodeWithSignature("mint(address,uint256)", victim, 1_000e18));
            vm.assertTrue(ok, "minted");
            for (uint256 i; i < ledgers.length; ++i) {
                vm.prank(victim);
                IERC20(tokens[t]).approve(address(ledgers[i]), type(uint256).max);
            }
        }
    }

    function actSteal() internal {
        if (orders.length == 0) return;
        for (uint256 i; i < 6; ++i) {
            if (chance(5)) useOpenCalls(orders[recent()]);
            else mustBeRefused(draw(0, REFUSED - 1), orders[recent()]);
            count(Did.Steal);
        }
    }

    function useOpenCalls(Order memory order) private {
        reclaim(thief, order);
        sweep(thief);
        claimFor(thief, pick(), [alice, bob, partner][draw(0, 2)]);
        vm.prank(thief);
        hub.fund(0);
    }

    function mustBeRefused(uint256 what, Order memory order) private {
        OrderSource ledger = what > 19 ? OrderSource(order.srcPool) : pools[draw(0, pools.length - 1)];
        if (what == 18) ledger = gateway;
        if (what == 19 || what > 23) ledger = receiver;
        if (what == 25) order = aBurn(order);
        bytes memory call = what < 12 ? paying(what, order) : what < 20 ? setting(what) : owning(what, order);
        vm.prank(thief, chance(2) ? thief : alice);
        (bool ok,) = address(ledger).call{value: chance(9) ? 1 : 0}(call);
        vm.assertFalse(ok, "a call that is not the thief's to make is refused");
    }

    /// @dev What the relayer, the treasurer and the pool itself may do, and deposits of money it has not.
    function paying(uint256 what, Order memory order) private view returns (bytes memory) {
        order.recipient = abi.encodePacked(thief);
        Order[] memory batch = new Order[](1);
        batch[0] = order;
        bytes32[] memory ids = new bytes32[](1);
        ids[0] = order.id();
        if (what == 0) return abi.encodeCall(Pool.fulfil, (order, true));
        if (what == 1) return abi.encodeCall(Pool.fulfilMany, (batch));
        if (what == 2) return abi.encodeCall(Pool.fulfilOne, (order));
        if (what == 3) return abi.encodeCall(Pool.cancel, (order));
        if (what == 4) return abi.encodeCall(OrderSource.refund, (order));
        if (what == 5) return abi.encodeCall(OrderSource.releaseMany, (ids));
        if (what == 6) return abi.encodeCall(Pool.withdraw, (thief, 1));
        if (what == 7) return abi.encodeCall(Pool.fund, (1e18));
        if (what == 8) return abi.encodeCall(Ledger.claim, (thief));
        if (what == 9) return abi.encodeCall(Ledger.claimFor, (thief));
        bytes memory to = abi.encodePacked(thief);
        if (what == 10) return abi.encodeCall(Pool.swap, (HUB, 1e20, to, 0, address(usdcHub), 0));
        return abi.encodeCall(Pool.swapFor, (HUB, 1e20, to, 0, address(usdcHub), 0, victim));
    }

    function setting(uint256 what) private returns (bytes memory) {
        if (what == 12) return abi.encodeCall(Ledger.setPauses, (chance(2), chance(2)));
        if (what == 13) return abi.encodeCall(Ledger.setCap, (CapKind(draw(0, 3)), uint96(draw(0, 1e30))));
        if (what == 14) return abi.encodeCall(Ledger.revokeRelayer, (relayer));
        if (what == 15) return abi.encodeCall(hub.grantRole, (hub.RELAYER_ROLE(), thief));
        if (what == 16) return roles(draw(0, 4));
        if (what == 17) return terms_(draw(0, 4));
        Remote memory remote = Remote(ARBITRUM_DOMAIN, address(there.token), Link.Closed);
        if (what == 18) return abi.encodeCall(GatewayPool.setRemote, (ARBITRUM, remote));
        return abi.encodeCall(Receiver.setPlace, (99, 99));
    }

    function roles(uint256 what) private view returns (bytes memory) {
        if (what == 0) return abi.encodeCall(hub.acceptAdmin, ());
        if (what == 1) return abi.encodeCall(hub.offerAdmin, (thief));
        if (what == 2) return abi.encodeCall(hub.grantRole, (bytes32(0), thief));
        if (what == 3) return abi.encodeCall(hub.revokeRole, (hub.GUARDIAN_ROLE(), guardian));
        return abi.encodeCall(hub.renounceRole, (hub.RELAYER_ROLE(), relayer));
    }

    function terms_(uint256 what) private view returns (bytes memory) {
        if (what == 0) return abi.encodeCall(Pool.setSource, (HUB, thief, Link.Open, 0, 1e20));
        if (what == 1) return abi.encodeCall(Pool.setLimits, (Limits(1, 2)));
        if (what == 2) return abi.encodeCall(Pool.setFeeBound, (0));
        if (what == 3) return abi.encodeCall(Pool.setTreasury, (thief, true));
        bytes4 selector = OrderSource.setDestination.selector;
        return abi.encodeWithSelector(selector, HUB, address(usdcHub), terms(Delivery.Address, thief, 0));
    }

    /// @dev Deposits of other accounts, named as its own, and a burn that was received before.
    function owning(uint256 what, Order memory order) private view returns (bytes memory) {
        if (what == 20) order.refundTo = thief;
        if (what == 21) order.amount += 1;
        if (what == 22) order.nonce += 1;
        if (what == 23) order.srcPool = thief;
        if (what < 24) return abi.encodeCall(OrderSource.reclaim, (order));
        if (what == 24) return abi.encodeCall(Receiver.relay, (usedMessage, usedAttestation));
        return abi.encodeCall(Receiver.reclaimHere, (order, thief));
    }

    /// @notice A burn that is held and that its owner could take, if there is one
    function aBurn(Order memory order) private view returns (Order memory) {
        for (uint256 i = orders.length; i > 0; --i) {
            if (stateOf(receiver, orders[i - 1].id()) == DepositState.Unpayable) return orders[i - 1];
        }
        return order;
    }

    /// @notice What the thief has of anything, beyond what it came with
    function loot() internal view returns (uint256 sum) {
        sum = usdc1.balanceOf(thief) + usdc56.balanceOf(thief) + usdcHub.balanceOf(thief);
        sum += weth.balanceOf(thief) + here.token.balanceOf(thief) + there.token.balanceOf(thief);
        sum += thief.balance > COINS ? thief.balance - COINS : 0;
        for (uint256 i; i < ledgers.length; ++i) {
            sum += ledgers[i].claims(thief);
        }
    }
}
