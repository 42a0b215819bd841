// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {CapKind, ILedger} from "../src/interfaces/ILedger.sol";
import {Limits} from "../src/interfaces/IOrderSource.sol";
import {ITwoStepAdmin} from "../src/interfaces/ITwoStepAdmin.sol";
import {Pool} from "../src/Pool.sol";
import {Currency, NATIVE} from "../src/types/Currency.sol";
import {Delivery, Link, Order} from "../src/types/Order.sol";
import {PoolFixture} from "./support/PoolFixture.sol";

/// @notice Takes the native coin only when told to, and calls back when it does
contract CallingPayee {
    Pool private pool;
    bool public willing;

    constructor(Pool pool_) {
        pool = pool_;
    }

    receive() external payable {
        require(willing, "refused");
        pool.claim(address(this));
    }

    function setWilling(bool willing_) external {
        willing = willing_;
    }

    function claim(address to) external {
        pool.claim(to);
    }
}

contract LedgerTest is PoolFixture {
    // ----------------------------------------------------------------- claim

    function test_claim_whatABlacklistedRecipientIsOwed() public {
        fund(hub, 1_000e6);
        Order memory order = openInbound(100e6);
        usdcHub.setBlacklisted(bob, true);
        fulfilOrOwe(hub, order);
        vm.assertEq(hub.claims(bob), 99_700_000, "bob is owed the payment");
        vm.assertEq(owed(hub), 99_700_000, "and it is set apart");
        vm.assertEq(hub.liquidity(), 1_000e6 - 99_700_000, "from all else");

        vm.prank(bob);
        hub.claim(alice);
        vm.assertEq(usdcHub.balanceOf(alice), 99_700_000, "bob may have it sent elsewhere");
        vm.assertEq(owed(hub), 0, "nothing is owed any more");
    }

    function test_claim_once() public {
        fund(hub, 1_000e6);
        Order memory order = openInbound(100e6);
        usdcHub.setBlacklisted(bob, true);
        fulfilOrOwe(hub, order);
        vm.startPrank(bob);
        hub.claim(alice);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NothingToClaim.selector, bob));
        hub.claim(alice);
    }

    function test_claim_duringAPause() public {
        fund(hub, 1_000e6);
        Order memory order = openInbound(100e6);
        usdcHub.setBlacklisted(bob, true);
        fulfilOrOwe(hub, order);
        pause(hub, true, true);
        vm.prank(bob);
        hub.claim(alice);
    }

    function test_claim_isNotLiquidity() public {
        fund(hub, 1_000e6);
        Order memory order = openInbound(100e6);
        usdcHub.setBlacklisted(bob, true);
        fulfilOrOwe(hub, order);
        vm.prank(admin);
        hub.setTreasury(treasury, true);
        vm.prank(treasurer);
        vm.expectRevert(abi.encodeWithSelector(ILedger.Illiquid.selector, 1_000e6, 1_000e6 - 99_700_000));
        hub.withdraw(treasury, 1_000e6);
    }

    function test_fuzz_claim_nothing(address stranger) public {
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NothingToClaim.selector, stranger));
        hub.claim(bob);
    }

    function test_claim_notToTheZeroAddress() public {
        vm.expectRevert(ITwoStepAdmin.ZeroAddress.selector);
        hub.claim(address(0));
    }

    function test_claim_cannotBeReentered() public {
        fund(poolEth, 10 ether);
        CallingPayee payee = new CallingPayee(poolEth);
        bytes memory to = abi.encodePacked(address(payee));
        fulfilOrOwe(poolEth, open(hubWeth, alice, 1 ether, ETHEREUM, to, 0, Currency.unwrap(NATIVE), 0));
        vm.assertEq(poolEth.claims(address(payee)), 0.995 ether, "it refused the coin");
        payee.setWilling(true);
        vm.expectRevert(ILedger.Reentered.selector);
        payee.claim(address(payee));
        payee.claim(bob);
        vm.assertEq(bob.balance, 0.995 ether, "once, and to an account that does not call back");
    }

    function test_fuzz_claim_refundOfABlacklistedDepositor(uint256 amount) public {
        amount = bound(amount, 10e6, 25_000e6);
        Order memory order = openInbound(amount);
        usdc1.setBlacklisted(alice, true);
        vm.prank(relayer);
        pool1.refund(order);
        vm.assertEq(pool1.claims(alice), amount, "owed");
        vm.prank(alice);
        pool1.claim(bob);
        vm.assertEq(usdc1.balanceOf(bob), amount, "and claimed");
    }

    // -------------------------------------------------------------- claimFor

    function test_claimFor_byAnyone() public {
        fund(poolEth, 10 ether);
        CallingPayee payee = new CallingPayee(poolEth);
        bytes memory to = abi.encodePacked(address(payee));
        fulfilOrOwe(poolEth, open(hubWeth, alice, 1 ether, ETHEREUM, to, 0, Currency.unwrap(NATIVE), 0));
        vm.expectRevert();
        poolEth.claimFor(address(payee));
        vm.etch(address(payee), "");
        vm.expectEmit(address(poolEth));
        emit ILedger.Claimed(address(payee), address(payee), bob, 0.995 ether);
        vm.prank(bob);
        poolEth.claimFor(address(payee));
        vm.assertEq(address(payee).balance, 0.995 ether, "its owner has it");
        vm.assertEq(owed(poolEth), 0, "nothing is owed any more");
    }

    function test_fuzz_claimFor_nothing(address account_) public {
        vm.expectRevert(abi.encodeWithSelector(ILedger.NothingToClaim.selector, account_));
        hub.claimFor(account_);
    }

    function test_claimFor_aBlacklistedAccountKeepsItsClaim() public {
        fund(hub, 1_000e6);
        Order memory order = openInbound(100e6);
        usdcHub.setBlacklisted(bob, true);
        fulfilOrOwe(hub, order);
        vm.expectRevert();
        hub.claimFor(bob);
        vm.assertEq(hub.claims(bob), 99_700_000, "still owed");
        usdcHub.setBlacklisted(bob, false);
        pause(hub, true, true);
        hub.claimFor(bob);
        vm.assertEq(usdcHub.balanceOf(bob), 99_700_000, "paid as soon as it can be");
    }

    // ------------------------------------------------------------- liquidity

    /// @dev A token that takes from the balance (a seizure) must not make every call revert.
    function test_liquidity_saturates() public {
        fund(hub, 100e6);
        open(hub, alice, 100e6, ETHEREUM, abi.encodePacked(bob), 0, address(usdc1), 0);
        vm.prank(address(hub));
        usdcHub.transfer(bob, 150e6);
        vm.assertEq(hub.liquidity(), 0, "less than is held");
    }

    // ---------------------------------------------------------------- pauses

    function test_setPauses_theGuardianOnlyPauses() public {
        vm.startPrank(guardian);
        vm.expectEmit(address(hub));
        emit ILedger.PausesSet(guardian, true, false);
        hub.setPauses(true, false);
        paused(true, false);
        vm.expectRevert(deniedAdmin(guardian));
        hub.setPauses(false, true);
        hub.setPauses(true, true);
        vm.expectRevert(deniedAdmin(guardian));
        hub.setPauses(true, false);
        vm.expectRevert(deniedAdmin(guardian));
        hub.setPauses(false, false);
        vm.stopPrank();
        vm.prank(admin);
        hub.setPauses(false, false);
        paused(false, false);
    }

    function test_setPauses_keepsTheOrderCount() public {
        openInbound(100e6);
        pause(pool1, true, true);
        vm.assertEq(pool1.orders(), 1, "in the same slot");
    }

    function paused(bool deposits, bool payments) private view {
        vm.assertEq(hub.depositsPaused(), deposits, "deposits");
        vm.assertEq(hub.paymentsPaused(), payments, "payments");
    }

    // ------------------------------------------------------------------ caps

    function test_fuzz_setCap_theGuardianOnlyLowers(uint96 cap) public {
        vm.prank(guardian);
        bool lowers = cap < 200_000e6;
        if (!lowers) vm.expectRevert(deniedAdmin(guardian));
        hub.setCap(CapKind.Payments, cap);
        vm.assertEq(capOf(CapKind.Payments), lowers ? cap : 200_000e6, "cap");
    }

    /// @dev With it the guardian could let paid orders be reclaimed.
    function test_fuzz_setCap_theGuardianCannotTouchReleases(uint96 cap) public {
        vm.prank(guardian);
        vm.expectRevert(deniedAdmin(guardian));
        hub.setCap(CapKind.Releases, cap);
    }

    function test_fuzz_setCap_theAdminSetsAny(uint8 kind, uint96 cap) public {
        CapKind which = CapKind(kind % 4);
        bool possible = which != CapKind.Releases || cap >= 50_000e6;
        if (!possible) {
            vm.expectRevert(abi.encodeWithSelector(ILedger.CapTooLow.selector, which, cap, 50_000e6));
        } else {
            vm.expectEmit(address(hub));
            emit ILedger.CapSet(which, cap);
        }
        vm.prank(admin);
        hub.setCap(which, cap);
        if (possible) vm.assertEq(capOf(which), cap, "cap");
    }

    function test_setCap_keepsWhatWasSpent() public {
        fund(hub, 100_000e6);
        fulfil(hub, openInbound(25_000e6));
        vm.prank(guardian);
        hub.setCap(CapKind.Payments, 0);
        vm.prank(admin);
        hub.setCap(CapKind.Payments, 200_000e6);
        vm.assertEq(lens.spendable(hub, CapKind.Payments), 100_000e6 - 24_925e6, "still counted");
    }

    function capOf(CapKind kind) private view returns (uint256 cap) {
        (cap,,) = hub.caps(kind);
    }

    // ----------------------------------------------------------------- roles

    function test_revokeRelayer_byGuardianAndAdmin() public {
        bytes32 role = pool1.RELAYER_ROLE();
        vm.prank(guardian);
        pool1.revokeRelayer(relayer);
        vm.assertFalse(pool1.hasRole(role, relayer), "revoked");
        vm.assertTrue(pool1.hasRole(role, standby), "the standby goes on");
        vm.prank(admin);
        pool1.revokeRelayer(standby);
        vm.assertFalse(pool1.hasRole(role, standby), "revoked");
    }

    function test_revokeRelayer_revokesNothingElse() public {
        vm.prank(guardian);
        pool1.revokeRelayer(treasurer);
        vm.assertTrue(pool1.hasRole(pool1.TREASURER_ROLE(), treasurer), "still treasurer");
    }

    function test_fuzz_rolesAreSplit(address caller) public {
        vm.assume(caller != admin && caller != relayer && caller != standby);
        vm.assume(caller != guardian && caller != treasurer);
        adminOnly(caller);
        tightening(caller);
        relayerOnly(caller);
        treasurerOnly(caller);
    }

    function test_theRelayerIsNothingElse() public {
        adminOnly(relayer);
        tightening(relayer);
        treasurerOnly(relayer);
    }

    function test_theGuardianIsNothingElse() public {
        adminOnly(guardian);
        relayerOnly(guardian);
        treasurerOnly(guardian);
    }

    function test_theTreasurerIsNothingElse() public {
        adminOnly(treasurer);
        tightening(treasurer);
        relayerOnly(treasurer);
    }

    /// @dev The admin must grant itself these roles first, which everyone sees.
    function test_theAdminIsNeitherRelayerNorTreasurer() public {
        relayerOnly(admin);
        treasurerOnly(admin);
    }

    function adminOnly(address caller) private {
        vm.startPrank(caller);
        bytes memory denied_ = deniedAdmin(caller);
        vm.expectRevert(denied_);
        pool1.setLimits(Limits(1, 25_000e6));
        vm.expectRevert(denied_);
        pool1.setSource(HUB, address(hub), Link.Open, 0, 1);
        vm.expectRevert(denied_);
        pool1.setDestination(HUB, address(usdcHub), terms(Delivery.Address, address(hub), 0));
        vm.expectRevert(denied_);
        pool1.setCap(CapKind.Payments, type(uint96).max);
        vm.expectRevert(denied_);
        pool1.setFeeBound(0);
        vm.expectRevert(denied_);
        pool1.setTreasury(caller, true);
        vm.expectRevert(denied_);
        pool1.offerAdmin(caller);
        bytes32 role = pool1.RELAYER_ROLE();
        vm.expectRevert(denied_);
        pool1.grantRole(role, caller);
        vm.expectRevert(denied_);
        pool1.revokeRole(role, relayer);
        vm.stopPrank();
    }

    function tightening(address caller) private {
        vm.startPrank(caller);
        bytes memory denied_ = deniedAdmin(caller);
        vm.expectRevert(denied_);
        pool1.setPauses(true, true);
        vm.expectRevert(denied_);
        pool1.setCap(CapKind.Payments, 0);
        vm.expectRevert(denied_);
        pool1.setLimits(Limits(10e6, 10e6));
        vm.expectRevert(denied_);
        pool1.setTreasury(treasury, false);
        vm.expectRevert(denied_);
        pool1.revokeRelayer(relayer);
        vm.stopPrank();
    }

    function relayerOnly(address caller) private {
        Order memory order;
        vm.startPrank(caller);
        bytes memory denied_ = denied(caller, pool1.RELAYER_ROLE());
        vm.expectRevert(denied_);
        pool1.fulfil(order, true);
        vm.expectRevert(denied_);
        pool1.fulfilMany(new Order[](1));
        vm.expectRevert(denied_);
        pool1.cancel(order);
        vm.expectRevert(denied_);
        pool1.refund(order);
        vm.expectRevert(denied_);
        pool1.releaseMany(new bytes32[](1));
        vm.stopPrank();
    }

    function treasurerOnly(address caller) private {
        vm.startPrank(caller);
        bytes memory denied_ = denied(caller, pool1.TREASURER_ROLE());
        vm.expectRevert(denied_);
        pool1.withdraw(caller, 1);
        vm.stopPrank();
    }
}
