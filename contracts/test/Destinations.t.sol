// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Destination, IOrderSource} from "../src/interfaces/IOrderSource.sol";
import {ITwoStepAdmin} from "../src/interfaces/ITwoStepAdmin.sol";
import {Delivery, Link, Order, Refusal} from "../src/types/Order.sol";
import {PoolFixture} from "./support/PoolFixture.sol";

contract DestinationsTest is PoolFixture {
    uint256 private constant NEW = 4663;
    address private immutable token = account("token there");
    address private immutable payer = account("payer there");

    // ---------------------------------------------------------------- writing

    function test_setDestination_isFreeUntilItIsOpened() public {
        set(Link.None, Delivery.Address, payer, 1_000, 6 hours);
        set(Link.None, Delivery.Note, bob, 9_000, 7 days);
        set(Link.None, Delivery.Address, payer, 3_000, LIFETIME);
        check(Destination(Delivery.Address, Link.None, payer, 3_000, LIFETIME));
    }

    function test_setDestination_draftTakesNoOrders() public {
        set(Link.None, Delivery.Address, payer, 1_000, LIFETIME);
        provide(pool1, alice, 100e6);
        vm.prank(alice);
        vm.expectRevert(refused(Refusal.Destination));
        pool1.swap(NEW, 100e6, abi.encodePacked(bob), 0, token, 0);
    }

    /// @dev The promise: no signed call, however old, is paid at a higher rate than it was quoted at.
    function test_fuzz_setDestination_theRateOnlyFallsOnceOpened(uint32 first, uint32 second, bool closes)
        public
    {
        first = uint32(bound(first, 0, 10_000));
        second = uint32(bound(second, 0, 10_000));
        set(Link.Open, Delivery.Address, payer, first, LIFETIME);
        if (closes) set(Link.Closed, Delivery.Address, payer, first, LIFETIME);
        Destination memory next = Destination(Delivery.Address, Link.Open, payer, second, LIFETIME);
        if (second > first) {
            vm.expectRevert(abi.encodeWithSelector(IOrderSource.RateTooHigh.selector, second, first));
        }
        vm.prank(admin);
        pool1.setDestination(NEW, token, next);
        if (second > first) (next.rate, next.state) = (first, closes ? Link.Closed : Link.Open);
        check(next);
    }

    function test_setDestination_anOpenedOneIsNeverADraftAgain() public {
        set(Link.Open, Delivery.Address, payer, 1_000, LIFETIME);
        bad(Destination(Delivery.Address, Link.None, payer, 1_000, LIFETIME));
    }

    function test_setDestination_deliveryIsWrittenOnce() public {
        set(Link.Open, Delivery.Address, payer, 1_000, LIFETIME);
        bad(Destination(Delivery.Note, Link.Open, payer, 1_000, LIFETIME));
    }

    function test_setDestination_payerAndLifetimeMayChange() public {
        set(Link.Open, Delivery.Address, payer, 1_000, LIFETIME);
        set(Link.Open, Delivery.Address, bob, 1_000, 6 hours);
        check(Destination(Delivery.Address, Link.Open, bob, 1_000, 6 hours));
    }

    function test_setDestination_refusals() public {
        bad(Destination(Delivery.None, Link.Open, payer, 1_000, LIFETIME));
        bad(Destination(Delivery.Address, Link.Closed, payer, 1_000, LIFETIME));
        bad(Destination(Delivery.Address, Link.Open, payer, 1_000, 6 hours - 1));
        bad(Destination(Delivery.Address, Link.Open, payer, 1_000, 7 days + 1));
        Destination memory good = Destination(Delivery.Address, Link.Open, payer, 1_000, LIFETIME);
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(IOrderSource.BadTerms.selector, good));
        pool1.setDestination(0, token, good);
        vm.expectRevert(ITwoStepAdmin.ZeroAddress.selector);
        pool1.setDestination(NEW, address(0), good);
        good.pool = address(0);
        vm.expectRevert(ITwoStepAdmin.ZeroAddress.selector);
        pool1.setDestination(NEW, token, good);
        (good.pool, good.rate) = (payer, 10_001);
        vm.expectRevert(abi.encodeWithSelector(IOrderSource.RateTooHigh.selector, 10_001, 10_000));
        pool1.setDestination(NEW, token, good);
    }

    // ------------------------------------------------------------------ roles

    function test_setDestination_theGuardianOnlyCloses() public {
        Destination memory d = closed(pool1, HUB, address(usdcHub));
        vm.startPrank(guardian);
        for (uint256 i; i < 5; ++i) {
            Destination memory other = closed(pool1, HUB, address(usdcHub));
            if (i == 0) other.state = Link.Open;
            if (i == 1) other.delivery = Delivery.Note;
            if (i == 2) other.pool = bob;
            if (i == 3) other.rate -= 1;
            if (i == 4) other.lifetime -= 1;
            vm.expectRevert(deniedAdmin(guardian));
            pool1.setDestination(HUB, address(usdcHub), other);
        }
        pool1.setDestination(HUB, address(usdcHub), d);
        d.state = Link.Open;
        vm.expectRevert(deniedAdmin(guardian));
        pool1.setDestination(HUB, address(usdcHub), d);
    }

    function test_fuzz_setDestination_onlyThem(address caller, bool closes) public {
        vm.assume(caller != admin && caller != guardian);
        Destination memory d = closed(pool1, HUB, address(usdcHub));
        if (!closes) d.state = Link.Open;
        vm.prank(caller);
        vm.expectRevert(deniedAdmin(caller));
        pool1.setDestination(HUB, address(usdcHub), d);
    }

    // --------------------------------------------------------------- stamped

    function test_stamp_isWhatCountsLater() public {
        fund(hub, 1_000e6);
        Order memory order = openInbound(100e6);
        vm.startPrank(admin);
        pool1.setDestination(HUB, address(usdcHub), terms(Delivery.Address, bob, 0));
        hub.setSource(ETHEREUM, address(pool1), Link.Open, 10_000, 200_000e6);
        vm.stopPrank();
        fulfil(hub, order);
        vm.assertEq(usdcHub.balanceOf(bob), 99_700_000, "paid by the pool and at the rate of the order");
    }

    function set(Link state, Delivery delivery, address pool, uint32 rate, uint32 lifetime) private {
        vm.prank(admin);
        pool1.setDestination(NEW, token, Destination(delivery, state, pool, rate, lifetime));
    }

    function bad(Destination memory d) private {
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IOrderSource.BadTerms.selector, d));
        pool1.setDestination(NEW, token, d);
    }

    function check(Destination memory want) private view {
        Destination memory got;
        (got.delivery, got.state, got.pool, got.rate, got.lifetime) = pool1.destinations(NEW, token);
        vm.assertEq(abi.encode(got), abi.encode(want), "destination");
    }
}
