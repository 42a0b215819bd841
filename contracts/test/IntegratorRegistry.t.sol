// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IntegratorRegistry} from "../src/IntegratorRegistry.sol";
import {IIntegratorRegistry} from "../src/interfaces/IIntegratorRegistry.sol";
import {ITwoStepAdmin} from "../src/interfaces/ITwoStepAdmin.sol";
import {Test} from "./support/Test.sol";

contract IntegratorRegistryTest is Test {
    address private admin = account("admin");
    address private partner = account("partner");
    bytes32 private id = bytes32(uint256(uint160(partner)));
    IntegratorRegistry private registry = new IntegratorRegistry(admin);

    function test_constructor_needsAnAdmin() public {
        vm.expectRevert(ITwoStepAdmin.ZeroAddress.selector);
        new IntegratorRegistry(address(0));
    }

    function test_register() public {
        vm.prank(admin);
        vm.assertEq(registry.register(partner, 2_500), id, "the ID is the padded wallet");
        check(id, partner, 2_500, true);
    }

    function test_fuzz_register(address wallet, uint32 rate) public {
        vm.prank(admin);
        if (wallet == address(0)) {
            vm.expectRevert(ITwoStepAdmin.ZeroAddress.selector);
        } else if (rate > 10_000) {
            vm.expectRevert(abi.encodeWithSelector(IIntegratorRegistry.RateTooHigh.selector, rate, 10_000));
        }
        registry.register(wallet, rate);
        bool accepted = wallet != address(0) && rate <= 10_000;
        check(
            bytes32(uint256(uint160(wallet))), accepted ? wallet : address(0), accepted ? rate : 0, accepted
        );
    }

    function test_register_onlyOnce() public {
        vm.startPrank(admin);
        registry.register(partner, 2_500);
        vm.expectRevert(abi.encodeWithSelector(IIntegratorRegistry.AlreadyRegistered.selector, id));
        registry.register(partner, 1);
    }

    function test_fuzz_integrators_unknown(bytes32 anyId) public view {
        check(anyId, address(0), 0, false);
    }

    function test_setActive() public {
        vm.startPrank(admin);
        registry.register(partner, 2_500);
        registry.setActive(id, false);
        check(id, partner, 2_500, false);
        registry.setActive(id, true);
        check(id, partner, 2_500, true);
    }

    function test_fuzz_setActive_unknown(bytes32 anyId, bool active) public {
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IIntegratorRegistry.NotRegistered.selector, anyId));
        registry.setActive(anyId, active);
    }

    function test_fuzz_lowerRate_neverRises(uint32 first, uint32 second) public {
        first = uint32(bound(first, 0, 10_000));
        vm.startPrank(admin);
        registry.register(partner, first);
        if (second > first) {
            vm.expectRevert(abi.encodeWithSelector(IIntegratorRegistry.RateTooHigh.selector, second, first));
        }
        registry.lowerRate(id, second);
        check(id, partner, second > first ? first : second, true);
    }

    function test_lowerRate_unknown() public {
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IIntegratorRegistry.NotRegistered.selector, id));
        registry.lowerRate(id, 0);
    }

    function test_fuzz_onlyTheAdmin(address caller) public {
        vm.assume(caller != admin);
        bytes memory denied = abi.encodeWithSelector(
            IAccessControl.AccessControlUnauthorizedAccount.selector, caller, registry.DEFAULT_ADMIN_ROLE()
        );
        vm.startPrank(caller);
        vm.expectRevert(denied);
        registry.register(partner, 1);
        vm.expectRevert(denied);
        registry.setActive(id, true);
        vm.expectRevert(denied);
        registry.lowerRate(id, 0);
    }

    function check(bytes32 who, address wallet, uint32 rate, bool active) private view {
        (address gotWallet, uint32 gotRate, bool gotActive) = registry.integrators(who);
        vm.assertEq(gotWallet, wallet, "wallet");
        vm.assertEq(gotRate, rate, "rate");
        vm.assertEq(gotActive, active, "active");
    }
}
