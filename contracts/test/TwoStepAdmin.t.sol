// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IntegratorRegistry} from "../src/IntegratorRegistry.sol";
import {ITwoStepAdmin} from "../src/interfaces/ITwoStepAdmin.sol";
import {PoolFixture} from "./support/PoolFixture.sol";

/// @notice The admin's role, on the smallest contract that has one
contract TwoStepAdminTest is PoolFixture {
    bytes32 private constant HANDOVER_ONLY = keccak256("HANDOVER_ONLY");

    function test_constructor_needsAnAdmin() public {
        vm.expectRevert(ITwoStepAdmin.ZeroAddress.selector);
        new IntegratorRegistry(address(0));
    }

    function test_handover() public {
        vm.expectEmit(address(registry));
        emit ITwoStepAdmin.AdminOffered(bob);
        vm.prank(admin);
        registry.offerAdmin(bob);
        vm.assertEq(registry.pendingAdmin(), bob, "offered");
        isAdmin(admin, bob);
        vm.prank(bob);
        registry.acceptAdmin();
        isAdmin(bob, admin);
        vm.assertEq(registry.pendingAdmin(), address(0), "no offer is left");
        vm.prank(bob);
        vm.expectRevert(abi.encodeWithSelector(ITwoStepAdmin.NotOffered.selector, bob));
        registry.acceptAdmin();
    }

    function test_handover_canBeWithdrawn() public {
        vm.startPrank(admin);
        registry.offerAdmin(bob);
        registry.offerAdmin(address(0));
        vm.stopPrank();
        vm.prank(bob);
        vm.expectRevert(abi.encodeWithSelector(ITwoStepAdmin.NotOffered.selector, bob));
        registry.acceptAdmin();
    }

    function test_handover_toItself() public {
        vm.startPrank(admin);
        registry.offerAdmin(admin);
        registry.acceptAdmin();
        isAdmin(admin, bob);
    }

    function test_fuzz_acceptAdmin_onlyTheOffered(address caller) public {
        vm.assume(caller != bob);
        vm.prank(admin);
        registry.offerAdmin(bob);
        vm.prank(caller);
        vm.expectRevert(abi.encodeWithSelector(ITwoStepAdmin.NotOffered.selector, caller));
        registry.acceptAdmin();
    }

    /// @dev There is one admin, and no other way to become it or to end it.
    function test_theAdminCannotBeGrantedRevokedOrRenounced() public {
        vm.startPrank(admin);
        vm.expectRevert(denied(admin, HANDOVER_ONLY));
        registry.grantRole(0, bob);
        vm.expectRevert(denied(admin, HANDOVER_ONLY));
        registry.revokeRole(0, admin);
        vm.expectRevert(denied(admin, HANDOVER_ONLY));
        registry.grantRole(HANDOVER_ONLY, admin);
        vm.expectRevert(ITwoStepAdmin.AdminCannotRenounce.selector);
        registry.renounceRole(0, admin);
    }

    function test_otherRolesCanBeGrantedRevokedAndRenounced() public {
        bytes32 role = pool1.RELAYER_ROLE();
        vm.startPrank(admin);
        pool1.grantRole(role, bob);
        pool1.grantRole(role, alice);
        pool1.revokeRole(role, alice);
        vm.stopPrank();
        vm.assertTrue(pool1.hasRole(role, bob), "granted");
        vm.assertFalse(pool1.hasRole(role, alice), "revoked");
        vm.prank(bob);
        pool1.renounceRole(role, bob);
        vm.assertFalse(pool1.hasRole(role, bob), "renounced");
    }

    function isAdmin(address is_, address isNot) private view {
        vm.assertEq(registry.admin(), is_, "the admin");
        vm.assertTrue(registry.hasRole(0, is_), "holds the role");
        vm.assertFalse(registry.hasRole(0, isNot), "alone");
    }
}
