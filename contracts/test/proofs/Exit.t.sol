// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {DepositState, IOrderSource} from "../../src/interfaces/IOrderSource.sol";
import {Settlement} from "../../src/interfaces/IPool.sol";
import {Ruin} from "./Ruin.sol";

/// @notice Every deposit is back with its owner seven days after its deadline, whatever the operator does or leaves
/// @dev Premises: no relayer releases an order that was not paid, and the issuer still burns to the network a burn came
/// from. The last tests say what is lost without them.
contract ExitTest is Ruin {
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
