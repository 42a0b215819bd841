// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {CapKind, ILedger} from "../src/interfaces/ILedger.sol";
import {DepositState, IOrderSource, Refund} from "../src/interfaces/IOrderSource.sol";
import {RollingCap} from "../src/libraries/RollingCap.sol";
import {Order} from "../src/types/Order.sol";
import {PoolFixture} from "./support/PoolFixture.sol";

/// @notice The end of a deposit: refund, release and reclaim
contract OrderSourceTest is PoolFixture {
    // ----------------------------------------------------------------- refund

    function test_refund_toTheDepositor() public {
        Order memory order = openInbound(100e6);
        vm.expectEmit(address(pool1));
        emit IOrderSource.OrderRefunded(order.id(), alice, 100e6, Refund.Paid);
        vm.prank(relayer);
        pool1.refund(order);
        vm.assertEq(usdc1.balanceOf(alice), 100e6, "all of it");
        vm.assertEq(held(pool1, order.id()), 0, "nothing is held");
        vm.assertEq(heldTotal(pool1), 0, "nothing is held");
    }

    function test_refund_once() public {
        Order memory order = openInbound(100e6);
        fund(pool1, 100e6);
        vm.startPrank(relayer);
        pool1.refund(order);
        vm.expectRevert(notHeld(order.id()));
        pool1.refund(order);
    }

    function test_fuzz_refund_onlyWhatWasOpenedHere(Order calldata order) public {
        fund(pool1, 100_000e6);
        vm.prank(relayer);
        vm.expectRevert(notHeld(order.id()));
        pool1.refund(order);
    }

    function test_fuzz_refund_notAltered(address refundTo, uint256 amount) public {
        Order memory order = openInbound(100e6);
        vm.assume(refundTo != alice || amount != 100e6);
        (order.refundTo, order.amount) = (refundTo, amount);
        vm.prank(relayer);
        vm.expectRevert(notHeld(order.id()));
        pool1.refund(order);
    }

    /// @dev The deadline is outside the ID; the argument's is not believed for anything here.
    function test_fuzz_refund_whateverDeadlineTheArgumentHas(uint48 deadline) public {
        Order memory order = openInbound(100e6);
        order.deadline = deadline;
        vm.prank(relayer);
        pool1.refund(order);
        vm.assertEq(usdc1.balanceOf(alice), 100e6, "refunded");
    }

    function test_refund_byTheStandby() public {
        Order memory order = openInbound(100e6);
        vm.prank(standby);
        pool1.refund(order);
    }

    function test_refund_paused() public {
        Order memory order = openInbound(100e6);
        pause(pool1, false, true);
        vm.prank(relayer);
        vm.expectRevert(ILedger.PaymentsArePaused.selector);
        pool1.refund(order);
    }

    function test_refund_hasACapOfItsOwn() public {
        for (uint256 i; i < 4; ++i) {
            Order memory order = openInbound(25_000e6);
            vm.prank(relayer);
            pool1.refund(order);
        }
        vm.assertEq(lens.spendable(pool1, CapKind.Refunds), 0, "used up");
        vm.assertEq(lens.spendable(pool1, CapKind.Payments), 100_000e6, "and no other cap");
        Order memory fifth = openInbound(10e6);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(RollingCap.CapExceeded.selector, 10e6, 0));
        pool1.refund(fifth);
    }

    /// @dev Deposits are set apart, so payments of other orders cannot use them up.
    function test_refund_isCoveredWhateverIsPaid() public {
        Order memory order = open(hub, alice, 100e6, ETHEREUM, abi.encodePacked(bob), 0, address(usdc1), 0);
        Order memory inbound = openInbound(100e6);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(ILedger.Illiquid.selector, 99_700_000, 0));
        hub.fulfil(inbound, false);
        vm.prank(relayer);
        hub.refund(order);
        vm.assertEq(usdcHub.balanceOf(alice), 100e6, "the deposit was there");
    }

    // ------------------------------------------------------------ releaseMany

    function test_releaseMany_makesDepositsLiquidity() public {
        Order memory order = openInbound(100e6);
        vm.expectEmit(address(pool1));
        emit IOrderSource.OrderReleased(order.id(), 100e6);
        release(pool1, order.id());
        vm.assertEq(pool1.liquidity(), 100e6, "the deposit is liquidity");
        vm.assertEq(heldTotal(pool1), 0, "and held no more");
        vm.prank(relayer);
        vm.expectRevert(notHeld(order.id()));
        pool1.refund(order);
    }

    function test_fuzz_releaseMany_skipsWhatIsNotHeld(bytes32 id) public {
        bytes32 good = openInbound(100e6).id();
        vm.assume(id != good);
        bytes32[] memory ids = new bytes32[](4);
        (ids[0], ids[1], ids[2], ids[3]) = (id, good, good, id);
        vm.expectEmit(address(pool1));
        emit IOrderSource.ReleaseSkipped(id, IOrderSource.NotHeld.selector);
        vm.expectEmit(address(pool1));
        emit IOrderSource.OrderReleased(good, 100e6);
        vm.expectEmit(address(pool1));
        emit IOrderSource.ReleaseSkipped(good, IOrderSource.NotHeld.selector);
        vm.prank(relayer);
        pool1.releaseMany(ids);
        vm.assertEq(heldTotal(pool1), 0, "the good one once");
    }

    /// @dev An order too large for what is left waits; a smaller one after it is released.
    function test_releaseMany_skipsWhatTheCapDoesNotAllow() public {
        bytes32[] memory ids = new bytes32[](6);
        for (uint256 i; i < 6; ++i) {
            ids[i] = openInbound(i == 3 ? 24_000e6 : i == 5 ? 1_000e6 : 25_000e6).id();
        }
        vm.expectEmit(address(pool1));
        emit IOrderSource.ReleaseSkipped(ids[4], RollingCap.CapExceeded.selector);
        vm.prank(relayer);
        pool1.releaseMany(ids);
        vm.assertEq(heldTotal(pool1), 25_000e6, "only the skipped one");
        vm.assertEq(lens.spendable(pool1, CapKind.Releases), 0, "used up");
        vm.warp(block.timestamp + 6 hours);
        release(pool1, ids[4]);
        vm.assertEq(heldTotal(pool1), 0, "a quarter of a day later there is room");
    }

    function test_releaseMany_noPauseTouchesIt() public {
        bytes32 id = openInbound(100e6).id();
        pause(pool1, true, true);
        release(pool1, id);
        vm.assertEq(heldTotal(pool1), 0, "released");
    }

    function test_releaseMany_stopsForWantOfGas() public {
        bytes32[] memory ids = new bytes32[](2);
        (ids[0], ids[1]) = (openInbound(10e6).id(), openInbound(10e6).id());
        vm.expectEmit(address(pool1));
        emit IOrderSource.BatchStopped(0);
        vm.prank(relayer);
        pool1.releaseMany{gas: 45_000}(ids);
        vm.assertEq(heldTotal(pool1), 20e6, "nothing was skipped or released");
    }

    /// @dev Whatever the gas, an order is released or held, and the books agree.
    function test_fuzz_releaseMany_gas(uint256 gasLimit) public {
        bytes32[] memory ids = new bytes32[](3);
        for (uint256 i; i < 3; ++i) {
            ids[i] = openInbound(10e6).id();
        }
        gasLimit = bound(gasLimit, 20_000, 200_000);
        vm.prank(relayer);
        try pool1.releaseMany{gas: gasLimit}(ids) {} catch {}
        uint256 sum;
        for (uint256 i; i < 3; ++i) {
            sum += held(pool1, ids[i]);
        }
        vm.assertEq(heldTotal(pool1), sum, "the sum of what is held");
    }

    function test_releaseMany_none() public {
        vm.prank(relayer);
        pool1.releaseMany(new bytes32[](0));
    }

    // ---------------------------------------------------------------- reclaim

    function test_reclaim_announcesThenTakes() public {
        Order memory order = openInbound(100e6);
        vm.warp(order.deadline + 5 days);
        uint48 from = uint48(block.timestamp + 2 days);
        vm.expectEmit(address(pool1));
        emit IOrderSource.ReclaimAnnounced(order.id(), bob, from);
        vm.prank(bob);
        pool1.reclaim(order);
        vm.assertEq(uint256(stateOf(pool1, order.id())), uint256(DepositState.Announced), "announced");
        vm.assertEq(usdc1.balanceOf(alice), 0, "and not taken");
        vm.warp(from);
        vm.expectEmit(address(pool1));
        emit IOrderSource.OrderReclaimed(order.id(), alice, 100e6, Refund.Paid);
        vm.prank(bob);
        pool1.reclaim(order);
        vm.assertEq(usdc1.balanceOf(alice), 100e6, "the depositor has it");
        vm.assertEq(heldTotal(pool1), 0, "nothing is held");
        vm.expectRevert(notHeld(order.id()));
        pool1.reclaim(order);
    }

    function test_reclaim_notASecondTooEarly() public {
        Order memory order = openInbound(100e6);
        uint256 from = order.deadline + 5 days;
        vm.warp(from - 1);
        vm.expectRevert(tooEarly(order.id(), from));
        pool1.reclaim(order);
        vm.warp(from);
        pool1.reclaim(order);
        vm.warp(from + 2 days - 1);
        vm.expectRevert(tooEarly(order.id(), from + 2 days));
        pool1.reclaim(order);
    }

    /// @dev Calls in between neither hasten nor delay it.
    function test_fuzz_reclaim_announcingTwiceMovesNothing(uint256 wait) public {
        Order memory order = openInbound(100e6);
        vm.warp(order.deadline + 5 days);
        pool1.reclaim(order);
        uint256 from = block.timestamp + 2 days;
        vm.warp(block.timestamp + bound(wait, 0, 2 days - 1));
        vm.expectRevert(tooEarly(order.id(), from));
        pool1.reclaim(order);
        vm.warp(from);
        pool1.reclaim(order);
        vm.assertEq(usdc1.balanceOf(alice), 100e6, "taken");
    }

    /// @dev The slot's deadline counts, never the argument's.
    function test_fuzz_reclaim_theArgumentsDeadlineIsNotBelieved(uint48 deadline) public {
        Order memory order = openInbound(100e6);
        uint256 from = order.deadline + 5 days;
        order.deadline = deadline;
        vm.expectRevert(tooEarly(order.id(), from));
        pool1.reclaim(order);
    }

    function test_reclaim_noPauseOrCapTouchesIt() public {
        Order memory order = openInbound(25_000e6);
        pause(pool1, true, true);
        vm.startPrank(guardian);
        pool1.setCap(CapKind.Refunds, 0);
        pool1.setCap(CapKind.Payments, 0);
        vm.stopPrank();
        vm.warp(order.deadline + 5 days);
        pool1.reclaim(order);
        vm.warp(block.timestamp + 2 days);
        pool1.reclaim(order);
        vm.assertEq(usdc1.balanceOf(alice), 25_000e6, "all of it");
    }

    function test_reclaim_notAfterARelease() public {
        Order memory order = openInbound(100e6);
        vm.warp(order.deadline + 5 days);
        pool1.reclaim(order);
        release(pool1, order.id());
        vm.warp(block.timestamp + 2 days);
        vm.expectRevert(notHeld(order.id()));
        pool1.reclaim(order);
    }

    function test_reclaim_notAfterARefund() public {
        Order memory order = openInbound(100e6);
        vm.warp(order.deadline + 5 days);
        pool1.reclaim(order);
        vm.prank(relayer);
        pool1.refund(order);
        vm.assertEq(usdc1.balanceOf(alice), 100e6, "refunded");
        vm.warp(block.timestamp + 2 days);
        vm.expectRevert(notHeld(order.id()));
        pool1.reclaim(order);
    }

    function test_reclaim_ofABlacklistedDepositorIsOwed() public {
        Order memory order = openInbound(100e6);
        usdc1.setBlacklisted(alice, true);
        vm.warp(order.deadline + 5 days);
        pool1.reclaim(order);
        vm.warp(block.timestamp + 2 days);
        vm.expectEmit(address(pool1));
        emit ILedger.Credited(alice, order.id(), 100e6);
        vm.expectEmit(address(pool1));
        emit IOrderSource.OrderReclaimed(order.id(), alice, 100e6, Refund.Owed);
        pool1.reclaim(order);
        vm.assertEq(pool1.claims(alice), 100e6, "owed");
    }

    function test_reclaim_native() public {
        Order memory order = open(poolEth, alice, 1 ether, HUB, abi.encodePacked(bob), 0, address(weth), 0);
        vm.warp(order.deadline + 5 days);
        poolEth.reclaim(order);
        vm.warp(block.timestamp + 2 days);
        poolEth.reclaim(order);
        vm.assertEq(alice.balance, 1 ether, "all of it");
    }

    function test_fuzz_reclaim_onlyWhatWasOpenedHere(Order calldata order) public {
        vm.expectRevert(notHeld(order.id()));
        pool1.reclaim(order);
    }

    function tooEarly(bytes32 id, uint256 from) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IOrderSource.TooEarly.selector, id, from);
    }
}
