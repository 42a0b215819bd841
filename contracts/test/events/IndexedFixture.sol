// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pool} from "../../src/Pool.sol";
import {OrderSource} from "../../src/base/OrderSource.sol";
import {CapKind} from "../../src/interfaces/ILedger.sol";
import {Deposit, Destination, IOrderSource} from "../../src/interfaces/IOrderSource.sol";
import {Remote} from "../../src/interfaces/IGatewayPool.sol";
import {Source} from "../../src/interfaces/IPool.sol";
import {IReceiver} from "../../src/interfaces/IReceiver.sol";
import {Currency, NATIVE} from "../../src/types/Currency.sol";
import {Order} from "../../src/types/Order.sol";
import {BurnFixture} from "../support/BurnFixture.sol";
import {Vm} from "../support/Test.sol";
import {Indexer, State} from "./Indexer.sol";

/// @notice All contracts with an indexer that has read their logs from the first, and what compares it with storage
/// @dev Logs of a call that reverted are dropped, as on a chain.
abstract contract IndexedFixture is BurnFixture, Indexer {
    OrderSource[7] internal sources;
    Pool[6] internal pools;
    address[9] internal accounts;
    bytes32[5] internal roleIds;
    uint256[5] internal placeIds = [ETHEREUM, HUB, PRIVATE, ARBITRUM, GATEWAY];
    uint256[24] internal done; // how often each kind of action succeeded
    Order[] internal orders;
    bytes32 internal partnerId;
    uint256 internal random;
    uint32[] private domains; // that were given a place
    address internal immutable successor = account("successor");

    function setUp() public override {
        vm.recordLogs();
        super.setUp();
        pools = [pool1, poolEth, hub, hubWeth, Pool(gateway), Pool(shieldPool)];
        for (uint256 i; i < pools.length; ++i) {
            sources[i] = pools[i];
        }
        sources[6] = receiver;
        accounts = [treasury, bob, alice, partner, relayer, standby, admin, lastResort, successor];
        roleIds = [
            bytes32(0),
            pool1.RELAYER_ROLE(),
            pool1.GUARDIAN_ROLE(),
            pool1.TREASURER_ROLE(),
            keccak256("HANDOVER_ONLY")
        ];
        partnerId = register(2_500);
        domains.push(ARBITRUM_DOMAIN);
        Pool[4] memory funded = [pool1, hub, Pool(gateway), Pool(shieldPool)];
        for (uint256 i; i < funded.length; ++i) {
            fund(funded[i], 200_000e6);
            vm.prank(admin);
            funded[i].setTreasury(treasury, true);
        }
        read();
    }

    // ------------------------------------------------------------------- act

    /// @dev A number below `sides`, a function of the seed and of how many were taken before.
    function dice(uint256 sides) internal returns (uint256) {
        random = uint256(keccak256(abi.encode(random)));
        return random % sides;
    }

    /// @notice One of the twelve newest orders, so that most can still be paid
    function anyOrder() internal returns (Order memory) {
        uint256 some = orders.length < 12 ? orders.length : 12;
        return orders[orders.length - 1 - dice(some)];
    }

    /// @notice Makes payments to bob and to the partner fail, or no longer
    function freeze(bool frozen) internal {
        usdcHub.setBlacklisted(bob, frozen);
        usdc1.setBlacklisted(bob, frozen);
        usdc1.setBlacklisted(partner, frozen);
        usdc1.setBlacklisted(treasury, frozen);
    }

    function call(address from, OrderSource to, bytes memory data) internal returns (bool) {
        return call(from, address(to), data);
    }

    function call(address from, address to, bytes memory data) internal returns (bool ok) {
        vm.getRecordedLogs();
        vm.prank(from);
        (ok,) = to.call(data);
        if (ok) read();
    }

    /// @notice A transaction of `from`'s own to the receiver
    function callAsKey(address from, bytes memory data) internal returns (bool ok) {
        vm.getRecordedLogs();
        vm.prank(from, from);
        (ok,) = address(receiver).call(data);
        if (ok) read();
    }

    function read() private {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        index(logs, block.timestamp);
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].topics[0] == IOrderSource.OrderOpened.selector) {
                (,,, Order memory order) = abi.decode(logs[i].data, (address, uint256, uint256, Order));
                orders.push(order);
            }
            if (logs[i].topics[0] == IReceiver.PlaceSet.selector) {
                domains.push(uint32(uint256(logs[i].topics[1])));
            }
        }
    }

    // --------------------------------------------------------------- compare

    /// @notice Every variable of every contract against what its logs say
    function compareAll() internal view {
        for (uint256 i; i < sources.length; ++i) {
            compareLedger(sources[i], states[address(sources[i])]);
            compareOrders(sources[i], states[address(sources[i])]);
        }
        for (uint256 i; i < pools.length; ++i) {
            comparePool(pools[i], states[address(pools[i])]);
        }
        compareRest();
    }

    function compareLedger(OrderSource source, State storage s) private view {
        (uint128 owed_, uint128 held_) = source.totals();
        eq(abi.encode(s.totals), abi.encode(owed_, held_), "totals");
        vm.assertEq(s.orders, source.orders(), "orders");
        vm.assertEq(s.depositsPaused, source.depositsPaused(), "deposits paused");
        vm.assertEq(s.paymentsPaused, source.paymentsPaused(), "payments paused");
        vm.assertEq(s.admin, source.admin(), "admin");
        vm.assertEq(s.pendingAdmin, source.pendingAdmin(), "pending admin");
        for (uint256 i; i < accounts.length; ++i) {
            vm.assertEq(claimOf(s, accounts[i]), source.claims(accounts[i]), "claims");
        }
        for (uint256 i; i < roleIds.length; ++i) {
            vm.assertEq(s.roleAdmins[roleIds[i]], source.getRoleAdmin(roleIds[i]), "who grants a role");
            for (uint256 j; j < accounts.length; ++j) {
                bool has = source.hasRole(roleIds[i], accounts[j]);
                vm.assertEq(s.roles[roleIds[i]][accounts[j]], has, "roles");
            }
        }
        for (uint8 kind; kind < 4; ++kind) {
            (uint96 cap, uint96 level, uint32 since) = source.caps(CapKind(kind));
            eq(abi.encode(s.caps[CapKind(kind)]), abi.encode(cap, level, since), "caps");
        }
    }

    function compareOrders(OrderSource source, State storage s) private view {
        for (uint256 i; i < orders.length; ++i) {
            bytes32 id = orders[i].id();
            Deposit memory d;
            (d.amount, d.deadline, d.domain, d.state) = source.deposits(id);
            eq(abi.encode(s.deposits[id]), abi.encode(d), "deposits");
        }
        address[5] memory tokens = [
            address(usdc1),
            address(usdcHub),
            address(there.token),
            address(here.token),
            Currency.unwrap(NATIVE)
        ];
        for (uint256 i; i < placeIds.length; ++i) {
            for (uint256 j; j < tokens.length; ++j) {
                Destination memory d;
                (d.delivery, d.state, d.pool, d.rate, d.lifetime) =
                    source.destinations(placeIds[i], tokens[j]);
                eq(abi.encode(s.destinations[placeIds[i]][tokens[j]]), abi.encode(d), "destinations");
            }
        }
    }

    function comparePool(Pool pool, State storage s) private view {
        (uint128 min, uint128 max) = pool.limits();
        eq(abi.encode(s.limits), abi.encode(min, max), "limits");
        vm.assertEq(s.feeBound, pool.feeBound(), "fee bound");
        for (uint256 i; i < orders.length; ++i) {
            bytes32 id = orders[i].id();
            vm.assertEq(uint256(s.settlements[id]), uint256(pool.settlements(id)), "settlements");
        }
        for (uint256 i; i < accounts.length; ++i) {
            vm.assertEq(s.treasury[accounts[i]], pool.treasury(accounts[i]), "treasury");
            uint256 count = pool.nonces(alice, accounts[i]);
            vm.assertEq(s.nonces[alice][accounts[i]], count, "nonces");
        }
        for (uint256 i; i < placeIds.length; ++i) {
            for (uint256 j; j < sources.length; ++j) {
                address from = address(sources[j]);
                Source memory r;
                (r.state, r.rate, r.cap, r.level, r.since) = pool.sources(placeIds[i], from);
                eq(abi.encode(s.sources[placeIds[i]][from]), abi.encode(r), "sources");
            }
        }
    }

    function compareRest() private view {
        Remote memory r;
        for (uint256 i; i < placeIds.length; ++i) {
            (r.domain, r.token, r.state) = gateway.remotes(placeIds[i]);
            eq(abi.encode(states[address(gateway)].remotes[placeIds[i]]), abi.encode(r), "remotes");
        }
        for (uint256 i; i < domains.length; ++i) {
            vm.assertEq(states[address(receiver)].places[domains[i]], receiver.places(domains[i]), "places");
        }
        (address wallet, uint32 rate, bool active) = registry.integrators(partnerId);
        eq(
            abi.encode(states[address(registry)].partners[partnerId]),
            abi.encode(wallet, rate, active),
            "partners"
        );
        vm.assertEq(states[address(registry)].admin, registry.admin(), "the registry's admin");
    }

    function eq(bytes memory fromLogs, bytes memory stored, string memory what) private pure {
        vm.assertEq(fromLogs, stored, what);
    }
}
