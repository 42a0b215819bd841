// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {GatewayPool} from "../../src/GatewayPool.sol";
import {Pool} from "../../src/Pool.sol";
import {Ledger} from "../../src/base/Ledger.sol";
import {OrderSource} from "../../src/base/OrderSource.sol";
import {Remote} from "../../src/interfaces/IGatewayPool.sol";
import {CapKind} from "../../src/interfaces/ILedger.sol";
import {DepositState, IOrderSource, Limits} from "../../src/interfaces/IOrderSource.sol";
import {Settlement} from "../../src/interfaces/IPool.sol";
import {Currency} from "../../src/types/Currency.sol";
import {Link, Order} from "../../src/types/Order.sol";
import {Deals} from "./Deals.sol";

/// @notice Every deposit is back with its owner seven days after its deadline, whatever the operator does or leaves
/// @dev Premises: no relayer releases an order that was not paid, and the issuer still burns to the network a burn came
/// from. The last tests say what is lost without them.
contract ExitTest is Deals {
    /// forge-config: default.fuzz.runs = 48
    /// forge-config: deep.fuzz.runs = 1000
    function test_fuzz_exit_everyDepositComesBack(uint256 seed) public {
        reseed(seed);
        Deal[] memory deals = new Deal[](KINDS);
        for (uint256 i; i < KINDS; ++i) {
            (uint128 min, uint128 max) = sourceOf(Kind(i)).limits();
            deals[i] = opened(Kind(i), draw(min, max));
            vm.warp(block.timestamp + draw(0, 1 hours));
        }
        ruin();
        for (uint256 i; i < KINDS; ++i) {
            comesBackAlone(deals[i]);
        }
    }

    /// @dev Its deadline begins when it is relayed, which any account may do at any time.
    /// forge-config: default.fuzz.runs = 48
    /// forge-config: deep.fuzz.runs = 1000
    function test_fuzz_exit_aBurnThatWasNotRelayedComesBack(uint256 seed) public {
        reseed(seed);
        Deal memory deal = sign(Kind.Burn, draw(10e6, 25_000e6));
        ruin();
        vm.warp(block.timestamp + draw(0, 60 days));
        mine(deal);
        comesBack(deal);
    }

    /// @dev On the second of the deadline and seven days, in two steps by a stranger, and not a second before.
    function comesBack(Deal memory deal) private {
        (uint256 before, uint256 issuerHad) = (owned(deal.kind), issuerHas());
        bytes32 id = deal.order.id();
        uint256 announce = deal.order.deadline + 5 days;
        tooEarly(deal, announce);
        vm.warp(announce);
        reclaim(deal);
        vm.assertTrue(stateOf(deal.from, id) == DepositState.Announced, "announced");
        tooEarly(deal, announce + 2 days);
        vm.warp(announce + 2 days);
        vm.recordLogs();
        reclaim(deal);
        mintThere();
        collect();
        uint256 fees = issuerHas() - issuerHad;
        uint256 minted = deal.kind == Kind.Burn ? deal.amount - deal.amount * ABSORB_RATE / 1e6 : deal.amount;
        vm.assertEq(owned(deal.kind) - before + fees, minted, "all of the deposit, less the issuer's fees");
        vm.assertEq(held(deal.from, id), 0, "and nothing is held any more");
    }

    /// @dev As if the others had not come back yet, so that each is taken on its first day.
    function comesBackAlone(Deal memory deal) private {
        uint256 world = vm.snapshotState();
        comesBack(deal);
        vm.revertToState(world);
    }

    function tooEarly(Deal memory deal, uint256 time) private {
        vm.warp(time - 1);
        vm.expectRevert(abi.encodeWithSelector(IOrderSource.TooEarly.selector, deal.order.id(), time));
        reclaim(deal);
    }

    function reclaim(Deal memory deal) private {
        vm.prank(stranger);
        deal.from.reclaim(deal.order);
    }

    // ------------------------------------------------------------------ ruin

    /// @notice Every role takes what it can and stops what it can, in random order; at the end no relayer is left
    function ruin() private {
        uint256 first = draw(0, 3);
        for (uint256 i; i < 4; ++i) {
            uint256 step = (first + i) % 4;
            for (uint256 p; p < pools.length; ++p) {
                if (step == 0) embezzle(pools[p]);
                else if (step == 1) drain(pools[p]);
                else if (step == 2) close(pools[p]);
            }
            if (step == 3) changeMany(6);
        }
        for (uint256 p; p < pools.length; ++p) {
            drain(pools[p]);
            vm.assertEq(pools[p].liquidity(), 0, "no liquidity is left");
        }
        for (uint256 i; i < ledgers.length; ++i) {
            stop(ledgers[i]);
        }
    }

    /// @dev A relayer pays invented orders until it may not any more.
    function embezzle(Pool pool) private {
        (, uint128 max) = pool.limits();
        Order memory order;
        (order.dstPlace, order.dstPool, order.deadline) = (pool.place(), address(pool), type(uint48).max);
        (order.srcDecimals, order.amount) = (pool.decimals(), max);
        (order.dstToken, order.recipient) = (Currency.unwrap(pool.token()), abi.encodePacked(stranger));
        if (address(pool) == address(shieldPool)) (order.recipientType, order.recipient) = (2, note());
        for (uint256 i; i < payers.length; ++i) {
            if (address(payers[i].pool) != address(pool)) continue;
            (order.srcPlace, order.srcPool) = (payers[i].place, payers[i].source);
            for (uint256 n; n < 5; ++n) {
                order.nonce = draw(0, type(uint256).max - 1);
                vm.prank(standby);
                try pool.fulfil(order, true) {} catch {}
            }
        }
    }

    /// @dev Admin and treasurer together empty the pool.
    function drain(Pool pool) private {
        address to = address(pool);
        setAsAdmin(to, abi.encodeCall(pool.grantRole, (pool.TREASURER_ROLE(), treasurer)));
        setAsAdmin(to, abi.encodeCall(Pool.setTreasury, (treasury, true)));
        setAsAdmin(to, abi.encodeCall(Ledger.setCap, (CapKind.Treasury, type(uint96).max)));
        uint256 amount = pool.liquidity();
        vm.prank(treasurer);
        pool.withdraw(treasury, amount);
    }

    /// @dev No order is taken or paid any more.
    function close(Pool pool) private {
        (uint128 min,) = pool.limits();
        setAsAdmin(address(pool), abi.encodeCall(Pool.setLimits, (Limits(min, min))));
        setAsAdmin(address(pool), abi.encodeCall(Pool.setFeeBound, (0)));
        for (uint256 i; i < payers.length; ++i) {
            if (address(payers[i].pool) != address(pool)) continue;
            bytes memory call =
                abi.encodeCall(Pool.setSource, (payers[i].place, payers[i].source, Link.Closed, 10_000, 0));
            setAsAdmin(address(pool), call);
        }
        Remote memory remote = Remote(ARBITRUM_DOMAIN, address(there.token), Link.Closed);
        if (address(pool) == address(gateway)) {
            setAsAdmin(address(pool), abi.encodeCall(GatewayPool.setRemote, (ARBITRUM, remote)));
        }
    }

    /// @dev Everything paused, every cap as low as it can be, no relayer, and an admin that does nothing any more.
    function stop(OrderSource ledger) private {
        address to = address(ledger);
        setAsAdmin(to, abi.encodeCall(Ledger.setPauses, (true, true)));
        setAsAdmin(to, abi.encodeCall(Ledger.setCap, (CapKind.Payments, 0)));
        setAsAdmin(to, abi.encodeCall(Ledger.setCap, (CapKind.Refunds, 0)));
        setAsAdmin(to, abi.encodeCall(Ledger.revokeRelayer, (relayer)));
        setAsAdmin(to, abi.encodeCall(Ledger.revokeRelayer, (standby)));
        address gone = account("gone");
        setAsAdmin(to, abi.encodeCall(ledger.offerAdmin, (gone)));
        vm.prank(gone);
        ledger.acceptAdmin();
    }

    // -------------------------------------------------------------- premises

    /// @dev A relayer that lies voids at most the release cap in a day; the guardian ends it, and the rest comes back.
    function test_exit_premise_noReleaseOfUnpaidOrders() public {
        uint256 count = 12; // of the largest; the cap is worth eight
        Deal[] memory deals = new Deal[](count);
        for (uint256 i; i < count; ++i) {
            deals[i] = opened(Kind.Token, 25_000e6);
        }
        for (uint256 hour; hour < 24; ++hour) {
            for (uint256 i; i < count; ++i) {
                release(pool1, deals[i].order.id());
            }
            vm.warp(block.timestamp + 1 hours - 1);
        }
        vm.prank(guardian);
        pool1.revokeRelayer(relayer);
        uint256 voided;
        for (uint256 i; i < count; ++i) {
            bool gone = held(pool1, deals[i].order.id()) == 0;
            if (gone) voided += 25_000e6;
            else comesBackAlone(deals[i]);
            vm.assertTrue(hub.settlements(deals[i].order.id()) == Settlement.None, "it was a lie");
        }
        vm.assertLe(voided, 200_000e6, "no more than the cap in a day");
        vm.assertGe(voided, 100_000e6, "and that much, so the premise is needed");
    }

    /// @dev While it does not, the deposit stays held; the owner of a key can take it where it is.
    function test_exit_premise_theIssuerStillBurns() public {
        Deal memory deal = opened(Kind.Burn, 10_000e6);
        bytes32 id = deal.order.id();
        vm.warp(deal.order.deadline + 5 days);
        reclaim(deal);
        here.minter.setPaused(true);
        vm.warp(block.timestamp + 40 days);
        vm.expectRevert("Pausable: paused");
        reclaim(deal);
        vm.assertEq(held(receiver, id), 9_980e6, "held until the issuer burns again");
        uint256 world = vm.snapshotState();
        vm.prank(alice, alice);
        receiver.reclaimHere(deal.order, bob);
        vm.assertEq(here.token.balanceOf(bob), 9_980e6, "or taken here by its owner");
        vm.revertToState(world);
        here.minter.setPaused(false);
        vm.recordLogs();
        reclaim(deal);
        mintThere();
        vm.assertEq(there.token.balanceOf(alice), 9_980e6, "back where it came from");
    }
}
