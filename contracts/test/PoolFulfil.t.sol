// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {CapKind, ILedger} from "../src/interfaces/ILedger.sol";
import {Limits} from "../src/interfaces/IOrderSource.sol";
import {IPool, Settlement} from "../src/interfaces/IPool.sol";
import {Fees} from "../src/libraries/FeeMath.sol";
import {RollingCap} from "../src/libraries/RollingCap.sol";
import {Currency, NATIVE} from "../src/types/Currency.sol";
import {Link, Order, Refusal} from "../src/types/Order.sol";
import {PoolFixture} from "./support/PoolFixture.sol";

contract PoolFulfilTest is PoolFixture {
    function setUp() public override {
        super.setUp();
        fund(hub, 100_000e6);
        fund(pool56, 100_000e18);
        fund(poolEth, 100 ether);
        fund(hubWeth, 100 ether);
    }

    // ---------------------------------------------------------------- fulfil

    function test_fulfil_token() public {
        Order memory order = openInbound(100e6);
        fulfil(hub, order);
        vm.assertEq(usdcHub.balanceOf(bob), 99_700_000, "0.3 % less");
        vm.assertEq(hub.liquidity(), 100_000e6 - 99_700_000, "the fee stays");
        vm.assertEq(uint256(hub.settlements(order.id())), uint256(Settlement.Fulfilled), "settled");
    }

    function test_fulfil_fromEighteenDecimals() public {
        Order memory order = open(pool56, alice, 10e18, HUB, abi.encodePacked(bob), 0, address(usdcHub), 0);
        fulfil(hub, order);
        vm.assertEq(usdcHub.balanceOf(bob), 9_970_000, "10 USDC of 18 decimals are 10 of 6");
    }

    function test_fulfil_toEighteenDecimals() public {
        Order memory order = open(hub, alice, 10e6, BSC, abi.encodePacked(bob), 0, address(usdc56), 0);
        fulfil(pool56, order);
        vm.assertEq(usdc56.balanceOf(bob), 9.95e18, "10 USDC of 6 decimals are 10 of 18");
    }

    function test_fulfil_native() public {
        Order memory order =
            open(hubWeth, alice, 1 ether, ETHEREUM, abi.encodePacked(bob), 0, Currency.unwrap(NATIVE), 0);
        fulfil(poolEth, order);
        vm.assertEq(bob.balance, 0.995 ether, "0.5 % less");
    }

    function test_fulfil_paysTheIntegrator() public {
        bytes32 id = register(2_500);
        Order memory order = open(pool1, alice, 100e6, HUB, abi.encodePacked(bob), 0, address(usdcHub), id);
        fulfil(hub, order);
        vm.assertEq(usdcHub.balanceOf(partner), 250_000, "0.25 %");
        vm.assertEq(usdcHub.balanceOf(bob), 99_450_000, "0.55 % less");
    }

    function test_fulfil_inactiveIntegratorLeavesItsFeeToTheRecipient() public {
        bytes32 id = register(2_500);
        Order memory order = open(pool1, alice, 100e6, HUB, abi.encodePacked(bob), 0, address(usdcHub), id);
        vm.prank(admin);
        registry.setActive(id, false);
        fulfil(hub, order);
        vm.assertEq(usdcHub.balanceOf(partner), 0, "nothing");
        vm.assertEq(usdcHub.balanceOf(bob), 99_700_000, "0.3 % less");
    }

    function test_fuzz_fulfil_unknownIntegratorHoldsNothingUp(bytes32 id) public {
        fulfil(hub, open(pool1, alice, 100e6, HUB, abi.encodePacked(bob), 0, address(usdcHub), id));
        vm.assertEq(usdcHub.balanceOf(bob), 99_700_000, "0.3 % less");
    }

    function test_fuzz_fulfil_paysWhatItQuotes(uint256 amount, uint32 rate) public {
        amount = bound(amount, 10e18, 25_000e18);
        bytes32 id = register(uint32(bound(rate, 0, 10_000)));
        Order memory order = open(pool56, alice, amount, HUB, abi.encodePacked(bob), 0, address(usdcHub), id);
        (Fees memory fees, address wallet) = lens.quote(hub, order);
        uint256 before = hub.liquidity();
        fulfil(hub, order);
        vm.assertEq(wallet, partner, "the partner's wallet");
        vm.assertEq(usdcHub.balanceOf(bob), fees.received, "the recipient gets its part");
        vm.assertEq(usdcHub.balanceOf(partner), fees.integrator, "the partner gets its part");
        vm.assertEq(before - hub.liquidity(), fees.gross - fees.protocol, "the pool keeps its part");
        vm.assertEq(fees.gross, amount / 1e12, "of all there is");
    }

    function test_fulfil_saysAllInItsEvent() public {
        bytes32 id = register(2_500);
        Order memory order = open(pool1, alice, 100e6, HUB, abi.encodePacked(bob), 0, address(usdcHub), id);
        vm.expectEmit(address(hub));
        emit IPool.OrderFulfilled(
            order.id(), id, bob, ETHEREUM, address(pool1), 99_450_000, 300_000, 250_000, 0, true
        );
        fulfil(hub, order);
    }

    function test_fulfil_byTheStandby() public {
        Order memory order = openInbound(100e6);
        vm.prank(standby);
        hub.fulfil(order, false);
        vm.assertEq(usdcHub.balanceOf(bob), 99_700_000, "paid");
    }

    // ------------------------------------------------------------------ rates

    /// @dev A quote can be beaten and never undercut: the lower of the two rates counts.
    function test_fuzz_fulfil_paysTheLowerRate(uint24 sourceRate) public {
        sourceRate = uint24(bound(sourceRate, 0, 10_000));
        Order memory order = openInbound(100e6);
        vm.prank(admin);
        hub.setSource(ETHEREUM, address(pool1), Link.Open, sourceRate, 200_000e6);
        fulfil(hub, order);
        uint256 rate = sourceRate < INBOUND_RATE ? sourceRate : INBOUND_RATE;
        vm.assertEq(usdcHub.balanceOf(bob), 100e6 - 100 * rate, "at the lower rate");
    }

    /// @dev Decimals come with the order; no setting here can change what a deposit is worth.
    function test_fulfil_refusesMoreDecimalsThanAnyTokenHas() public {
        Order memory order = openInbound(100e6);
        order.srcDecimals = 19;
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(ILedger.TooManyDecimals.selector, 19));
        hub.fulfil(order, false);
    }

    // --------------------------------------------------------------- refused

    function test_fulfil_refusesAnOrderOfAnotherPool() public {
        Order memory order = openInbound(100e6);
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.Destination));
        pool56.fulfil(order, false);
        order.dstPool = address(pool1);
        vm.startPrank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IPool.WrongPool.selector, address(pool1)));
        hub.fulfil(order, false);
        vm.expectRevert(abi.encodeWithSelector(IPool.WrongPool.selector, address(pool1)));
        hub.cancel(order);
    }

    function test_fulfil_beforeTheDeadlineOnly() public {
        Order memory order = openInbound(100e6);
        vm.warp(order.deadline);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IPool.Expired.selector, order.deadline));
        hub.fulfil(order, false);
        vm.warp(order.deadline - 1);
        fulfil(hub, order);
    }

    /// @dev The deadline is outside the ID, so an order with another deadline is the same order.
    function test_fulfil_onceWhateverTheDeadline() public {
        Order memory order = openInbound(100e6);
        fulfil(hub, order);
        order.deadline += 1;
        vm.prank(relayer);
        vm.expectRevert(
            abi.encodeWithSelector(IPool.AlreadySettled.selector, order.id(), Settlement.Fulfilled)
        );
        hub.fulfil(order, false);
    }

    function test_fulfil_refusesAnUnknownSource() public {
        Order memory order = openInbound(100e6);
        order.srcPool = address(pool56);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IPool.UnknownSource.selector, ETHEREUM, address(pool56)));
        hub.fulfil(order, false);
    }

    function test_fulfil_refusesAClosedSource() public {
        Order memory order = openInbound(100e6);
        vm.prank(guardian);
        hub.setSource(ETHEREUM, address(pool1), Link.Closed, uint24(INBOUND_RATE), 200_000e6);
        vm.startPrank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IPool.SourceIsClosed.selector, ETHEREUM, address(pool1)));
        hub.fulfil(order, false);
        hub.cancel(order);
    }

    function test_fulfil_refusesBadRecipients() public {
        Order memory order = openInbound(100e6);
        order.recipient = abi.encode(bob);
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.RecipientLength));
        hub.fulfil(order, false);
        order.recipient = abi.encodePacked(address(0));
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.RecipientZero));
        hub.fulfil(order, false);
        order.recipient = abi.encodePacked(address(hub));
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.RecipientPool));
        hub.fulfil(order, false);
    }

    function test_fulfil_refusesAnOrderThatLeavesNothing() public {
        Order memory order = open(pool56, alice, 10e18, HUB, abi.encodePacked(bob), 0, address(usdcHub), 0);
        order.amount = 1e12 - 1;
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IPool.NothingToPay.selector, order.id()));
        hub.fulfil(order, false);
    }

    function test_fulfil_allOrNothingWhenIlliquid() public {
        Order memory order = openInbound(100e6);
        withdraw(hub, 100_000e6 - 99_699_999);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(ILedger.Illiquid.selector, 99_700_000, 99_699_999));
        hub.fulfil(order, false);
        fund(hub, 1);
        fulfil(hub, order);
        vm.assertEq(usdcHub.balanceOf(bob), 99_700_000, "as soon as there is enough");
    }

    function test_fulfil_paused() public {
        Order memory order = openInbound(100e6);
        pause(hub, false, true);
        vm.prank(relayer);
        vm.expectRevert(ILedger.PaymentsArePaused.selector);
        hub.fulfil(order, false);
        vm.prank(admin);
        hub.setPauses(false, false);
        fulfil(hub, order);
    }

    function test_fulfil_pausedDepositsDoNotStopPayments() public {
        Order memory order = openInbound(100e6);
        pause(hub, true, false);
        fulfil(hub, order);
    }

    // ----------------------------------------------------------------- owing

    function test_fulfil_owesOnlyIfItMay() public {
        Order memory order = openInbound(100e6);
        usdcHub.setBlacklisted(bob, true);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IPool.CannotPay.selector, order.id()));
        hub.fulfil(order, false);
        vm.expectEmit(address(hub));
        emit ILedger.Credited(bob, order.id(), 99_700_000);
        vm.expectEmit(address(hub));
        emit IPool.OrderFulfilled(
            order.id(), 0, bob, ETHEREUM, address(pool1), 99_700_000, 300_000, 0, 0, false
        );
        fulfilOrOwe(hub, order);
        vm.assertEq(hub.claims(bob), 99_700_000, "owed");
    }

    /// @dev A partner that cannot be paid is owed, also where the recipient may not be.
    function test_fulfil_thePartnerIsAlwaysOwed() public {
        bytes32 id = register(2_500);
        usdcHub.setBlacklisted(partner, true);
        Order memory order = open(pool1, alice, 100e6, HUB, abi.encodePacked(bob), 0, address(usdcHub), id);
        vm.expectEmit(address(hub));
        emit ILedger.Credited(partner, order.id(), 250_000);
        fulfil(hub, order);
        vm.assertEq(usdcHub.balanceOf(bob), 99_450_000, "the recipient is paid");
        vm.assertEq(hub.claims(partner), 250_000, "the partner is owed");
    }

    // ------------------------------------------------------------------ caps

    function test_fulfil_countsAllThatLeavesAgainstBothCaps() public {
        bytes32 id = register(2_500);
        fulfil(hub, open(pool1, alice, 100e6, HUB, abi.encodePacked(bob), 0, address(usdcHub), id));
        vm.assertEq(lens.spendable(hub, CapKind.Payments), 100_000e6 - 99_700_000, "of the pool");
        vm.assertEq(
            lens.spendableFrom(hub, ETHEREUM, address(pool1)), 100_000e6 - 99_700_000, "of the source"
        );
        vm.assertEq(lens.spendableFrom(hub, BSC, address(pool56)), 100_000e6, "and of no other source");
    }

    function test_fulfil_perSourceCap() public {
        vm.prank(guardian);
        hub.setSource(ETHEREUM, address(pool1), Link.Open, uint24(INBOUND_RATE), 100e6);
        Order memory order = openInbound(100e6);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(RollingCap.CapExceeded.selector, 99_700_000, 50e6));
        hub.fulfil(order, false);
        Order memory other = open(pool56, alice, 100e18, HUB, abi.encodePacked(bob), 0, address(usdcHub), 0);
        fulfil(hub, other);
    }

    function test_fulfil_totalCap() public {
        vm.prank(guardian);
        hub.setCap(CapKind.Payments, 100e6);
        Order memory order = openInbound(100e6);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(RollingCap.CapExceeded.selector, 99_700_000, 50e6));
        hub.fulfil(order, false);
    }

    /// @dev A lowered maximum is for new deposits; it does not strand an order that is open.
    function test_fulfil_noMaximumPerOrder() public {
        Order memory order = openInbound(25_000e6);
        (uint128 min,) = hub.limits();
        vm.prank(guardian);
        hub.setLimits(Limits(min, min));
        fulfil(hub, order);
        vm.assertEq(usdcHub.balanceOf(bob), 24_925e6, "paid");
    }

    // ---------------------------------------------------------------- cancel

    function test_cancel_thenNeverPaid() public {
        Order memory order = openInbound(100e6);
        vm.expectEmit(address(hub));
        emit IPool.OrderCancelled(order.id());
        vm.startPrank(relayer);
        hub.cancel(order);
        vm.expectRevert(
            abi.encodeWithSelector(IPool.AlreadySettled.selector, order.id(), Settlement.Cancelled)
        );
        hub.fulfil(order, false);
    }

    function test_cancel_notAfterItWasPaid() public {
        Order memory order = openInbound(100e6);
        vm.startPrank(relayer);
        hub.fulfil(order, false);
        vm.expectRevert(
            abi.encodeWithSelector(IPool.AlreadySettled.selector, order.id(), Settlement.Fulfilled)
        );
        hub.cancel(order);
    }

    /// @dev It asks for nothing but the payer: no source, no route, no deadline, no pause.
    function test_fuzz_cancel_whateverTheOrderSays(Order memory order) public {
        order.dstPool = address(hub);
        pause(hub, true, true);
        vm.prank(relayer);
        hub.cancel(order);
        vm.assertEq(uint256(hub.settlements(order.id())), uint256(Settlement.Cancelled), "cancelled");
    }

    // ------------------------------------------------------------------- fund

    function test_fund() public {
        pause(hub, true, true);
        uint256 before = hub.liquidity();
        provide(hub, alice, 5e6);
        vm.expectEmit(address(hub));
        emit IPool.Funded(alice, 5e6);
        vm.prank(alice);
        hub.fund(5e6);
        vm.assertEq(hub.liquidity() - before, 5e6, "a pause does not stop it");
    }

    function test_plainTransfersOfTheNativeCoinAreRefused() public {
        vm.deal(alice, 1 ether);
        vm.prank(alice);
        (bool sent,) = address(poolEth).call{value: 1 ether}("");
        vm.assertTrue(!sent, "nothing would say whose it is");
    }
}
