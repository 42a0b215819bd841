// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pool} from "../../src/Pool.sol";
import {OrderSource} from "../../src/base/OrderSource.sol";
import {CapKind} from "../../src/interfaces/ILedger.sol";
import {DepositState} from "../../src/interfaces/IOrderSource.sol";
import {Order} from "../../src/types/Order.sol";
import {Books} from "./Books.sol";

/// @notice Actions of users, relayers, roles and strangers
/// @dev A call that the contracts refuse changes nothing; each that succeeds is counted and booked.
abstract contract Actions is Books {
    bytes private constant REFUSES = hex"60006000fd";

    uint256[] private unreleased; // paid orders, as far as the relayer knows
    bytes internal usedMessage;
    bytes internal usedAttestation;

    // ----------------------------------------------------------------- users

    function actDeposits() internal {
        actDeposit();
        actDeposit();
    }

    function actDeposit() private {
        Kind kind = Kind(draw(0, KINDS - 1));
        if (kind == Kind.Burn) return actBurn();
        freeze(alice, false); // a frozen account can deposit nothing
        (uint128 min, uint128 max) = sourceOf(kind).limits();
        Deal memory deal = sign(kind, draw(min, max));
        if (mine(deal)) recordOpened(deal.from, deal.amount, deal.order);
    }

    /// @dev Of any size, with any fee, and now and then with a hook that says nothing.
    function actBurn() internal {
        freeze(alice, false);
        uint256 amount = draw(1e6, 30_000e6);
        uint256 fee = draw(0, amount / 100);
        bytes memory hook = chance(5) ? bytes(hex"c0ffee") : hookFor(abi.encodePacked(bob));
        (bytes memory message, bytes memory attestation) = attest(burn(amount, fee, hook), fee);
        vm.recordLogs();
        receiver.relay(message, attestation);
        recordOpened(receiver, amount - fee, lastOrder());
        (usedMessage, usedAttestation) = (message, attestation);
    }

    /// @dev Accounts that cannot be paid for a while: frozen by the token's issuer, or a contract that takes no coins.
    function actFreeze() internal {
        freeze([alice, bob, partner][draw(0, 2)], chance(2));
    }

    function freeze(address who, bool frozen) private {
        usdc1.setBlacklisted(who, frozen);
        usdc56.setBlacklisted(who, frozen);
        usdcHub.setBlacklisted(who, frozen);
        here.token.setBlacklisted(who, frozen);
        vm.etch(who, frozen ? REFUSES : bytes(""));
    }

    function actClaim() internal {
        actFreeze();
        for (uint256 i; i < ledgers.length; ++i) {
            claimFor(stranger, ledgers[i], [alice, bob, partner][draw(0, 2)]);
        }
    }

    function claimFor(address caller, OrderSource ledger, address account_) internal {
        uint256 amount = ledger.claims(account_);
        vm.prank(caller);
        try ledger.claimFor(account_) {
            left[address(ledger)] += amount;
            count(Did.Claim);
        } catch {}
    }

    function actReclaim() internal {
        for (uint256 i; i < 4 && orders.length > 0; ++i) {
            reclaim(stranger, orders[draw(0, orders.length - 1)]);
        }
    }

    function reclaim(address caller, Order memory order) internal {
        OrderSource from = OrderSource(order.srcPool);
        (bytes32 id, uint256 owing) = (order.id(), owed(from));
        (uint256 amount,,, DepositState state) = from.deposits(id);
        vm.prank(caller);
        try from.reclaim(order) {
            if (state == DepositState.Held) return count(Did.Announce);
            recordBack(order, amount);
            recordLeft(from, amount, owing);
            count(Did.Reclaim);
        } catch {}
    }

    /// @dev The owner of a burn takes it at the gateway.
    function actReclaimHere() internal {
        for (uint256 i = orders.length; i > 0; --i) {
            Order memory order = orders[i - 1];
            uint256 amount = held(receiver, order.id());
            if (order.srcPool != address(receiver) || amount == 0) continue;
            vm.prank(alice, alice);
            try receiver.reclaimHere(order, bob) {
                recordBack(order, amount);
                left[address(receiver)] += amount;
                return count(Did.ReclaimHere);
            } catch {}
        }
    }

    // --------------------------------------------------------------- relayer

    /// @dev Offered at random, paid or not; the settler's rule is kept: not for a source that is a day behind.
    function actPay() internal {
        for (uint256 i; i < 5 && orders.length > 0; ++i) {
            pay(recent());
        }
    }

    function pay(uint256 index) private {
        Order memory order = orders[index];
        if (order.dstPool == address(0) || order.dstPool.code.length == 0) return;
        (uint96 cap,,) = OrderSource(order.srcPool).caps(CapKind.Releases);
        if (backlog[order.srcPool] > cap / 2) return;
        if (!payAs(relayer, order, chance(4))) return;
        recordPaid(order);
        unreleased.push(index);
    }

    /// @notice Pays `order` alone or in a batch of one; tells whether it was paid
    function payAs(address by, Order memory order, bool inBatch) internal returns (bool) {
        Pool pool = Pool(order.dstPool);
        (uint256 owing, uint256 out) = (owed(pool), leaves(pool, order));
        bool settled = uint256(pool.settlements(order.id())) != 0;
        Order[] memory batch = new Order[](1);
        batch[0] = order;
        vm.prank(by);
        (bool ok,) = address(pool)
            .call(
                inBatch
                    ? abi.encodeCall(Pool.fulfilMany, (batch))
                    : abi.encodeCall(Pool.fulfil, (order, true))
            );
        if (!ok || settled || uint256(pool.settlements(order.id())) != 1) return false;
        recordLeft(pool, out, owing);
        recordSpent(pool, CapKind.Payments, out);
        count(inBatch ? Did.Batch : Did.Pay);
        if (order.recipientType == 2) count(Did.Shield);
        if (order.dstPlace == ARBITRUM) count(Did.Onward);
        return true;
    }

    function actRelease() internal {
        for (uint256 i = unreleased.length; i > 0; --i) {
            Order memory order = orders[unreleased[i - 1]];
            release(relayer, order);
            if (!fates[order.id()].released) continue;
            unreleased[i - 1] = unreleased[unreleased.length - 1];
            unreleased.pop();
        }
    }

    function release(address by, Order memory order) private {
        OrderSource from = OrderSource(order.srcPool);
        bytes32[] memory ids = new bytes32[](1);
        ids[0] = order.id();
        uint256 amount = held(from, ids[0]);
        vm.prank(by);
        try from.releaseMany(ids) {} catch {}
        if (amount == 0 || held(from, ids[0]) > 0) return;
        kept[address(from)] -= amount;
        recordSpent(from, CapKind.Releases, amount);
        fates[ids[0]].released = true;
        if (fates[ids[0]].paid) backlog[address(from)] -= amount;
        else fates[ids[0]].voided = true;
        count(fates[ids[0]].paid ? Did.Release : Did.Lie);
    }

    function actCancelAndRefund() internal {
        if (orders.length == 0) return;
        Order memory order = orders[recent()];
        Pool pool = Pool(order.dstPool);
        bool over = block.timestamp >= order.deadline && !fates[order.id()].paid;
        if (!over && order.dstPool.code.length > 0) {
            vm.prank(relayer);
            try pool.cancel(order) {
                vm.assertFalse(fates[order.id()].paid, "a paid order is not cancelled");
                over = true;
                count(Did.Cancel);
            } catch {}
        }
        if (over) refund(order);
    }

    function refund(Order memory order) private {
        OrderSource from = OrderSource(order.srcPool);
        (uint256 amount, uint256 owing) = (held(from, order.id()), owed(from));
        vm.prank(relayer);
        try from.refund(order) {
            recordBack(order, amount);
            recordLeft(from, amount, owing);
            recordSpent(from, CapKind.Refunds, amount);
            count(Did.Refund);
        } catch {}
    }

    /// @dev A stolen key: it pays what was never deposited, and releases what was never paid.
    function actLie() internal {
        if (orders.length == 0) return;
        Order memory order = orders[recent()];
        if (chance(4) && !fates[order.id()].paid) release(standby, order);
        if (order.dstPool.code.length == 0) return;
        if (order.recipientType == 0) order.recipient = abi.encodePacked(stranger);
        for (uint256 i; i < 10; ++i) {
            order.nonce = draw(0, type(uint256).max - 1);
            order.deadline = uint48(block.timestamp + 1);
            if (payAs(standby, order, false)) count(Did.Lie);
        }
    }

    function recent() internal returns (uint256) {
        return draw(orders.length > 20 ? orders.length - 20 : 0, orders.length - 1);
    }
}
