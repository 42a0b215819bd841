// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ILedger, Limits} from "../src/interfaces/ILedger.sol";
import {Source} from "../src/interfaces/IPool.sol";
import {Pool} from "../src/Pool.sol";
import {Currency, NATIVE} from "../src/types/Currency.sol";
import {Delivery, Order} from "../src/types/Order.sol";
import {PoolFixture} from "./support/PoolFixture.sol";

/// @notice Takes the native coin only when told to, and calls back when it does
contract Moody {
    Pool private pool;
    bool public willing;

    constructor(Pool pool_) {
        pool = pool_;
    }

    receive() external payable {
        require(willing, "not now");
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
        fulfil(hub, order);
        vm.assertEq(hub.claims(bob), 99_700_000, "bob is owed the payment");
        vm.assertEq(hub.owed(), 99_700_000, "and it is set apart");
        vm.assertEq(hub.liquidity(), 1_000e6 - 99_700_000, "from all else");

        vm.prank(bob);
        hub.claim(alice);
        vm.assertEq(usdcHub.balanceOf(alice), 99_700_000, "bob may have it sent elsewhere");
        vm.assertEq(hub.owed(), 0, "nothing is owed any more");
    }

    function test_claim_once() public {
        fund(hub, 1_000e6);
        Order memory order = openInbound(100e6);
        usdcHub.setBlacklisted(bob, true);
        fulfil(hub, order);
        vm.startPrank(bob);
        hub.claim(alice);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NothingToClaim.selector, bob));
        hub.claim(alice);
    }

    function test_claim_duringAPause() public {
        fund(hub, 1_000e6);
        Order memory order = openInbound(100e6);
        usdcHub.setBlacklisted(bob, true);
        fulfil(hub, order);
        vm.prank(pauser);
        hub.pause();
        vm.prank(bob);
        hub.claim(alice);
    }

    function test_claim_isNotTheAdmins() public {
        fund(hub, 1_000e6);
        Order memory order = openInbound(100e6);
        usdcHub.setBlacklisted(bob, true);
        fulfil(hub, order);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(ILedger.Illiquid.selector, 1_000e6, 1_000e6 - 99_700_000));
        hub.withdraw(admin, 1_000e6);
    }

    function test_fuzz_claim_nothing(address nobody) public {
        vm.prank(nobody);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NothingToClaim.selector, nobody));
        hub.claim(bob);
    }

    function test_claim_toNobody() public {
        vm.expectRevert(ILedger.ZeroAddress.selector);
        hub.claim(address(0));
    }

    function test_claim_cannotBeReentered() public {
        fund(poolEth, 10 ether);
        Moody moody = new Moody(poolEth);
        bytes memory to = abi.encodePacked(address(moody));
        fulfil(poolEth, open(hubWeth, alice, 1 ether, ETHEREUM, to, 0, Currency.unwrap(NATIVE), 0));
        vm.assertEq(poolEth.claims(address(moody)), 0.995 ether, "it was not in the mood");
        moody.setWilling(true);
        vm.expectRevert(ReentrancyGuard.ReentrancyGuardReentrantCall.selector);
        moody.claim(address(moody));
        moody.claim(bob);
        vm.assertEq(bob.balance, 0.995 ether, "once, and to somebody quieter");
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

    // ----------------------------------------------------------------- roles

    function test_fuzz_rolesAreSplit(address caller) public {
        vm.assume(caller != admin && caller != relayer && caller != pauser);
        adminOnly(caller);
        relayerOnly(caller);
        pauserOnly(caller);
    }

    function test_theRelayerIsNeitherAdminNorPauser() public {
        adminOnly(relayer);
        pauserOnly(relayer);
    }

    function test_thePauserIsNeitherAdminNorRelayer() public {
        adminOnly(pauser);
        relayerOnly(pauser);
    }

    function adminOnly(address caller) private {
        vm.startPrank(caller);
        bytes memory denied_ = denied(caller, pool1.DEFAULT_ADMIN_ROLE());
        vm.expectRevert(denied_);
        pool1.withdraw(caller, 1);
        vm.expectRevert(denied_);
        pool1.setLimits(Limits(1, 1, 2));
        vm.expectRevert(denied_);
        pool1.setSource(HUB, address(hub), Source(true, 6, 0));
        vm.expectRevert(denied_);
        pool1.setDestination(HUB, address(usdcHub), Delivery.None);
        vm.expectRevert(denied_);
        pool1.unpause();
        bytes32 role = pool1.RELAYER_ROLE();
        vm.expectRevert(denied_);
        pool1.grantRole(role, caller);
        vm.stopPrank();
    }

    function relayerOnly(address caller) private {
        Order memory order;
        vm.startPrank(caller);
        bytes memory denied_ = denied(caller, pool1.RELAYER_ROLE());
        vm.expectRevert(denied_);
        pool1.fulfil(order);
        vm.expectRevert(denied_);
        pool1.cancel(order);
        vm.expectRevert(denied_);
        pool1.refund(order);
        vm.expectRevert(denied_);
        pool1.release(new bytes32[](1));
        vm.stopPrank();
    }

    function pauserOnly(address caller) private {
        vm.startPrank(caller);
        bytes memory denied_ = denied(caller, pool1.PAUSER_ROLE());
        vm.expectRevert(denied_);
        pool1.pause();
        vm.stopPrank();
    }

    function denied(address caller, bytes32 role) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, caller, role);
    }
}
