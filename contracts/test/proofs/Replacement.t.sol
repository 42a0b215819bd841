// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pool} from "../../src/Pool.sol";
import {Receiver} from "../../src/Receiver.sol";
import {OrderSource} from "../../src/base/OrderSource.sol";
import {Destination} from "../../src/interfaces/IOrderSource.sol";
import {Settlement} from "../../src/interfaces/IPool.sol";
import {Delivery, Link, Order} from "../../src/types/Order.sol";
import {Deals} from "./Deals.sol";

/// @notice Paying pool, source pool and receiver are replaced one after the other while orders go on; each is paid once
/// @dev Old and new pay side by side. The relayer checks nothing: it offers every order to both paying pools, again
/// and again. Some burns for the old receiver are relayed only when it has long been replaced.
contract ReplacementTest is Deals {
    uint256 private constant ORDERS = 500;
    uint256 private constant AMOUNT = 100e6;

    struct Late {
        Receiver to;
        bytes message;
        bytes attestation;
    }

    Pool private taker; // the ones that quotes name now
    Receiver private burns;
    Late[] private lates;
    uint256 private toOldReceiver; // burns for the first receiver that were relayed after it was replaced

    function test_replacement_fiveHundredOrdersAreEachPaidOnce() public {
        reseed(1);
        (taker, burns) = (pool1, receiver);
        Order[] memory orders = new Order[](ORDERS);
        uint256[] memory payments = new uint256[](ORDERS);
        uint256 count;
        for (uint256 step; count < ORDERS; ++step) {
            if (step == 100) replacePayer();
            if (step == 200) replaceSource();
            if (step == 300) replaceReceiver();
            (bool made, Order memory order) = act(step, ORDERS - count <= lates.length);
            if (made) orders[count++] = order;
            if (count > 0) offer(orders, payments, draw(0, count - 1));
        }
        for (uint256 i; i < 2 * ORDERS; ++i) {
            offer(orders, payments, i % ORDERS);
        }
        for (uint256 i; i < ORDERS; ++i) {
            vm.assertEq(payments[i], 1, "one payment");
            settled(orders[i]);
        }
        vm.assertGe(toOldReceiver, 5, "old burns relayed after the replacement");
    }

    /// @dev The money says the same as the count, and the source lets the deposit go.
    function settled(Order memory order) private {
        bytes32 id = order.id();
        bool old = hub.settlements(id) == Settlement.Fulfilled;
        vm.assertTrue(old != (hub2.settlements(id) == Settlement.Fulfilled), "by one of the pools");
        uint256 quoted = AMOUNT - AMOUNT * INBOUND_RATE / 1e6;
        vm.assertEq(usdcHub.balanceOf(address(bytes20(order.recipient))), quoted, "what was quoted, once");
        release(OrderSource(order.srcPool), id);
        vm.assertEq(held(OrderSource(order.srcPool), id), 0, "released");
    }

    // ------------------------------------------------------------------- act

    /// @notice Makes an order by a swap or a burn, or a burn that is relayed at some later step
    function act(uint256 step, bool lateOnly) private returns (bool, Order memory order) {
        if (lateOnly || (lates.length > 0 && chance(12))) return (true, relayLate());
        bytes memory to = abi.encodePacked(address(uint160(0xB0000000 + step)));
        if (chance(2)) return (true, open(taker, alice, AMOUNT, HUB, to, 0, address(usdcHub), 0));
        receiver = burns; // the one that the fixture burns for
        (bytes memory message, bytes memory attestation) = attest(burn(AMOUNT, 0, hookFor(to)), 0);
        lates.push(Late(burns, message, attestation));
        if (chance(4)) return (false, order);
        return (true, relayLate());
    }

    function relayLate() private returns (Order memory) {
        uint256 which = draw(0, lates.length - 1);
        Late memory late = lates[which];
        lates[which] = lates[lates.length - 1];
        lates.pop();
        if (address(late.to) != address(burns)) ++toOldReceiver;
        vm.recordLogs();
        late.to.relay(late.message, late.attestation);
        return lastOrder();
    }

    /// @dev To both pools, in random order; none but the one it names may take it, and that only once.
    function offer(Order[] memory orders, uint256[] memory payments, uint256 which) private {
        bool newer = chance(2);
        for (uint256 i; i < 2; ++i) {
            Pool pool = newer == (i == 0) ? hub2 : hub;
            vm.prank(relayer);
            try pool.fulfil(orders[which], false) {
                ++payments[which];
            } catch {}
        }
    }

    // --------------------------------------------------------------- replace

    /// @dev The new pool knows the sources before they name it; the old one keeps them, for what is under way.
    function replacePayer() private {
        vm.startPrank(admin);
        OrderSource[2] memory from = [OrderSource(pool1), receiver];
        for (uint256 i; i < from.length; ++i) {
            from[i].setDestination(
                HUB, address(usdcHub), terms(Delivery.Address, address(hub2), INBOUND_RATE)
            );
        }
        vm.stopPrank();
    }

    /// @dev Open the new, then close the old; what the old one holds is still paid and released.
    function replaceSource() private {
        taker = newPool(ETHEREUM, currency(usdc1), 6, dollars(6));
        link(taker, ETHEREUM, hub2, HUB, address(usdcHub), INBOUND_RATE, Delivery.Address);
        Destination memory last = closed(pool1, HUB, address(usdcHub));
        vm.prank(guardian);
        pool1.setDestination(HUB, address(usdcHub), last);
    }

    /// @dev The old one is never retired: burns for it may be relayed for ever.
    function replaceReceiver() private {
        vm.chainId(GATEWAY);
        burns = new Receiver(receiverConfig());
        vm.startPrank(admin);
        burns.setPlace(ARBITRUM_DOMAIN, ARBITRUM);
        burns.setDestination(HUB, address(usdcHub), terms(Delivery.Address, address(hub2), INBOUND_RATE));
        hub2.setSource(ARBITRUM, address(burns), Link.Open, uint24(INBOUND_RATE), 200_000e6);
        vm.stopPrank();
    }
}
