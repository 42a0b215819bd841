// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pool} from "../../src/Pool.sol";
import {DepositState, IOrderSource} from "../../src/interfaces/IOrderSource.sol";
import {Deals} from "./Deals.sol";

/// @notice A source network that stands still for days takes nothing from the operator that acts within two days
/// @dev While it stands still no call reaches it, however much time passes; the destination goes on. All sources halt at
/// once here, since they share one clock in the tests.
contract HaltTest is Deals {
    /// forge-config: default.fuzz.runs = 48
    /// forge-config: deep.fuzz.runs = 1000
    function test_fuzz_halt_tenDaysAfterPaymentsTheRelayerHasTwoDays(uint256 seed) public {
        reseed(seed);
        (Deal[] memory paid, Deal[] memory unpaid) = (openAll(), openAll());
        payAll(paid);
        vm.warp(block.timestamp + draw(10 days, 40 days));
        // The first block after the halt: strangers are faster than the relayer, and ask twice.
        for (uint256 i; i < KINDS; ++i) {
            announce(paid[i]);
            announce(unpaid[i]);
        }
        uint256 announced = block.timestamp;
        vm.warp(announced + draw(0, 2 days - 1));
        releaseAll(paid);
        vm.warp(announced + 2 days);
        uint256 before;
        for (uint256 i; i < KINDS; ++i) {
            vm.expectRevert(notHeld(paid[i].order.id()));
            reclaim(paid[i]);
            before = owned(Kind(i));
            vm.recordLogs();
            reclaim(unpaid[i]);
            mintThere();
            collect();
            vm.assertEq(owned(Kind(i)) - before, deposited(unpaid[i]), "what was not paid is back");
        }
    }

    /// @dev The exposure that stays: what was paid and is unreleased five days after its deadline. Not what was released
    /// by then, and not what reaches that age during the halt.
    /// forge-config: default.fuzz.runs = 48
    /// forge-config: deep.fuzz.runs = 1000
    function test_fuzz_halt_insideTheTwoDaysLosesOnlyWhatWasAnnounced(uint256 seed) public {
        reseed(seed);
        (Deal[] memory prompt, Deal[] memory late) = (openAll(), openAll());
        payAll(prompt);
        payAll(late);
        releaseAll(prompt);
        vm.warp(block.timestamp + draw(1, 2 days));
        Deal[] memory young = openAll();
        payAll(young);
        vm.warp(late[0].order.deadline + 5 days); // all of a batch have the same
        for (uint256 i; i < KINDS; ++i) {
            announce(late[i]);
        }
        vm.warp(block.timestamp + draw(2 days, 30 days));
        for (uint256 i; i < KINDS; ++i) {
            lost(prompt[i], late[i], young[i]);
        }
        releaseAll(young);
    }

    /// @dev What the first block after the halt can take.
    function lost(Deal memory prompt, Deal memory late, Deal memory young) private {
        uint256 before = owned(late.kind);
        vm.expectRevert(notHeld(prompt.order.id()));
        reclaim(prompt);
        announce(young);
        vm.assertEq(owned(late.kind), before, "neither what was released nor what is announced only now");
        vm.recordLogs();
        reclaim(late);
        mintThere();
        vm.assertEq(owned(late.kind) - before, deposited(late), "only what was announced before the halt");
    }

    // ------------------------------------------------------------------- act

    function openAll() private returns (Deal[] memory deals) {
        deals = new Deal[](KINDS);
        for (uint256 i; i < KINDS; ++i) {
            (uint128 min, uint128 max) = sourceOf(Kind(i)).limits();
            deals[i] = opened(Kind(i), draw(min, max / 8));
        }
    }

    function payAll(Deal[] memory deals) private {
        for (uint256 i; i < KINDS; ++i) {
            uint256 before = received(Kind(i));
            vm.recordLogs();
            fulfil(Pool(deals[i].order.dstPool), deals[i].order);
            mintThere();
            vm.assertEq(received(Kind(i)) - before, deals[i].quoted, "paid");
        }
    }

    function releaseAll(Deal[] memory deals) private {
        for (uint256 i; i < KINDS; ++i) {
            release(deals[i].from, deals[i].order.id());
            vm.assertEq(held(deals[i].from, deals[i].order.id()), 0, "released");
        }
    }

    function reclaim(Deal memory deal) private {
        vm.prank(stranger);
        deal.from.reclaim(deal.order);
    }

    /// @dev The first call announces and moves nothing; another neither takes the deposit nor moves the time.
    function announce(Deal memory deal) private {
        bytes32 id = deal.order.id();
        uint256 before = owned(deal.kind);
        reclaim(deal);
        (uint256 amount, uint256 from,, DepositState state) = deal.from.deposits(id);
        vm.assertTrue(state == DepositState.Announced, "announced");
        vm.assertEq(from, block.timestamp + 2 days, "for two days later");
        vm.expectRevert(abi.encodeWithSelector(IOrderSource.TooEarly.selector, id, from));
        reclaim(deal);
        vm.assertEq(amount, deposited(deal), "the deposit is still held");
        vm.assertEq(owned(deal.kind), before, "and its owner has nothing yet");
    }

    /// @notice What came in for a deal: of a burn, what the issuer minted
    function deposited(Deal memory deal) private pure returns (uint256) {
        return deal.kind == Kind.Burn ? deal.amount - deal.amount * ABSORB_RATE / 1e6 : deal.amount;
    }
}
