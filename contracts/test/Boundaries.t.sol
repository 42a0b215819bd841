// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IntegratorRegistry} from "../src/IntegratorRegistry.sol";
import {Receiver} from "../src/Receiver.sol";
import {IIntegratorRegistry} from "../src/interfaces/IIntegratorRegistry.sol";
import {CapKind} from "../src/interfaces/ILedger.sol";
import {Destination, IOrderSource, Limits} from "../src/interfaces/IOrderSource.sol";
import {IPool} from "../src/interfaces/IPool.sol";
import {IReceiver, ReceiverConfig} from "../src/interfaces/IReceiver.sol";
import {Delivery, Link, Order, Refusal} from "../src/types/Order.sol";
import {BurnFixture} from "./support/BurnFixture.sol";
import {Vm} from "./support/Test.sol";

/// @notice The last value that is accepted and the first that is refused, where random values would not find them
contract BoundariesTest is BurnFixture {
    // --------------------------------------------------------------- amounts

    function test_swap_takesTheLeastAndTheMost() public {
        vm.assertEq(held(pool1, openInbound(10e6).id()), 10e6, "the least");
        vm.assertEq(held(pool1, openInbound(25_000e6).id()), 25_000e6, "the most");
        provide(pool1, alice, 25_000e6 + 1);
        vm.startPrank(alice);
        vm.expectRevert(refused(Refusal.AmountTooLow));
        pool1.swap(HUB, 10e6 - 1, abi.encodePacked(bob), 0, address(usdcHub), 0);
        vm.expectRevert(refused(Refusal.AmountTooHigh));
        pool1.swap(HUB, 25_000e6 + 1, abi.encodePacked(bob), 0, address(usdcHub), 0);
    }

    function test_allLiquidityCanBeSpent() public {
        fund(hub, 99_700_000);
        fulfil(hub, openInbound(100e6));
        vm.assertEq(hub.liquidity(), 0, "all of it was paid");
        fund(hub, 5e6);
        withdraw(hub, 5e6);
        vm.assertEq(usdcHub.balanceOf(address(hub)), 0, "all of it was withdrawn");
    }

    function test_setLimits_oneAmountIsEnough() public {
        vm.startPrank(admin);
        pool1.setLimits(Limits(10e6, 10e6));
        vm.expectRevert(abi.encodeWithSelector(IOrderSource.BadLimits.selector, Limits(10e6, 10e6 - 1)));
        pool1.setLimits(Limits(10e6, 10e6 - 1));
    }

    // ----------------------------------------------------------------- times

    function test_reclaim_notASecondEarly() public {
        Order memory order = openInbound(100e6);
        vm.warp(order.deadline + 5 days - 1);
        vm.expectRevert(
            abi.encodeWithSelector(IOrderSource.TooEarly.selector, order.id(), order.deadline + 5 days)
        );
        pool1.reclaim(order);
        vm.warp(block.timestamp + 1);
        pool1.reclaim(order);
        uint256 from = block.timestamp + 2 days;
        vm.warp(from - 1);
        vm.expectRevert(abi.encodeWithSelector(IOrderSource.TooEarly.selector, order.id(), from));
        pool1.reclaim(order);
        vm.warp(from);
        pool1.reclaim(order);
        vm.assertEq(usdc1.balanceOf(alice), 100e6, "back");
    }

    function test_setDestination_lifetimes() public {
        lifetime(6 hours, true);
        lifetime(6 hours - 1, false);
        lifetime(7 days, true);
        lifetime(7 days + 1, false);
    }

    function lifetime(uint32 seconds_, bool good) private {
        Destination memory d = Destination(Delivery.Address, Link.Open, bob, 1, seconds_);
        if (!good) vm.expectRevert(abi.encodeWithSelector(IOrderSource.BadTerms.selector, d));
        vm.prank(admin);
        pool1.setDestination(777, address(weth), d);
    }

    // ----------------------------------------------------------------- rates

    function test_rates() public {
        vm.startPrank(admin);
        Destination memory d = Destination(Delivery.Address, Link.Open, bob, 10_001, 1 days);
        vm.expectRevert(abi.encodeWithSelector(IOrderSource.RateTooHigh.selector, 10_001, 10_000));
        pool1.setDestination(777, address(weth), d);
        d.rate = 10_000;
        pool1.setDestination(777, address(weth), d);
        pool1.setSource(777, bob, Link.Open, 10_000, 1);
        vm.expectRevert(abi.encodeWithSelector(IOrderSource.RateTooHigh.selector, 10_001, 10_000));
        pool1.setSource(777, bob, Link.Open, 10_001, 1);
        pool1.setFeeBound(5_000);
        vm.expectRevert(abi.encodeWithSelector(IPool.FeeTooHigh.selector, 5_001, 5_000));
        pool1.setFeeBound(5_001);
    }

    function test_ratesOfPartners() public {
        IntegratorRegistry fresh = new IntegratorRegistry(admin);
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(IIntegratorRegistry.RateTooHigh.selector, 10_001, 10_000));
        fresh.register(partner, 10_001);
        bytes32 id = fresh.register(partner, 10_000);
        fresh.lowerRate(id, 10_000);
    }

    function test_absorbRate() public {
        ReceiverConfig memory c = receiverConfig();
        c.absorbRate = 3_000;
        vm.assertEq(new Receiver(c).absorbRate(), 3_000, "the highest");
        c.absorbRate = 3_001;
        vm.expectRevert(abi.encodeWithSelector(IReceiver.AbsorbRateTooHigh.selector, 3_001, 3_000));
        new Receiver(c);
    }

    function test_setCap_theGuardianLowersOrNothing() public {
        (uint96 cap,,) = pool1.caps(CapKind.Payments);
        vm.startPrank(guardian);
        vm.expectRevert(deniedAdmin(guardian));
        pool1.setCap(CapKind.Payments, cap);
        pool1.setCap(CapKind.Payments, cap - 1);
    }

    // --------------------------------------------------------------- batches

    /// @dev The batch says how far it came, and the rest can be sent again from there.
    function test_batches_sayWhereTheyStopped() public {
        fund(hub, 10_000e6);
        Order[] memory batch = new Order[](4);
        bytes32[] memory ids = new bytes32[](40); // the others are skipped
        for (uint256 i; i < 4; ++i) {
            batch[i] = openInbound(100e6);
            ids[i] = batch[i].id();
        }
        vm.recordLogs();
        vm.prank(relayer);
        hub.fulfilMany{gas: 400_000}(batch);
        stopped(IPool.OrderFulfilled.selector);
        vm.prank(relayer);
        pool1.releaseMany{gas: 65_000}(ids);
        stopped(IOrderSource.OrderReleased.selector);
    }

    function stopped(bytes32 done) private {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 count;
        for (uint256 i; i < logs.length; ++i) {
            bytes32 what = logs[i].topics[0];
            if (what == done || what == IOrderSource.ReleaseSkipped.selector) ++count;
        }
        Vm.Log memory last = logs[logs.length - 1];
        vm.assertEq(last.topics[0], IOrderSource.BatchStopped.selector, "it stopped");
        vm.assertGt(count, 0, "after one at least");
        vm.assertEq(abi.decode(last.data, (uint256)), count, "and says which is next");
    }

    // ----------------------------------------------------------------- burns

    function test_relay_aSenderOfZeroIsNoAddress() public {
        bytes memory message = burn(100e6, 0, goodHook());
        put(message, 248, 0);
        bytes memory attestation;
        (message, attestation) = attest(message, 0);
        receiver.relay(message, attestation);
        vm.assertEq(receiver.claims(lastResort), 100e6, "the last resort's");
    }

    // ------------------------------------------------------------------- gas

    function test_nativePayment_gasForASmartWallet() public {
        fund(poolEth, 10 ether);
        address wallet = address(new MeteredWallet());
        address coin = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
        fulfil(poolEth, open(hubWeth, alice, 1 ether, ETHEREUM, abi.encodePacked(wallet), 0, coin, 0));
        vm.assertEq(wallet.balance, 0.995 ether, "paid");
    }
}

/// @notice Takes the native coin with the gas that is promised, the 2,300 of every transfer included, and no other
contract MeteredWallet {
    receive() external payable {
        require(gasleft() > 51_000 && gasleft() <= 52_300, "other gas than promised");
    }
}
