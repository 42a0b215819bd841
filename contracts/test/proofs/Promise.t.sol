// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pool} from "../../src/Pool.sol";
import {DepositState} from "../../src/interfaces/IOrderSource.sol";
import {Link} from "../../src/types/Order.sol";
import {Deals} from "./Deals.sol";

/// @notice What was quoted is paid, or the deposit comes back: never neither, never both
/// @dev Between any two steps, from the signature on, admin, guardian and treasurer change whatever they can. Of a burn
/// the signature is the burn itself, long before it is relayed.
///
/// Premises: the relayer says what is true (it releases what was paid and refunds what was cancelled or has expired), and
/// within five days of a deadline the admin lets one act.
contract PromiseTest is Deals {
    enum Outcome {
        Refused,
        Paid,
        Refunded,
        Reclaimed
    }

    /// @dev What the two parties and the issuer had when the quote was signed.
    struct Before {
        uint256 received;
        uint256 owned;
        uint256 issuer;
    }

    /// @dev The payers would take as much as they may: only the order's own rate stands against it.
    function setUp() public override {
        super.setUp();
        for (uint256 i; i < payers.length; ++i) {
            Payer memory p = payers[i];
            (,, uint96 cap,,) = p.pool.sources(p.place, p.source);
            vm.prank(admin);
            p.pool.setSource(p.place, p.source, Link.Open, 10_000, cap);
        }
    }

    /// forge-config: default.fuzz.runs = 200
    /// forge-config: deep.fuzz.runs = 5000
    function test_fuzz_promise_isKept(uint256 seed) public {
        journey(seed);
    }

    /// @dev Otherwise the promise could be kept because nothing happens.
    function test_promise_everyOutcomeIsReached() public {
        uint256[4][KINDS] memory reached;
        (uint256 changes, uint256 refunded, uint256 refused) = (0, 0, 0);
        for (uint256 seed; seed < 200; ++seed) {
            uint256 world = vm.snapshotState();
            (Kind kind, Outcome outcome) = journey(seed);
            changes += tightened;
            vm.revertToState(world);
            ++reached[uint256(kind)][uint256(outcome)];
        }
        vm.assertGe(changes, 200, "changes by the guardian");
        for (uint256 kind; kind < KINDS; ++kind) {
            vm.assertGe(reached[kind][uint256(Outcome.Paid)], 2, "paid");
            vm.assertGe(reached[kind][uint256(Outcome.Reclaimed)], 1, "reclaimed");
            refunded += reached[kind][uint256(Outcome.Refunded)];
            refused += reached[kind][uint256(Outcome.Refused)];
        }
        vm.assertGe(refunded, 10, "refunded");
        vm.assertGe(refused, 10, "refused");
        vm.assertEq(reached[uint256(Kind.Burn)][uint256(Outcome.Refused)], 0, "no burn is refused");
    }

    // --------------------------------------------------------------- journey

    function journey(uint256 seed) private returns (Kind kind, Outcome outcome) {
        reseed(seed);
        kind = Kind(draw(0, KINDS - 1));
        (source, payer) = (address(sourceOf(kind)), payerOf(kind));
        (uint128 min, uint128 max) = sourceOf(kind).limits();
        Before memory before = Before(received(kind), 0, issuerHas());
        Deal memory deal = sign(kind, draw(min, max));
        before.owned = owned(kind) + (kind == Kind.Burn ? deal.amount : 0);
        vm.recordLogs();
        pass(8, 3 days);
        if (!mine(deal)) {
            vm.assertEq(owned(kind), before.owned, "what was refused was not taken");
            return (kind, Outcome.Refused);
        }
        outcome = settle(deal);
        check(deal, before, outcome == Outcome.Paid);
    }

    function payerOf(Kind kind) private view returns (address pool) {
        (uint256 place, address token) = target(kind);
        (,, pool,,) = sourceOf(kind).destinations(place, token);
    }

    /// @notice Up to `changes` changes, then some time
    function pass(uint256 changes, uint256 time) private {
        changeMany(changes);
        vm.warp(block.timestamp + draw(0, time));
    }

    function settle(Deal memory deal) private returns (Outcome) {
        vm.recordLogs();
        bool paid = !chance(3) && isPaid(deal);
        if (paid) releaseInTime(deal);
        else if (chance(2)) refundIfAllowed(deal);
        bool refunded = !paid && stateOf(deal.from, deal.order.id()) == DepositState.None;
        reclaimAsStranger(deal, paid || refunded);
        mintThere();
        collect();
        if (paid) return Outcome.Paid;
        return refunded ? Outcome.Refunded : Outcome.Reclaimed;
    }

    /// @dev Three attempts; after a success the others must fail.
    function isPaid(Deal memory deal) private returns (bool paid) {
        for (uint256 i; i < 3; ++i) {
            pass(2, 1 days);
            if (chance(2)) employ(deal.order.dstPool);
            bool now_ = asRelayer(deal.order.dstPool, abi.encodeCall(Pool.fulfil, (deal.order, true)));
            vm.assertFalse(paid && now_, "an order is paid once");
            paid = paid || now_;
        }
    }

    /// @dev The relayer is late: others may have announced that they reclaim the deposit.
    function releaseInTime(Deal memory deal) private {
        pass(3, 4 days);
        try deal.from.reclaim(deal.order) {} catch {}
        pass(3, 2 days - 1);
        employ(address(deal.from));
        bytes32[] memory ids = new bytes32[](1);
        ids[0] = deal.order.id();
        asRelayer(address(deal.from), abi.encodeCall(deal.from.releaseMany, (ids)));
        vm.assertEq(held(deal.from, ids[0]), 0, "what was paid can be released");
    }

    /// @dev Cancelled first, or late enough that it cannot be paid any more.
    function refundIfAllowed(Deal memory deal) private {
        bool cancelled = chance(2) && asRelayer(deal.order.dstPool, abi.encodeCall(Pool.cancel, (deal.order)));
        if (!cancelled && block.timestamp < deal.order.deadline) vm.warp(deal.order.deadline);
        pass(2, 1 days);
        asRelayer(address(deal.from), abi.encodeCall(deal.from.refund, (deal.order)));
        tooLate(deal);
    }

    /// @dev By an account without any role, with changes before each of the two steps.
    function reclaimAsStranger(Deal memory deal, bool over) private {
        pass(3, 1 days);
        uint256 from = deal.order.deadline + 5 days;
        if (block.timestamp < from) vm.warp(from);
        reclaim(deal, over);
        changeMany(3);
        vm.warp(block.timestamp + 2 days);
        reclaim(deal, over);
        tooLate(deal);
    }

    function tooLate(Deal memory deal) private {
        bool paid = asRelayer(deal.order.dstPool, abi.encodeCall(Pool.fulfil, (deal.order, true)));
        vm.assertFalse(paid, "what was paid, was cancelled or has expired is not paid");
    }

    function reclaim(Deal memory deal, bool over) private {
        if (over) vm.expectRevert(notHeld(deal.order.id()));
        vm.prank(stranger);
        deal.from.reclaim(deal.order);
    }

    function check(Deal memory deal, Before memory before, bool paid) private view {
        uint256 got = received(deal.kind) - before.received;
        uint256 back = owned(deal.kind) + deal.amount - before.owned;
        uint256 fees = deal.kind == Kind.Burn ? issuerHas() - before.issuer : 0;
        if (paid) {
            vm.assertGe(got, deal.quoted, "the recipient has what was quoted or more");
            vm.assertEq(back, 0, "and the depositor not the deposit");
        } else {
            vm.assertEq(got, 0, "the recipient has nothing");
            vm.assertEq(back + fees, deal.amount, "and the depositor the deposit, less the issuer's fees");
            vm.assertLe(fees, deal.amount * 4_100 / 1e6 + 1, "which are those of two transfers");
        }
    }

    // --------------------------------------------------------------- relayer

    /// @notice The admin makes sure that there is a relayer
    function employ(address ledger) private {
        if (ledger.code.length == 0) return;
        bytes32 role = hub.RELAYER_ROLE();
        setAsAdmin(ledger, abi.encodeCall(hub.grantRole, (role, relayer)));
    }

    /// @notice Makes a call as the relayer, or as the one that stands by; tells whether one was let
    function asRelayer(address ledger, bytes memory call) private returns (bool ok) {
        if (ledger.code.length == 0) return false;
        vm.prank(relayer);
        (ok,) = ledger.call(call);
        if (ok) return true;
        vm.prank(standby);
        (ok,) = ledger.call(call);
    }
}
