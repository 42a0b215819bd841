// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {CapKind, ILedger} from "../src/interfaces/ILedger.sol";
import {IOrderSource, Limits} from "../src/interfaces/IOrderSource.sol";
import {IPool} from "../src/interfaces/IPool.sol";
import {ITwoStepAdmin} from "../src/interfaces/ITwoStepAdmin.sol";
import {RollingCap} from "../src/libraries/RollingCap.sol";
import {Link} from "../src/types/Order.sol";
import {PoolFixture} from "./support/PoolFixture.sol";

/// @notice Sources, limits, the fee bound, and what the treasurer moves
contract PoolSettingsTest is PoolFixture {
    // --------------------------------------------------------------- sources

    function test_fuzz_setSource(uint256 place, address pool, uint8 state, uint24 rate, uint96 cap) public {
        state %= 3;
        bool possible = place != 0 && pool != address(0) && state != 0 && rate <= 10_000 && cap > 0;
        vm.prank(admin);
        if (!possible) vm.expectRevert();
        hub.setSource(place, pool, Link(state), rate, cap);
        if (possible) checkSource(place, pool, Link(state), rate, cap);
    }

    function test_setSource_refusals() public {
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(IOrderSource.RateTooHigh.selector, 10_001, 10_000));
        hub.setSource(ETHEREUM, address(pool1), Link.Open, 10_001, 1);
        vm.expectRevert(abi.encodeWithSelector(IPool.BadSource.selector, 0, bob));
        hub.setSource(0, bob, Link.Open, 0, 1);
        vm.expectRevert(abi.encodeWithSelector(IPool.BadSource.selector, 1, address(0)));
        hub.setSource(1, address(0), Link.Open, 0, 1);
        vm.expectRevert(abi.encodeWithSelector(IPool.BadSource.selector, 1, bob));
        hub.setSource(1, bob, Link.Open, 0, 0);
        vm.expectRevert(abi.encodeWithSelector(IPool.BadSource.selector, ETHEREUM, address(pool1)));
        hub.setSource(ETHEREUM, address(pool1), Link.None, 0, 1);
    }

    /// @dev Its rate may rise again: what an order was promised is in the order.
    function test_setSource_theRateIsADiscountThatMayEnd() public {
        vm.startPrank(admin);
        hub.setSource(ETHEREUM, address(pool1), Link.Open, 0, 200_000e6);
        hub.setSource(ETHEREUM, address(pool1), Link.Open, 10_000, 200_000e6);
        checkSource(ETHEREUM, address(pool1), Link.Open, 10_000, 200_000e6);
    }

    function test_setSource_keepsWhatWasSpent() public {
        fund(hub, 100_000e6);
        fulfil(hub, openInbound(25_000e6));
        vm.startPrank(admin);
        hub.setSource(ETHEREUM, address(pool1), Link.Closed, 0, 1);
        hub.setSource(ETHEREUM, address(pool1), Link.Open, 3_000, 200_000e6);
        vm.stopPrank();
        vm.assertEq(
            lens.spendableFrom(hub, ETHEREUM, address(pool1)), 100_000e6 - 24_925e6, "the bucket is as full"
        );
    }

    function test_setSource_theGuardianOnlyClosesAndLowers() public {
        vm.startPrank(guardian);
        bytes memory denied_ = deniedAdmin(guardian);
        vm.expectRevert(denied_);
        hub.setSource(ETHEREUM, address(pool1), Link.Open, 3_000, 200_000e6 + 1);
        vm.expectRevert(denied_);
        hub.setSource(ETHEREUM, address(pool1), Link.Closed, 2_999, 200_000e6);
        vm.expectRevert(denied_);
        hub.setSource(ETHEREUM, address(pool1), Link.Closed, 3_001, 200_000e6);
        vm.expectRevert(denied_);
        hub.setSource(ETHEREUM, bob, Link.Closed, 0, 0);
        hub.setSource(ETHEREUM, address(pool1), Link.Open, 3_000, 0);
        hub.setSource(ETHEREUM, address(pool1), Link.Closed, 3_000, 0);
        vm.expectRevert(denied_);
        hub.setSource(ETHEREUM, address(pool1), Link.Open, 3_000, 0);
        checkSource(ETHEREUM, address(pool1), Link.Closed, 3_000, 0);
    }

    function test_fuzz_setSource_onlyThem(address caller) public {
        vm.assume(caller != admin && caller != guardian);
        vm.prank(caller);
        vm.expectRevert(deniedAdmin(caller));
        hub.setSource(ETHEREUM, address(pool1), Link.Closed, 3_000, 200_000e6);
    }

    function checkSource(uint256 place, address pool, Link state, uint24 rate, uint96 cap) private view {
        (Link gotState, uint24 gotRate, uint96 gotCap,,) = hub.sources(place, pool);
        vm.assertEq(abi.encode(gotState, gotRate, gotCap), abi.encode(state, rate, cap), "source");
    }

    // ---------------------------------------------------------------- limits

    function test_fuzz_setLimits(Limits calldata limits) public {
        bool ordered = limits.min > 0 && limits.min <= limits.max;
        bool releasable = limits.max <= 100_000e6;
        vm.prank(admin);
        if (!ordered) {
            vm.expectRevert(abi.encodeWithSelector(IOrderSource.BadLimits.selector, limits));
        } else if (!releasable) {
            vm.expectRevert(
                abi.encodeWithSelector(
                    ILedger.CapTooLow.selector, CapKind.Releases, 200_000e6, 2 * uint256(limits.max)
                )
            );
        }
        pool1.setLimits(limits);
        Limits memory want = ordered && releasable ? limits : dollars(6);
        checkLimits(want);
    }

    function test_setLimits_upToWhatCanBeReleasedAtOnce() public {
        vm.startPrank(admin);
        pool1.setLimits(Limits(1, 100_000e6));
        vm.expectRevert();
        pool1.setLimits(Limits(1, 100_000e6 + 1));
        vm.expectRevert(
            abi.encodeWithSelector(ILedger.CapTooLow.selector, CapKind.Releases, 199_999e6, 200_000e6)
        );
        pool1.setCap(CapKind.Releases, 199_999e6);
    }

    function test_setLimits_theGuardianOnlyLowersTheMaximum() public {
        vm.startPrank(guardian);
        vm.expectRevert(deniedAdmin(guardian));
        pool1.setLimits(Limits(10e6 - 1, 20_000e6));
        vm.expectRevert(deniedAdmin(guardian));
        pool1.setLimits(Limits(10e6 + 1, 20_000e6));
        vm.expectRevert(deniedAdmin(guardian));
        pool1.setLimits(Limits(10e6, 25_000e6 + 1));
        vm.expectEmit(address(pool1));
        emit IPool.LimitsSet(Limits(10e6, 20_000e6));
        pool1.setLimits(Limits(10e6, 20_000e6));
        vm.expectRevert(abi.encodeWithSelector(IOrderSource.BadLimits.selector, Limits(10e6, 1)));
        pool1.setLimits(Limits(10e6, 1));
    }

    function checkLimits(Limits memory want) private view {
        (uint128 min, uint128 max) = pool1.limits();
        vm.assertEq(abi.encode(min, max), abi.encode(want), "limits");
    }

    // --------------------------------------------------------------- fee bound

    function test_fuzz_setFeeBound(uint32 bound_) public {
        bool possible = bound_ <= 5_000;
        if (!possible) {
            vm.expectRevert(abi.encodeWithSelector(IPool.FeeTooHigh.selector, bound_, 5_000));
        }
        vm.prank(admin);
        pool1.setFeeBound(bound_);
        vm.assertEq(pool1.feeBound(), possible ? bound_ : 5_000, "bound");
    }

    function test_setFeeBound_isNotTheGuardians() public {
        vm.prank(guardian);
        vm.expectRevert(deniedAdmin(guardian));
        pool1.setFeeBound(0);
    }

    // --------------------------------------------------------------- treasury

    function test_setTreasury_theGuardianOnlyUnlists() public {
        vm.prank(admin);
        pool1.setTreasury(bob, true);
        vm.assertTrue(pool1.treasury(bob), "listed");
        vm.startPrank(guardian);
        vm.expectEmit(address(pool1));
        emit IPool.TreasurySet(bob, false);
        pool1.setTreasury(bob, false);
        vm.assertFalse(pool1.treasury(bob), "unlisted");
        vm.expectRevert(deniedAdmin(guardian));
        pool1.setTreasury(bob, true);
    }

    function test_setTreasury_notTheZeroAddress() public {
        vm.prank(admin);
        vm.expectRevert(ITwoStepAdmin.ZeroAddress.selector);
        pool1.setTreasury(address(0), true);
    }

    function test_withdraw() public {
        fund(hub, 100_000e6);
        vm.prank(admin);
        hub.setTreasury(treasury, true);
        vm.expectEmit(address(hub));
        emit IPool.Withdrawn(treasury, 60_000e6);
        vm.prank(treasurer);
        hub.withdraw(treasury, 60_000e6);
        vm.assertEq(usdcHub.balanceOf(treasury), 60_000e6, "it has it");
    }

    function test_withdraw_native() public {
        fund(poolEth, 100 ether);
        withdraw(poolEth, 100 ether);
        vm.assertEq(treasury.balance, 100 ether, "all of it");
    }

    function test_fuzz_withdraw_toListedAccountsOnly(address to) public {
        fund(hub, 1e6);
        vm.prank(treasurer);
        vm.expectRevert(abi.encodeWithSelector(IPool.NotListed.selector, to));
        hub.withdraw(to, 1);
    }

    /// @dev What is held for open orders is not the treasurer's.
    function test_fuzz_withdraw_freeLiquidityOnly(uint256 deposit, uint256 amount) public {
        deposit = bound(deposit, 10e6, 25_000e6);
        amount = bound(amount, 1, 50_000e6);
        fund(hub, 10_000e6);
        open(hub, alice, deposit, ETHEREUM, abi.encodePacked(bob), 0, address(usdc1), 0);
        vm.prank(admin);
        hub.setTreasury(treasury, true);
        if (amount > 10_000e6) {
            vm.expectRevert(abi.encodeWithSelector(ILedger.Illiquid.selector, amount, 10_000e6));
        }
        vm.prank(treasurer);
        hub.withdraw(treasury, amount);
    }

    function test_withdraw_withinItsCap() public {
        fund(hub, 2_000_000e6);
        withdraw(hub, 1_250_000e6);
        vm.prank(treasurer);
        vm.expectRevert(abi.encodeWithSelector(RollingCap.CapExceeded.selector, 1, 0));
        hub.withdraw(treasury, 1);
    }
}
