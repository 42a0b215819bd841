// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {IPool, Settlement, Source} from "../src/interfaces/IPool.sol";
import {Fees} from "../src/libraries/FeeMath.sol";
import {Currency, NATIVE} from "../src/types/Currency.sol";
import {Order, Refusal} from "../src/types/Order.sol";
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
        (Fees memory fees, address wallet) = hub.quote(order);
        uint256 before = hub.liquidity();
        fulfil(hub, order);
        vm.assertEq(wallet, partner, "the partner's wallet");
        vm.assertEq(usdcHub.balanceOf(bob), fees.received, "the recipient gets its part");
        vm.assertEq(usdcHub.balanceOf(partner), fees.integrator, "the partner gets its part");
        vm.assertEq(before - hub.liquidity(), fees.gross - fees.protocol, "the pool keeps its part");
        vm.assertEq(fees.gross, amount / 1e12, "of all there is");
    }

    // --------------------------------------------------------------- refused

    function test_fulfil_refusesAnOrderForSomebodyElse() public {
        Order memory order = openInbound(100e6);
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.Destination));
        pool56.fulfil(order);
    }

    function test_fulfil_refusesAnUnknownSource() public {
        Order memory order = openInbound(100e6);
        order.srcPool = address(pool56);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IPool.UnknownSource.selector, ETHEREUM, address(pool56)));
        hub.fulfil(order);
    }

    function test_fulfil_refusesARemovedSource() public {
        Order memory order = openInbound(100e6);
        vm.prank(admin);
        hub.setSource(ETHEREUM, address(pool1), Source({known: false, decimals: 0, rate: 0}));
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IPool.UnknownSource.selector, ETHEREUM, address(pool1)));
        hub.fulfil(order);
    }

    function test_fulfil_refusesMalformedRecipients() public {
        Order memory order = openInbound(100e6);
        order.recipient = abi.encode(bob);
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.RecipientLength));
        hub.fulfil(order);
        order.recipient = abi.encodePacked(address(0));
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.RecipientZero));
        hub.fulfil(order);
    }

    function test_fulfil_refusesAnOrderThatLeavesNothing() public {
        Order memory order = open(pool56, alice, 10e18, HUB, abi.encodePacked(bob), 0, address(usdcHub), 0);
        order.amount = 1e12 - 1;
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IPool.NothingToPay.selector, order.id()));
        hub.fulfil(order);
    }

    function test_fulfil_allOrNothingWhenIlliquid() public {
        Order memory order = openInbound(100e6);
        vm.prank(admin);
        hub.withdraw(treasury, 100_000e6 - 99_699_999);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(ILedger.Illiquid.selector, 99_700_000, 99_699_999));
        hub.fulfil(order);
        fund(hub, 1);
        fulfil(hub, order);
        vm.assertEq(usdcHub.balanceOf(bob), 99_700_000, "as soon as there is enough");
    }

    function test_fulfil_paused() public {
        Order memory order = openInbound(100e6);
        vm.prank(pauser);
        hub.pause();
        vm.prank(relayer);
        vm.expectRevert(Pausable.EnforcedPause.selector);
        hub.fulfil(order);
        vm.prank(admin);
        hub.unpause();
        fulfil(hub, order);
    }

    // ---------------------------------------------------------------- cancel

    function test_cancel_thenNeverPaid() public {
        Order memory order = openInbound(100e6);
        vm.startPrank(relayer);
        hub.cancel(order);
        vm.expectRevert(
            abi.encodeWithSelector(IPool.AlreadySettled.selector, order.id(), Settlement.Cancelled)
        );
        hub.fulfil(order);
    }

    function test_cancel_notAfterItWasPaid() public {
        Order memory order = openInbound(100e6);
        vm.startPrank(relayer);
        hub.fulfil(order);
        vm.expectRevert(
            abi.encodeWithSelector(IPool.AlreadySettled.selector, order.id(), Settlement.Fulfilled)
        );
        hub.cancel(order);
    }

    function test_fuzz_cancel_onlyWhereItIsOwed(uint256 place) public {
        vm.assume(place != HUB);
        Order memory order = openInbound(100e6);
        order.dstPlace = place;
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.Destination));
        hub.cancel(order);
    }

    // ------------------------------------------------------ refund, release

    function test_refund_toTheDepositor() public {
        Order memory order = openInbound(100e6);
        vm.prank(relayer);
        pool1.refund(order);
        vm.assertEq(usdc1.balanceOf(alice), 100e6, "all of it");
        vm.assertEq(pool1.held(order.id()), 0, "nothing is held");
        vm.assertEq(pool1.heldTotal(), 0, "nothing is held");
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

    function test_refund_paused() public {
        Order memory order = openInbound(100e6);
        vm.prank(pauser);
        pool1.pause();
        vm.prank(relayer);
        vm.expectRevert(Pausable.EnforcedPause.selector);
        pool1.refund(order);
    }

    function test_release_endsRefunds() public {
        Order memory order = openInbound(100e6);
        bytes32[] memory ids = new bytes32[](1);
        ids[0] = order.id();
        vm.startPrank(relayer);
        pool1.release(ids);
        vm.assertEq(pool1.liquidity(), 100e6, "the deposit stays as liquidity");
        vm.expectRevert(notHeld(order.id()));
        pool1.refund(order);
    }

    function test_fuzz_release_onlyWhatIsHeld(bytes32 id) public {
        bytes32[] memory ids = new bytes32[](1);
        ids[0] = id;
        vm.prank(relayer);
        vm.expectRevert(notHeld(id));
        pool1.release(ids);
    }

    // ------------------------------------------------------------- liquidity

    function test_fuzz_withdraw(uint256 amount) public {
        amount = bound(amount, 0, 200_000e6);
        vm.prank(admin);
        if (amount > 100_000e6) {
            vm.expectRevert(abi.encodeWithSelector(ILedger.Illiquid.selector, amount, 100_000e6));
        }
        hub.withdraw(treasury, amount);
        vm.assertEq(usdcHub.balanceOf(treasury), amount > 100_000e6 ? 0 : amount, "all or nothing");
    }

    function test_withdraw_native() public {
        vm.prank(admin);
        poolEth.withdraw(treasury, 100 ether);
        vm.assertEq(treasury.balance, 100 ether, "all of it");
    }

    function test_withdraw_toNobody() public {
        vm.prank(admin);
        vm.expectRevert(ILedger.ZeroAddress.selector);
        hub.withdraw(address(0), 1);
    }

    function test_plainTransfersOfTheNativeCoinAreRefused() public {
        vm.deal(alice, 1 ether);
        vm.prank(alice);
        (bool sent,) = address(poolEth).call{value: 1 ether}("");
        vm.assertTrue(!sent, "it would be nobody's");
    }

    // --------------------------------------------------------------- sources

    function test_fuzz_setSource(uint256 place, address pool, Source calldata source) public {
        bool possible = place != 0 && pool != address(0) && source.decimals <= 18 && source.rate <= 10_000;
        vm.prank(admin);
        if (!possible) vm.expectRevert();
        hub.setSource(place, pool, source);
        (bool known, uint8 decimals, uint32 rate) = hub.sources(place, pool);
        if (possible) vm.assertEq(abi.encode(known, decimals, rate), abi.encode(source), "source");
    }

    function test_setSource_bounds() public {
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(IPool.RateTooHigh.selector, 10_001, 10_000));
        hub.setSource(ETHEREUM, address(pool1), Source({known: true, decimals: 6, rate: 10_001}));
        vm.expectRevert(abi.encodeWithSelector(IPool.TooManyDecimals.selector, 19));
        hub.setSource(ETHEREUM, address(pool1), Source({known: true, decimals: 19, rate: 0}));
    }

    // ---------------------------------------------------------------- limits

    function test_fulfil_perOrderLimit() public {
        Order memory order = openInbound(25_000e6);
        order.amount = 25_000e6 + 1;
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IPool.OrderTooLarge.selector, 25_000e6 + 1, 25_000e6));
        hub.fulfil(order);
    }

    function test_spendable_andRefundsCount() public {
        vm.assertEq(pool1.spendable(), 100_000e6, "half the daily limit at once");
        Order memory order = openInbound(25_000e6);
        vm.prank(relayer);
        pool1.refund(order);
        vm.assertEq(pool1.spendable(), 75_000e6, "a refund counts");
        vm.warp(block.timestamp + 6 hours);
        vm.assertEq(pool1.spendable(), 100_000e6, "a quarter of a day frees a quarter");
    }
}
