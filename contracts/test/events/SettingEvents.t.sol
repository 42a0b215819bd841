// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {Pool} from "../../src/Pool.sol";
import {OrderSource} from "../../src/base/OrderSource.sol";
import {TwoStepAdmin} from "../../src/base/TwoStepAdmin.sol";
import {IGatewayPool, Remote} from "../../src/interfaces/IGatewayPool.sol";
import {IIntegratorRegistry} from "../../src/interfaces/IIntegratorRegistry.sol";
import {CapKind, ILedger} from "../../src/interfaces/ILedger.sol";
import {Destination, IOrderSource, Limits} from "../../src/interfaces/IOrderSource.sol";
import {IPool} from "../../src/interfaces/IPool.sol";
import {IReceiver} from "../../src/interfaces/IReceiver.sol";
import {ITwoStepAdmin} from "../../src/interfaces/ITwoStepAdmin.sol";
import {Delivery, Link} from "../../src/types/Order.sol";
import {BurnFixture} from "../support/BurnFixture.sol";
import {Vm} from "../support/Test.sol";

/// @notice Every event that says what was set, of every contract that emits it: all topics and all data
contract SettingEventsTest is BurnFixture {
    bytes32 private constant RELAYER_ROLE = keccak256("RELAYER_ROLE");

    OrderSource[4] private sources;
    Pool[3] private pools;

    function setUp() public override {
        super.setUp();
        sources = [OrderSource(pool1), OrderSource(gateway), OrderSource(shieldPool), OrderSource(receiver)];
        pools = [pool1, Pool(gateway), Pool(shieldPool)];
    }

    // ---------------------------------------------------------- every source

    function test_PausesSet() public {
        for (uint256 i; i < sources.length; ++i) {
            expect(address(sources[i]));
            emit ILedger.PausesSet(guardian, true, false);
            vm.prank(guardian);
            sources[i].setPauses(true, false);
            expect(address(sources[i]));
            emit ILedger.PausesSet(admin, false, true);
            vm.prank(admin);
            sources[i].setPauses(false, true);
        }
    }

    function test_CapSet() public {
        for (uint256 i; i < sources.length; ++i) {
            for (uint8 kind; kind < 4; ++kind) {
                expect(address(sources[i]));
                emit ILedger.CapSet(CapKind(kind), 70_000e6 + kind);
                vm.prank(admin);
                sources[i].setCap(CapKind(kind), 70_000e6 + kind);
            }
        }
    }

    function test_DestinationSet() public {
        for (uint256 i; i < sources.length; ++i) {
            Destination memory d = Destination(Delivery.Note, Link.Open, bob, 1_234, 8 hours);
            expect(address(sources[i]));
            emit IOrderSource.DestinationSet(777, address(weth), d);
            vm.prank(admin);
            sources[i].setDestination(777, address(weth), d);
        }
    }

    // ----------------------------------------------------------------- roles

    function test_RoleGranted_RoleRevoked() public {
        for (uint256 i; i < sources.length; ++i) {
            expect(address(sources[i]));
            emit IAccessControl.RoleGranted(RELAYER_ROLE, bob, admin);
            vm.prank(admin);
            sources[i].grantRole(RELAYER_ROLE, bob);
            expect(address(sources[i]));
            emit IAccessControl.RoleRevoked(RELAYER_ROLE, bob, guardian);
            vm.prank(guardian);
            sources[i].revokeRelayer(bob);
            expect(address(sources[i]));
            emit IAccessControl.RoleRevoked(RELAYER_ROLE, standby, standby);
            vm.prank(standby);
            sources[i].renounceRole(RELAYER_ROLE, standby);
        }
    }

    function test_AdminOffered_andTheRolesOfAHandover() public {
        for (uint256 i; i < sources.length; ++i) {
            handover(sources[i]);
        }
        handover(registry);
    }

    function handover(TwoStepAdmin subject) private {
        expect(address(subject));
        emit ITwoStepAdmin.AdminOffered(bob);
        vm.prank(admin);
        subject.offerAdmin(bob);
        expect(address(subject));
        emit IAccessControl.RoleRevoked(0, admin, bob);
        expect(address(subject));
        emit IAccessControl.RoleGranted(0, bob, bob);
        vm.prank(bob);
        subject.acceptAdmin();
    }

    // ---------------------------------------------------------- construction

    /// @dev A watcher that starts with the contract's first block misses nothing.
    function test_constructor_saysAllItSets() public {
        vm.recordLogs();
        address made = address(newPool(BSC, currency(usdc56), 18, dollars(18)));
        Vm.Log[] memory logs = vm.getRecordedLogs();
        bytes32 handoverOnly = keccak256("HANDOVER_ONLY");
        bytes32 self = word(address(this));
        same(logs[0], made, IAccessControl.RoleAdminChanged.selector, handoverOnly, 0, handoverOnly);
        same(logs[1], made, IAccessControl.RoleAdminChanged.selector, 0, 0, handoverOnly);
        same(logs[2], made, IAccessControl.RoleGranted.selector, 0, word(admin), self);
        same(logs[3], made, IAccessControl.RoleGranted.selector, RELAYER_ROLE, word(relayer), self);
        same(logs[4], made, IAccessControl.RoleGranted.selector, RELAYER_ROLE, word(standby), self);
        same(logs[5], made, IAccessControl.RoleGranted.selector, pool1.GUARDIAN_ROLE(), word(guardian), self);
        same(
            logs[6], made, IAccessControl.RoleGranted.selector, pool1.TREASURER_ROLE(), word(treasurer), self
        );
        sameCap(logs[7], CapKind.Refunds, 200_000e18);
        sameCap(logs[8], CapKind.Releases, 200_000e18);
        sameCap(logs[9], CapKind.Payments, 200_000e18);
        sameCap(logs[10], CapKind.Treasury, 2_500_000e18);
        vm.assertEq(logs[11].topics[0], IPool.LimitsSet.selector, "limits");
        vm.assertEq(logs[11].data, abi.encode(dollars(18)), "limits");
        vm.assertEq(logs[12].topics[0], IPool.FeeBoundSet.selector, "bound");
        vm.assertEq(logs[12].data, abi.encode(FEE_BOUND), "bound");
        vm.assertEq(logs.length, 13, "and no more");
    }

    function same(Vm.Log memory log, address emitter, bytes32 topic0, bytes32 a, bytes32 b, bytes32 c)
        private
        pure
    {
        vm.assertEq(log.emitter, emitter, "emitter");
        vm.assertEq(log.topics[0], topic0, "event");
        vm.assertEq(log.topics[1], a, "first topic");
        vm.assertEq(log.topics[2], b, "second topic");
        vm.assertEq(log.topics[3], c, "third topic");
    }

    function sameCap(Vm.Log memory log, CapKind kind, uint256 cap) private pure {
        vm.assertEq(log.topics[0], ILedger.CapSet.selector, "event");
        vm.assertEq(uint256(log.topics[1]), uint256(kind), "kind");
        vm.assertEq(log.data, abi.encode(cap), "cap");
    }

    // ----------------------------------------------------------------- pools

    function test_SourceSet() public {
        for (uint256 i; i < pools.length; ++i) {
            expect(address(pools[i]));
            emit IPool.SourceSet(777, bob, Link.Open, 1_234, 5_678);
            vm.prank(admin);
            pools[i].setSource(777, bob, Link.Open, 1_234, 5_678);
            expect(address(pools[i]));
            emit IPool.SourceSet(777, bob, Link.Closed, 1_234, 5_677);
            vm.prank(guardian);
            pools[i].setSource(777, bob, Link.Closed, 1_234, 5_677);
        }
    }

    function test_LimitsSet_FeeBoundSet_TreasurySet() public {
        for (uint256 i; i < pools.length; ++i) {
            vm.startPrank(admin);
            expect(address(pools[i]));
            emit IPool.LimitsSet(Limits(11e6, 22_000e6));
            pools[i].setLimits(Limits(11e6, 22_000e6));
            expect(address(pools[i]));
            emit IPool.FeeBoundSet(4_321);
            pools[i].setFeeBound(4_321);
            expect(address(pools[i]));
            emit IPool.TreasurySet(bob, true);
            pools[i].setTreasury(bob, true);
            vm.stopPrank();
        }
    }

    // ---------------------------------------------------------------- others

    function test_RemoteSet() public {
        Remote memory remote = Remote(7, address(there.token), Link.Open);
        expect(address(gateway));
        emit IGatewayPool.RemoteSet(137, remote);
        vm.prank(admin);
        gateway.setRemote(137, remote);
    }

    function test_PlaceSet() public {
        expect(address(receiver));
        emit IReceiver.PlaceSet(7, 137);
        vm.prank(admin);
        receiver.setPlace(7, 137);
    }

    function test_Registered_ActiveSet_RateLowered() public {
        bytes32 id = word(partner);
        vm.startPrank(admin);
        expect(address(registry));
        emit IIntegratorRegistry.Registered(id, partner, 2_500);
        registry.register(partner, 2_500);
        expect(address(registry));
        emit IIntegratorRegistry.ActiveSet(id, false);
        registry.setActive(id, false);
        expect(address(registry));
        emit IIntegratorRegistry.RateLowered(id, 2_400);
        registry.lowerRate(id, 2_400);
    }

    function expect(address emitter) private {
        vm.expectEmit(emitter);
    }
}
