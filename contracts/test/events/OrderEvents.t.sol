// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pool} from "../../src/Pool.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IOrderSource, Refund} from "../../src/interfaces/IOrderSource.sol";
import {IPool} from "../../src/interfaces/IPool.sol";
import {Delivery, Order} from "../../src/types/Order.sol";
import {BurnFixture} from "../support/BurnFixture.sol";

/// @notice Every event of an order's life at every kind of pool: all topics and all data
contract OrderEventsTest is BurnFixture {
    Pool[3] private pools;
    bytes32 private partnerId;

    function setUp() public override {
        super.setUp();
        link(gateway, GATEWAY, hub, HUB, address(usdcHub), INBOUND_RATE, Delivery.Address);
        pools = [pool1, Pool(gateway), Pool(shieldPool)];
        partnerId = register(2_500);
        for (uint256 i; i < pools.length; ++i) {
            fund(pools[i], 100_000e6);
        }
        here.messenger.setMinFee(10); // a thousandth of a basis point each
    }

    // ------------------------------------------------------------- at a source

    function test_OrderOpened() public {
        bytes memory to = abi.encodePacked(bob);
        for (uint256 i; i < pools.length; ++i) {
            address owner = isShield(pools[i]) ? bob : alice; // there the recipient is who is refunded
            expectOpened(pools[i], inbound(pools[i], owner, 0), 0);
            pools[i].swap(HUB, 100e6, to, 0, address(usdcHub), partnerId);
            expectOpened(pools[i], inbound(pools[i], treasury, 0), 1);
            pools[i].swapFor(HUB, 100e6, to, 0, address(usdcHub), partnerId, treasury);
            expectOpened(pools[i], inbound(pools[i], owner, 1), 2);
            pools[i].swap(HUB, 100e6, to, 0, address(usdcHub), partnerId);
        }
    }

    /// @dev The order written out by hand, field by field.
    function inbound(Pool pool, address refundTo, uint256 count) private view returns (Order memory) {
        return Order({
            srcPlace: pool.place(),
            srcPool: address(pool),
            refundTo: refundTo,
            nonce: nonceOf(alice, count),
            srcDecimals: 6,
            amount: 100e6,
            dstPlace: HUB,
            dstPool: address(hub),
            dstToken: address(usdcHub),
            rate: isShield(pool) ? OTHER_RATE : INBOUND_RATE,
            integratorId: partnerId,
            recipientType: 0,
            recipient: abi.encodePacked(bob),
            deadline: uint48(block.timestamp + LIFETIME)
        });
    }

    /// @dev Also gives alice the deposit: she is the next caller.
    function expectOpened(Pool pool, Order memory order, uint256 number) private {
        provide(pool, alice, 100e6);
        vm.expectEmit(address(pool));
        emit IOrderSource.OrderOpened(order.id(), order.refundTo, HUB, alice, number, 100e6, order);
        vm.prank(alice);
    }

    function swap(Pool pool, bytes32 integratorId) private returns (Order memory) {
        return open(pool, alice, 100e6, HUB, abi.encodePacked(bob), 0, address(usdcHub), integratorId);
    }

    function test_OrderRefunded_paidAndOwed() public {
        for (uint256 i; i < pools.length; ++i) {
            Order memory order = swap(pools[i], 0);
            vm.expectEmit(address(pools[i]));
            emit IOrderSource.OrderRefunded(order.id(), order.refundTo, 100e6, Refund.Paid);
            refund(pools[i], order);

            order = swap(pools[i], 0);
            freeze(order.refundTo, true);
            vm.expectEmit(address(pools[i]));
            emit ILedger.Credited(order.refundTo, order.id(), 100e6);
            vm.expectEmit(address(pools[i]));
            emit IOrderSource.OrderRefunded(order.id(), order.refundTo, 100e6, Refund.Owed);
            refund(pools[i], order);
            freeze(order.refundTo, false);
            claimed(pools[i], order.refundTo, 100e6);
        }
    }

    function test_OrderReleased_ReleaseSkipped_BatchStopped() public {
        for (uint256 i; i < pools.length; ++i) {
            bytes32[] memory ids = new bytes32[](2);
            ids[0] = swap(pools[i], 0).id();
            ids[1] = "not an order";
            vm.expectEmit(address(pools[i]));
            emit IOrderSource.BatchStopped(0);
            vm.prank(relayer);
            pools[i].releaseMany{gas: 45_000}(ids);
            vm.expectEmit(address(pools[i]));
            emit IOrderSource.OrderReleased(ids[0], 100e6);
            vm.expectEmit(address(pools[i]));
            emit IOrderSource.ReleaseSkipped(ids[1], IOrderSource.NotHeld.selector);
            vm.prank(relayer);
            pools[i].releaseMany(ids);
        }
    }

    function test_ReclaimAnnounced_OrderReclaimed() public {
        for (uint256 i; i < pools.length; ++i) {
            Order memory order = swap(pools[i], 0);
            vm.warp(order.deadline + 5 days);
            vm.expectEmit(address(pools[i]));
            emit IOrderSource.ReclaimAnnounced(order.id(), partner, uint48(block.timestamp + 2 days));
            vm.prank(partner);
            pools[i].reclaim(order);
            vm.warp(block.timestamp + 2 days);
            vm.expectEmit(address(pools[i]));
            emit IOrderSource.OrderReclaimed(order.id(), order.refundTo, 100e6, Refund.Paid);
            pools[i].reclaim(order);
        }
    }

    // -------------------------------------------------------------- at a payer

    /// @dev Of 100: 0.5 to the protocol, 0.25 to the partner; the third party's fee comes on top.
    function test_OrderFulfilled() public {
        uint256[3] memory thirdParty = [uint256(0), 99, 248_746];
        for (uint256 i; i < pools.length; ++i) {
            Order memory order = outbound(pools[i]);
            address recipient = isShield(pools[i]) ? address(0) : bob;
            vm.expectEmit(address(pools[i]));
            emit IPool.OrderFulfilled(
                order.id(),
                partnerId,
                recipient,
                HUB,
                address(hub),
                99_250_000,
                500_000,
                250_000,
                thirdParty[i],
                true
            );
            fulfil(pools[i], order);
        }
    }

    /// @dev A recipient is owed by a pool that pays addresses, a partner by every pool.
    function test_Credited_andClaimedByBothCalls() public {
        for (uint256 i; i < pools.length; ++i) {
            Order memory order = isGateway(pools[i]) ? local() : outbound(pools[i]);
            bool paid = isShield(pools[i]);
            freeze(partner, true);
            freeze(bob, true);
            vm.expectEmit(address(pools[i]));
            emit ILedger.Credited(partner, order.id(), 250_000);
            if (!paid) {
                vm.expectEmit(address(pools[i]));
                emit ILedger.Credited(bob, order.id(), 99_250_000);
            }
            vm.expectEmit(address(pools[i]));
            emit IPool.OrderFulfilled(
                order.id(),
                partnerId,
                paid ? address(0) : bob,
                HUB,
                address(hub),
                99_250_000,
                500_000,
                250_000,
                paid ? 248_746 : 0,
                paid
            );
            fulfilOrOwe(pools[i], order);
            freeze(partner, false);
            freeze(bob, false);
            claimed(pools[i], partner, 250_000);
        }
    }

    function test_OrderCancelled_OrderSkipped_BatchStopped() public {
        for (uint256 i; i < pools.length; ++i) {
            Order[] memory batch = new Order[](1);
            batch[0] = outbound(pools[i]);
            vm.expectEmit(address(pools[i]));
            emit IOrderSource.BatchStopped(0);
            vm.prank(relayer);
            pools[i].fulfilMany{gas: 250_000}(batch);
            vm.expectEmit(address(pools[i]));
            emit IPool.OrderCancelled(batch[0].id());
            vm.prank(relayer);
            pools[i].cancel(batch[0]);
            vm.expectEmit(address(pools[i]));
            emit IPool.OrderSkipped(batch[0].id(), IPool.AlreadySettled.selector);
            vm.prank(relayer);
            pools[i].fulfilMany(batch);
        }
    }

    function test_Funded_Withdrawn() public {
        for (uint256 i; i < pools.length; ++i) {
            provide(pools[i], alice, 7e6);
            vm.expectEmit(address(pools[i]));
            emit IPool.Funded(alice, 7e6);
            vm.prank(alice);
            pools[i].fund(7e6);
            vm.prank(admin);
            pools[i].setTreasury(bob, true);
            vm.expectEmit(address(pools[i]));
            emit IPool.Withdrawn(bob, 6e6);
            vm.prank(treasurer);
            pools[i].withdraw(bob, 6e6);
        }
    }

    // ----------------------------------------------------------------- helpers

    /// @dev An order that `pool` pays: to an address, by burning onward, or into a note.
    function outbound(Pool pool) private returns (Order memory) {
        bytes memory to = abi.encodePacked(bob);
        if (address(pool) == address(pool1)) {
            return open(hub, alice, 100e6, ETHEREUM, to, 0, address(usdc1), partnerId);
        }
        if (isGateway(pool)) {
            return open(hub, alice, 100e6, ARBITRUM, to, 0, address(there.token), partnerId);
        }
        return open(hub, alice, 100e6, PRIVATE, note(), 2, address(usdc1), partnerId);
    }

    /// @dev An order that the gateway pool pays on its own network.
    function local() private returns (Order memory) {
        return open(hub, alice, 100e6, GATEWAY, abi.encodePacked(bob), 0, address(here.token), partnerId);
    }

    /// @dev By the account itself to another and, after going back, by a third party.
    function claimed(Pool pool, address account_, uint256 amount) private {
        uint256 before = vm.snapshotState();
        vm.expectEmit(address(pool));
        emit ILedger.Claimed(account_, treasury, account_, amount);
        vm.prank(account_);
        pool.claim(treasury);
        vm.revertToState(before);
        vm.expectEmit(address(pool));
        emit ILedger.Claimed(account_, account_, admin, amount);
        vm.prank(admin);
        pool.claimFor(account_);
    }

    function isShield(Pool pool) private view returns (bool) {
        return address(pool) == address(shieldPool);
    }

    function isGateway(Pool pool) private view returns (bool) {
        return address(pool) == address(gateway);
    }

    function refund(Pool pool, Order memory order) private {
        vm.prank(relayer);
        pool.refund(order);
    }

    function freeze(address account_, bool frozen) private {
        usdc1.setBlacklisted(account_, frozen);
        here.token.setBlacklisted(account_, frozen);
    }
}
