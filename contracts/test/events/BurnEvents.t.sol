// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IOrderSource, Refund} from "../../src/interfaces/IOrderSource.sol";
import {IReceiver} from "../../src/interfaces/IReceiver.sol";
import {Order, Refusal} from "../../src/types/Order.sol";
import {BurnFixture} from "../support/BurnFixture.sol";

/// @notice Every event of a burn's life at the receiver: all topics and all data
contract BurnEventsTest is BurnFixture {
    uint256 private constant FEE = 300_000; // of 100e6; 200,000 of it are absorbed
    uint256 private constant MINTED = 100e6 - FEE;

    function test_OrderOpened_BurnReceived() public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, FEE, goodHook()), FEE);
        Order memory order = payable_();
        expectOpened(order);
        vm.expectEmit(address(receiver));
        emit IReceiver.BurnReceived(order.id(), bytes32(uint256(1)), ARBITRUM_DOMAIN, word(alice), 100e6, FEE);
        vm.assertEq(receiver.relay(message, attestation), order.id(), "ID");
    }

    /// @dev The order of a good burn, written out by hand.
    function payable_() private view returns (Order memory order) {
        order = unpayable();
        order.dstPlace = HUB;
        order.dstPool = address(hub);
        order.dstToken = address(usdcHub);
        order.rate = INBOUND_RATE;
        order.recipient = abi.encodePacked(bob);
        order.deadline = uint48(block.timestamp + LIFETIME);
    }

    /// @dev The order of a burn without a readable instruction: no payer, and over at once.
    function unpayable() private view returns (Order memory order) {
        order.srcPlace = ARBITRUM;
        order.srcPool = address(receiver);
        order.refundTo = alice;
        order.nonce = 1;
        order.srcDecimals = 6;
        order.amount = 100e6 - 100_000;
        order.deadline = uint48(block.timestamp);
    }

    function expectOpened(Order memory order) private {
        vm.expectEmit(address(receiver));
        emit IOrderSource.OrderOpened(
            order.id(), order.refundTo, order.dstPlace, order.refundTo, 0, MINTED, order
        );
    }

    function test_OrderUnpayable() public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, FEE, hex"c0ffee"), FEE);
        Order memory order = unpayable();
        expectOpened(order);
        vm.expectEmit(address(receiver));
        emit IReceiver.BurnReceived(order.id(), bytes32(uint256(1)), ARBITRUM_DOMAIN, word(alice), 100e6, FEE);
        vm.expectEmit(address(receiver));
        emit IReceiver.OrderUnpayable(order.id(), Refusal.Hook);
        receiver.relay(message, attestation);
    }

    function test_Credited_Claimed_ofASenderWithoutAddress() public {
        bytes memory message = burn(100e6, FEE, goodHook());
        put(message, 248, bytes32("a key of another kind of chain"));
        bytes memory attestation;
        (message, attestation) = attest(message, FEE);
        Order memory order = payable_();
        (order.refundTo, order.dstPool, order.rate) = (address(0), address(0), 0);
        order.deadline = uint48(block.timestamp);
        expectOpened(order);
        vm.expectEmit(address(receiver));
        emit IReceiver.OrderUnpayable(order.id(), Refusal.Source);
        vm.expectEmit(address(receiver));
        emit ILedger.Credited(lastResort, order.id(), MINTED);
        receiver.relay(message, attestation);
        vm.expectEmit(address(receiver));
        emit ILedger.Claimed(lastResort, lastResort, bob, MINTED);
        vm.prank(bob);
        receiver.claimFor(lastResort);
    }

    function test_OrderRefunded() public {
        bytes32 id = deliver(100e6, FEE, goodHook());
        Order memory order = lastOrder();
        vm.expectEmit(address(receiver));
        emit IOrderSource.OrderRefunded(id, alice, MINTED, Refund.BurnedBack);
        vm.prank(relayer);
        receiver.refund(order);
    }

    function test_ReclaimAnnounced_OrderReclaimed() public {
        bytes32 id = deliver(100e6, FEE, goodHook());
        Order memory order = lastOrder();
        vm.warp(order.deadline + 6 days);
        vm.expectEmit(address(receiver));
        emit IOrderSource.ReclaimAnnounced(id, bob, uint48(block.timestamp + 2 days));
        vm.prank(bob);
        receiver.reclaim(order);
        vm.warp(block.timestamp + 2 days);
        uint256 before = vm.snapshotState();
        vm.expectEmit(address(receiver));
        emit IOrderSource.OrderReclaimed(id, alice, MINTED, Refund.BurnedBack);
        receiver.reclaim(order);
        vm.revertToState(before);
        vm.expectEmit(address(receiver));
        emit IOrderSource.OrderReclaimed(id, treasury, MINTED, Refund.PaidHere);
        vm.prank(alice, alice);
        receiver.reclaimHere(order, treasury);
    }

    function test_OrderReleased_ReleaseSkipped_BatchStopped_Swept() public {
        bytes32[] memory ids = new bytes32[](2);
        ids[0] = deliver(100e6, FEE, goodHook());
        ids[1] = deliver(100e6, FEE, hex"c0ffee");
        vm.expectEmit(address(receiver));
        emit IOrderSource.BatchStopped(0);
        vm.prank(relayer);
        receiver.releaseMany{gas: 45_000}(ids);
        vm.expectEmit(address(receiver));
        emit IOrderSource.OrderReleased(ids[0], MINTED);
        vm.expectEmit(address(receiver));
        emit IOrderSource.ReleaseSkipped(ids[1], IOrderSource.OrderIsUnpayable.selector);
        vm.prank(relayer);
        receiver.releaseMany(ids);
        vm.expectEmit(address(receiver));
        emit IReceiver.Swept(MINTED);
        receiver.sweep();
    }
}
