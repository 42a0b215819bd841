// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pool} from "../../src/Pool.sol";
import {OrderSource} from "../../src/base/OrderSource.sol";
import {CapKind} from "../../src/interfaces/ILedger.sol";
import {Destination, Limits} from "../../src/interfaces/IOrderSource.sol";
import {Remote} from "../../src/interfaces/IGatewayPool.sol";
import {Delivery, Link, Order} from "../../src/types/Order.sol";
import {IndexedFixture} from "./IndexedFixture.sol";

/// @notice Logs alone are enough: after a random sequence of calls they give the state that storage has
contract IndexerTest is IndexedFixture {
    uint256 private constant STEPS = 60;

    /// forge-config: default.fuzz.runs = 12
    function test_fuzz_logsGiveTheStateOfStorage(uint256 seed) public {
        random = seed;
        for (uint256 i; i < STEPS; ++i) {
            _act(dice(24));
            if (i % 10 == 0) vm.warp(block.timestamp + dice(3 days));
        }
        compareAll();
    }

    /// @dev A fixed sequence that visits every kind of event, so that an empty run cannot pass.
    function test_logsGiveTheStateOfStorage_everyAction() public {
        for (uint256 round; round < 14; ++round) {
            for (uint256 kind; kind < 24; ++kind) {
                _act(kind);
            }
            if (round % 2 == 1) compareAll();
            vm.warp(block.timestamp + 1 days + dice(1 days));
        }
        for (uint256 kind; kind < 24; ++kind) {
            vm.assertGt(done[kind], 0, string.concat("an action that never succeeded: ", name(kind)));
        }
    }

    function name(uint256 kind) private pure returns (string memory) {
        bytes memory digits = new bytes(2);
        (digits[0], digits[1]) = (bytes1(uint8(48 + kind / 10)), bytes1(uint8(48 + kind % 10)));
        return string(digits);
    }

    function _act(uint256 kind) private {
        if (kind < 8) done[kind] += _user(kind) ? 1 : 0;
        else if (kind < 16) done[kind] += _operator(kind) ? 1 : 0;
        else done[kind] += _owner(kind) ? 1 : 0;
    }

    // ----------------------------------------------------------------- users

    function _user(uint256 kind) private returns (bool) {
        if (kind == 0) return swap(pool1, HUB, abi.encodePacked(bob), 0, address(usdcHub));
        if (kind == 1) return swap(hub, ETHEREUM, abi.encodePacked(bob), 0, address(usdc1));
        if (kind == 2) return swap(hub, PRIVATE, note(), 2, address(usdc1));
        if (kind == 3) return swap(hub, ARBITRUM, abi.encodePacked(bob), 0, address(there.token));
        if (kind == 4) return swap(shieldPool, HUB, abi.encodePacked(bob), 0, address(usdcHub));
        if (kind == 5) return relay(dice(2) == 0 ? goodHook() : bytes(hex"c0ffee"));
        if (kind == 6) return reclaim();
        return claim();
    }

    /// @dev Half of the time for another account than the caller.
    function swap(Pool pool, uint256 place, bytes memory to, uint8 kind, address token)
        private
        returns (bool)
    {
        uint256 amount = 10e6 + dice(3_000e6);
        provide(pool, alice, amount);
        bytes32 id = dice(2) == 0 ? partnerId : bytes32(0);
        if (dice(2) == 0) {
            return call(alice, pool, abi.encodeCall(pool.swap, (place, amount, to, kind, token, id)));
        }
        return call(alice, pool, abi.encodeCall(pool.swapFor, (place, amount, to, kind, token, id, treasury)));
    }

    function relay(bytes memory hook) private returns (bool) {
        uint256 amount = 20e6 + dice(3_000e6);
        uint256 fee = dice(amount / 100);
        bytes memory message = burn(amount, fee, hook);
        if (dice(4) == 0) put(message, 248, bytes32("a key of another kind of chain"));
        bytes memory attestation;
        (message, attestation) = attest(message, fee);
        return call(bob, receiver, abi.encodeCall(receiver.relay, (message, attestation)));
    }

    /// @dev The announcement, then the taking, both by a third party; at the receiver sometimes by the owner.
    function reclaim() private returns (bool) {
        if (orders.length == 0) return false;
        Order memory order = orders[dice(orders.length)];
        OrderSource source = OrderSource(order.srcPool);
        if (order.srcPool == address(receiver) && dice(2) == 0) {
            return callAsKey(order.refundTo, abi.encodeCall(receiver.reclaimHere, (order, treasury)));
        }
        if (dice(8) == 0) vm.warp(block.timestamp + 5 days);
        return call(bob, source, abi.encodeCall(source.reclaim, (order)));
    }

    /// @dev The first claim there is, if any: by its owner to another account, or by a third party.
    function claim() private returns (bool) {
        freeze(false);
        for (uint256 i; i < sources.length * accounts.length; ++i) {
            OrderSource source = sources[i / accounts.length];
            address owner = accounts[i % accounts.length];
            if (source.claims(owner) == 0) continue;
            if (dice(2) == 0) return call(owner, source, abi.encodeCall(source.claim, (treasury)));
            return call(alice, source, abi.encodeCall(source.claimFor, (owner)));
        }
        return false;
    }

    // ------------------------------------------------------------- operators

    function _operator(uint256 kind) private returns (bool) {
        if (kind == 14) return withdraw();
        if (kind == 15) return sweep();
        if (orders.length == 0) return false;
        Order memory order = anyOrder();
        OrderSource source = OrderSource(order.srcPool);
        Pool payer = Pool(order.dstPool);
        if (kind == 12) return call(relayer, source, abi.encodeCall(source.refund, (order)));
        if (kind == 13) return releaseSome(source);
        if (address(payer) == address(0)) return false;
        if (kind == 11) return call(relayer, payer, abi.encodeCall(payer.cancel, (order)));
        if (kind == 10) return payBatch(payer);
        freeze(dice(3) == 0);
        return call(relayer, payer, abi.encodeCall(payer.fulfil, (order, kind == 9)));
    }

    function payBatch(Pool payer) private returns (bool) {
        Order[] memory batch = new Order[](3);
        for (uint256 i; i < 3; ++i) {
            batch[i] = anyOrder();
        }
        freeze(false);
        return call(relayer, payer, abi.encodeCall(payer.fulfilMany, (batch)));
    }

    function releaseSome(OrderSource source) private returns (bool) {
        bytes32[] memory ids = new bytes32[](3);
        for (uint256 i; i < 3; ++i) {
            ids[i] = anyOrder().id();
        }
        return call(relayer, source, abi.encodeCall(source.releaseMany, (ids)));
    }

    /// @dev Releases the newest burn first, if there is one, so that something is free.
    function sweep() private returns (bool) {
        bytes32[] memory ids = new bytes32[](1);
        for (uint256 i; i < orders.length; ++i) {
            if (orders[i].srcPool == address(receiver) && orders[i].dstPool != address(0)) {
                ids[0] = orders[i].id();
            }
        }
        call(relayer, receiver, abi.encodeCall(receiver.releaseMany, (ids)));
        return call(bob, receiver, abi.encodeCall(receiver.sweep, ()));
    }

    function withdraw() private returns (bool) {
        Pool pool = pools[dice(pools.length)];
        return call(treasurer, pool, abi.encodeCall(pool.withdraw, (treasury, 1e6 + dice(100e6))));
    }

    // ---------------------------------------------------------------- owners

    function _owner(uint256 kind) private returns (bool) {
        OrderSource source = sources[dice(sources.length)];
        Pool pool = pools[dice(pools.length)];
        address owner = source.admin();
        if (kind == 16) return call(owner, source, abi.encodeCall(source.setPauses, (false, dice(4) == 0)));
        if (kind == 17) {
            uint96 cap = uint96(60_000e6 + dice(200_000e6));
            return call(owner, source, abi.encodeCall(source.setCap, (CapKind(dice(4)), cap)));
        }
        if (kind == 18) return destination(source, owner);
        if (kind == 19) return role(source, owner);
        if (kind == 20) return handover(source, owner);
        if (kind == 21) return route(pool, pool.admin());
        if (kind == 22) return poolSetting(pool, pool.admin());
        return partnerSetting();
    }

    function destination(OrderSource source, address owner) private returns (bool) {
        (, Link state,, uint32 rate,) = source.destinations(HUB, address(usdcHub));
        if (state == Link.None) return false;
        Destination memory d = terms(Delivery.Address, address(hub), rate - uint32(dice(2)));
        d.lifetime = uint32(6 hours + dice(3 days));
        return call(owner, source, abi.encodeCall(source.setDestination, (HUB, address(usdcHub), d)));
    }

    function role(OrderSource source, address owner) private returns (bool) {
        bytes32 id = roleIds[1 + dice(3)];
        if (dice(3) == 0) return call(guardian, source, abi.encodeCall(source.revokeRelayer, (standby)));
        if (dice(2) == 0) return call(owner, source, abi.encodeCall(source.grantRole, (id, partner)));
        return call(owner, source, abi.encodeCall(source.revokeRole, (id, partner)));
    }

    function handover(OrderSource source, address owner) private returns (bool) {
        address next = owner == admin ? successor : admin;
        bool offered = call(owner, source, abi.encodeCall(source.offerAdmin, (next)));
        if (dice(2) == 0) return offered;
        return call(next, source, abi.encodeCall(source.acceptAdmin, ()));
    }

    function route(Pool pool, address owner) private returns (bool) {
        if (dice(3) == 0) {
            Remote memory remote = Remote(ARBITRUM_DOMAIN, address(there.token), Link.Open);
            return call(gateway.admin(), gateway, abi.encodeCall(gateway.setRemote, (ARBITRUM, remote)));
        }
        if (dice(3) == 0) {
            uint32 domain = uint32(100 + dice(1000));
            return call(receiver.admin(), receiver, abi.encodeCall(receiver.setPlace, (domain, domain)));
        }
        uint96 cap = uint96(100_000e6 + dice(100_000e6));
        return call(
            owner,
            pool,
            abi.encodeCall(pool.setSource, (HUB, address(hub), Link.Open, uint24(OTHER_RATE), cap))
        );
    }

    function poolSetting(Pool pool, address owner) private returns (bool) {
        uint256 which = dice(3);
        if (which == 0) {
            Limits memory limits = Limits(uint128(1e6 + dice(10e6)), uint128(25_000e6 + dice(5_000e6)));
            return call(owner, pool, abi.encodeCall(pool.setLimits, (limits)));
        }
        if (which == 1) {
            return call(owner, pool, abi.encodeCall(pool.setFeeBound, (4_000 + uint32(dice(1000)))));
        }
        return call(owner, pool, abi.encodeCall(pool.setTreasury, (accounts[dice(3)], dice(2) == 0)));
    }

    function partnerSetting() private returns (bool) {
        if (dice(2) == 0) {
            return
                call(admin, address(registry), abi.encodeCall(registry.setActive, (partnerId, dice(4) != 0)));
        }
        (, uint32 rate,) = registry.integrators(partnerId);
        return call(admin, address(registry), abi.encodeCall(registry.lowerRate, (partnerId, rate - 1)));
    }
}
