// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pool} from "../../src/Pool.sol";
import {Receiver} from "../../src/Receiver.sol";
import {CapKind, ILedger} from "../../src/interfaces/ILedger.sol";
import {DepositState, Limits} from "../../src/interfaces/IOrderSource.sol";
import {IPool} from "../../src/interfaces/IPool.sol";
import {ReceiverConfig} from "../../src/interfaces/IReceiver.sol";
import {Delivery, Link, Order} from "../../src/types/Order.sol";
import {Deals} from "./Deals.sol";

/// @notice What can be paid can be released: the release cap against the largest order, and against all payers
contract SizingTest is Deals {
    uint256 private constant UNIT = 1e6;

    Order[] private paid;

    // ------------------------------------------------------------- one order

    function test_fuzz_sizing_theLargestOrderFitsTheReleaseCap(uint96 cap, uint96 max) public {
        cap = uint96(bound(cap, 2 * 25_000 * UNIT, 1e15));
        max = uint96(bound(max, 10 * UNIT, 1e15));
        vm.startPrank(admin);
        pool1.setCap(CapKind.Releases, cap);
        bool fits = 2 * uint256(max) <= cap;
        if (!fits) vm.expectRevert(tooLow(cap, 2 * uint256(max)));
        pool1.setLimits(Limits(uint128(UNIT), max));
        vm.stopPrank();
        if (!fits) return;
        bytes32 id = opened(Kind.Token, max).order.id();
        release(pool1, id);
        vm.assertEq(held(pool1, id), 0, "released at once");
    }

    function test_sizing_theReleaseCapIsNotLoweredBelowTwiceTheLargestOrder() public {
        vm.startPrank(admin);
        pool1.setCap(CapKind.Releases, 50_000e6);
        receiver.setCap(CapKind.Releases, 50_000e6);
        vm.expectRevert(tooLow(50_000e6 - 1, 50_000e6));
        pool1.setCap(CapKind.Releases, 50_000e6 - 1);
        vm.expectRevert(tooLow(50_000e6 - 1, 50_000e6));
        receiver.setCap(CapKind.Releases, 50_000e6 - 1);
        vm.stopPrank();
        ReceiverConfig memory config_ = receiverConfig();
        config_.releaseCap = 50_000e6 - 1;
        vm.expectRevert(tooLow(50_000e6 - 1, 50_000e6));
        new Receiver(config_);
    }

    /// @dev The guardian has no hand in it: less to release would be a pause of what must not be paused.
    function test_sizing_theGuardianDoesNotLowerTheReleaseCap() public {
        vm.expectRevert(deniedAdmin(guardian));
        vm.prank(guardian);
        pool1.setCap(CapKind.Releases, 100_000e6);
    }

    /// @dev A burn of any size can be made, so the receiver says of each whether it is paid.
    function test_fuzz_sizing_aBurnThatCouldNotBeReleasedIsNotPaid(uint256 amount) public {
        amount = bound(amount, 25_000e6 + 1, 10_000_000e6);
        Deal memory deal = opened(Kind.Burn, amount);
        vm.assertTrue(stateOf(receiver, deal.order.id()) == DepositState.Unpayable, "unpayable");
        deal.order.deadline += 1; // a relayer that lies about it
        vm.expectRevert(abi.encodeWithSelector(IPool.WrongPool.selector, address(0)));
        fulfil(hub, deal.order);
        (uint256 before, uint256 fee) = (there.token.balanceOf(alice), amount * ABSORB_RATE / 1e6);
        vm.recordLogs();
        receiver.reclaim(deal.order);
        mintThere();
        vm.assertEq(there.token.balanceOf(alice) - before, amount - fee, "back at once");
    }

    // ---------------------------------------------------------- a lower cap

    /// @dev The maximum was lowered since, but the deposit that it allowed is still held.
    function test_sizing_theCapNeverFallsBelowAnOpenDeposit() public {
        fund(hub, 25_000e6);
        Order memory order = openInbound(25_000e6);
        vm.prank(guardian);
        pool1.setLimits(Limits(10e6, 100e6));
        vm.startPrank(admin);
        vm.expectRevert(tooLow(50_000e6 - 1, 50_000e6));
        pool1.setCap(CapKind.Releases, 50_000e6 - 1);
        pool1.setCap(CapKind.Releases, 50_000e6);
        vm.stopPrank();
        fulfil(hub, order);
        release(pool1, order.id());
        vm.assertEq(held(pool1, order.id()), 0, "released");
    }

    /// @dev The bucket is as full as a cap forty times the maximum allows, and the cap is then the least that it may
    /// be. Twenty days would pass before it had drained to that.
    function test_sizing_aFullBucketDrainsWithinADayOfALowerCap() public {
        fund(hub, 25_000e6);
        vm.prank(admin);
        pool1.setCap(CapKind.Releases, 40 * 25_000e6);
        bytes32[] memory ids = new bytes32[](20);
        for (uint256 i; i < 20; ++i) {
            ids[i] = openInbound(25_000e6).id();
        }
        vm.prank(relayer);
        pool1.releaseMany(ids);
        Order memory order = openInbound(25_000e6);
        vm.prank(admin);
        pool1.setCap(CapKind.Releases, 50_000e6);
        vm.assertEq(lens.spendable(pool1, CapKind.Releases), 0, "full");
        fulfil(hub, order);
        vm.warp(block.timestamp + 1 days);
        release(pool1, order.id());
        vm.assertEq(held(pool1, order.id()), 0, "released");
    }

    /// @dev Only what the lower cap cannot hold is forgotten.
    function test_sizing_aLowerCapKeepsWhatWasSpent() public {
        release(pool1, openInbound(10_000e6).id());
        vm.prank(admin);
        pool1.setCap(CapKind.Releases, 50_000e6);
        vm.assertEq(lens.spendable(pool1, CapKind.Releases), 15_000e6, "half the cap less the release");
    }

    // ------------------------------------------------------------ all payers

    /// @dev The rule of a deployment: twice the sum of what the payers allow this source. Two pools pay its orders as
    /// fast as they may for twelve days, and at the end of each hour with payments nothing is left unreleased.
    function test_sizing_byTheRuleWhatIsPaidIsReleasedAtOnce() public {
        twoPayers(100_000e6);
        vm.prank(admin);
        pool1.setCap(CapKind.Releases, 400_000e6);
        for (uint256 hour; hour < 12 * 24; hour += 8) {
            payAsFastAsAllowed();
            releaseOldestFirst();
            vm.assertEq(paid.length, 0, "nothing is paid and unreleased");
            vm.warp(block.timestamp + 8 hours);
        }
    }

    /// @dev Below it a backlog grows, and orders that were paid grow old enough to be reclaimed.
    function test_sizing_belowTheRuleAPaidOrderIsReclaimed() public {
        twoPayers(100_000e6);
        vm.prank(admin);
        pool1.setCap(CapKind.Releases, 50_000e6);
        for (uint256 day; day < 10; ++day) {
            payAsFastAsAllowed();
            releaseOldestFirst();
            vm.warp(block.timestamp + 1 days);
        }
        Order memory oldest = paid[0];
        vm.assertLe(oldest.deadline + 5 days, block.timestamp, "paid, unreleased and five days old");
        pool1.reclaim(oldest);
    }

    /// @notice Two pools that pay orders of the same source, each `cap` of them in a day
    function twoPayers(uint256 cap) private {
        vm.startPrank(admin);
        hub.setSource(ETHEREUM, address(pool1), Link.Open, uint24(INBOUND_RATE), uint96(cap));
        pool1.setDestination(BSC, address(usdc56), terms(Delivery.Address, address(pool56), INBOUND_RATE));
        pool56.setSource(ETHEREUM, address(pool1), Link.Open, uint24(INBOUND_RATE), uint96(cap * 1e12));
        vm.stopPrank();
        fund(hub, 2_000_000e6);
        fund(pool56, 2_000_000e18);
    }

    function payAsFastAsAllowed() private {
        while (lens.spendableFrom(hub, ETHEREUM, address(pool1)) >= 12_500e6) {
            pay(hub, HUB, address(usdcHub));
        }
        while (lens.spendableFrom(pool56, ETHEREUM, address(pool1)) >= 12_500e18) {
            pay(pool56, BSC, address(usdc56));
        }
    }

    function pay(Pool payer, uint256 place, address token) private {
        Order memory order = open(pool1, alice, 12_500e6, place, abi.encodePacked(bob), 0, token, 0);
        fulfil(payer, order);
        paid.push(order);
    }

    function releaseOldestFirst() private {
        bytes32[] memory ids = new bytes32[](paid.length);
        for (uint256 i; i < ids.length; ++i) {
            ids[i] = paid[i].id();
        }
        vm.prank(relayer);
        pool1.releaseMany(ids);
        uint256 left;
        for (uint256 i; i < ids.length; ++i) {
            if (held(pool1, ids[i]) > 0) paid[left++] = paid[i];
        }
        while (paid.length > left) {
            paid.pop();
        }
    }

    function tooLow(uint256 cap, uint256 least) private pure returns (bytes memory) {
        return abi.encodeWithSelector(ILedger.CapTooLow.selector, CapKind.Releases, cap, least);
    }
}
