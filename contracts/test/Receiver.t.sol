// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Receiver} from "../src/Receiver.sol";
import {CapKind, ILedger} from "../src/interfaces/ILedger.sol";
import {DepositState, Destination, IOrderSource, Limits, Refund} from "../src/interfaces/IOrderSource.sol";
import {ITwoStepAdmin} from "../src/interfaces/ITwoStepAdmin.sol";
import {IReceiver, ReceiverConfig} from "../src/interfaces/IReceiver.sol";
import {IMessageTransmitterV2} from "../src/interfaces/external/IMessageTransmitterV2.sol";
import {ITokenMessengerV2} from "../src/interfaces/external/ITokenMessengerV2.sol";
import {RollingCap} from "../src/libraries/RollingCap.sol";
import {Currency, NATIVE} from "../src/types/Currency.sol";
import {Delivery, Link, Order, Refusal} from "../src/types/Order.sol";
import {BurnFixture} from "./support/BurnFixture.sol";
import {Vm} from "./support/Test.sol";

contract ReceiverTest is BurnFixture {
    function setUp() public override {
        super.setUp();
        fund(hub, 100_000e6);
    }

    // ---------------------------------------------------------- construction

    function test_constructor_refusesWhatIsMissing() public {
        ReceiverConfig memory broken = receiverConfig();
        broken.lastResort = address(0);
        vm.expectRevert(ITwoStepAdmin.ZeroAddress.selector);
        new Receiver(broken);

        broken = receiverConfig();
        broken.token = NATIVE;
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotAContract.selector, Currency.unwrap(NATIVE)));
        new Receiver(broken);

        broken = receiverConfig();
        broken.messenger = ITokenMessengerV2(bob);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotAContract.selector, bob));
        new Receiver(broken);

        broken = receiverConfig();
        broken.transmitter = IMessageTransmitterV2(bob);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotAContract.selector, bob));
        new Receiver(broken);

        broken = receiverConfig();
        broken.pool = bob;
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotAContract.selector, bob));
        new Receiver(broken);
    }

    /// @dev What is swept there could not leave it.
    function test_constructor_refusesAPoolOfAnotherToken() public {
        ReceiverConfig memory broken = receiverConfig();
        broken.pool = address(pool56);
        vm.expectRevert(abi.encodeWithSelector(IReceiver.PoolOfAnotherToken.selector, address(usdc56)));
        new Receiver(broken);
    }

    function test_constructor_refusesBadCapsAndLimits() public {
        ReceiverConfig memory broken = receiverConfig();
        broken.refundCap = 0;
        vm.expectRevert(abi.encodeWithSelector(ILedger.CapTooLow.selector, CapKind.Refunds, 0, 1));
        new Receiver(broken);

        broken = receiverConfig();
        broken.releaseCap = 50_000e6 - 1;
        vm.expectRevert(
            abi.encodeWithSelector(ILedger.CapTooLow.selector, CapKind.Releases, 50_000e6 - 1, 50_000e6)
        );
        new Receiver(broken);

        broken = receiverConfig();
        broken.limits = Limits(0, 1);
        vm.expectRevert(abi.encodeWithSelector(IOrderSource.BadLimits.selector, Limits(0, 1)));
        new Receiver(broken);
    }

    function test_fuzz_constructor_absorbRate(uint32 rate) public {
        ReceiverConfig memory config = receiverConfig();
        config.absorbRate = rate;
        if (rate > 3_000) {
            vm.expectRevert(abi.encodeWithSelector(IReceiver.AbsorbRateTooHigh.selector, rate, 3_000));
        }
        new Receiver(config);
    }

    // ----------------------------------------------------------------- relay

    function test_relay_opensTheOrderThatTheHookDescribes() public {
        bytes32 id = deliver(100e6, 14_000, goodHook());
        Order memory order = lastOrder();
        vm.assertEq(order.id(), id, "it returns the order's ID");
        vm.assertEq(order.srcPlace, ARBITRUM, "the place that burned, not its domain");
        vm.assertEq(order.srcPool, address(receiver), "source");
        vm.assertEq(order.refundTo, alice, "refund to who burned");
        vm.assertEq(order.amount, 100e6, "the issuer's fee is absorbed");
        vm.assertEq(order.dstPlace, HUB, "destination");
        vm.assertEq(order.dstToken, address(usdcHub), "token");
        vm.assertEq(order.dstPool, address(hub), "payer");
        vm.assertEq(order.rate, INBOUND_RATE, "rate");
        vm.assertEq(order.srcDecimals, 6, "decimals");
        vm.assertEq(order.nonce, 1, "the issuer's message nonce");
        vm.assertEq(order.deadline, block.timestamp + LIFETIME, "the time to pay begins with the relay");
        vm.assertEq(order.recipient, abi.encodePacked(bob), "recipient");
        vm.assertEq(held(receiver, id), 100e6 - 14_000, "what came in is held");
        vm.assertEq(here.token.balanceOf(issuer), 14_000, "the issuer has its fee");

        fulfil(hub, order);
        vm.assertEq(usdcHub.balanceOf(bob), 99_700_000, "0.3 % less, and no issuer's fee");
    }

    function test_fuzz_relay_absorbsUpToItsShareAndNoMore(uint256 amount, uint256 fee) public {
        amount = bound(amount, 20e6, 25_000e6);
        fee = bound(fee, 0, amount / 2);
        deliver(amount, fee, goodHook());
        Order memory order = lastOrder();
        uint256 share = amount * ABSORB_RATE / 1e6;
        uint256 minted = amount - fee;
        vm.assertEq(order.amount, fee <= share ? amount : minted + share, "the excess is the burner's");
        vm.assertLe(order.amount - minted, share, "no more than the share is given");
        vm.assertEq(held(receiver, order.id()), minted, "what came in is held");
    }

    function test_relay_coversTheDearestSource() public {
        uint256 amount = 25_000e6;
        uint256 maxFee = amount * 14 / 10_000 * 6 / 5; // 14 bps and a fifth
        deliver(amount, maxFee, goodHook());
        vm.assertEq(lastOrder().amount, amount, "absorbed whole");
    }

    function test_relay_byAnyone() public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 0, goodHook()), 0);
        vm.prank(account("anyone"));
        vm.assertTrue(receiver.relay(message, attestation) != 0, "an order was opened");
    }

    function test_relay_once() public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 0, goodHook()), 0);
        receiver.relay(message, attestation);
        vm.expectRevert("Nonce already used");
        receiver.relay(message, attestation);
    }

    function test_relay_expired() public {
        bytes memory message = burn(100e6, 0, goodHook());
        put(message, 344, bytes32(uint256(1_000)));
        bytes memory attestation;
        (message, attestation) = attest(message, 0);
        vm.roll(1_000);
        vm.expectRevert("Message expired and must be re-signed");
        receiver.relay(message, attestation);
    }

    function test_relay_noPauseTouchesIt() public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 0, goodHook()), 0);
        pause(receiver, true, true);
        vm.assertEq(held(receiver, receiver.relay(message, attestation)), 100e6, "held");
    }

    /// @dev What was promised before the burn holds when it is relayed: the guardian cannot bounce burns.
    function test_relay_toAClosedDestinationOpensAllTheSame() public {
        Destination memory d = closed(receiver, HUB, address(usdcHub));
        vm.prank(guardian);
        receiver.setDestination(HUB, address(usdcHub), d);
        deliver(100e6, 0, goodHook());
        Order memory order = lastOrder();
        vm.assertEq(order.dstPool, address(hub), "payable");
        fulfil(hub, order);
    }

    function test_relay_saysWhichMessageItWas() public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 5_000, goodHook()), 5_000);
        uint256 snapshot = vm.snapshotState();
        bytes32 id = receiver.relay(message, attestation);
        vm.revertToState(snapshot);
        vm.expectEmit(address(receiver));
        emit IReceiver.BurnReceived(id, bytes32(uint256(1)), ARBITRUM_DOMAIN, word(alice), 100e6, 5_000);
        receiver.relay(message, attestation);
    }

    /// @dev Relayed again in another block, after other burns: the same order.
    function test_fuzz_relay_theIDDoesNotDependOnTheBlock(uint32 later, bool after_) public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 0, goodHook()), 0);
        uint256 snapshot = vm.snapshotState();
        bytes32 id = receiver.relay(message, attestation);
        vm.revertToState(snapshot);
        vm.warp(block.timestamp + later);
        if (after_) deliver(50e6, 0, goodHook());
        vm.assertEq(receiver.relay(message, attestation), id, "the same ID");
    }

    function test_relay_settlesABurnOfAnyAge() public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 0, goodHook()), 0);
        vm.warp(block.timestamp + 365 days);
        vm.assertTrue(receiver.relay(message, attestation) != 0, "an order was opened");
    }

    function test_relay_acceptsTheMintRecipientAsTheMessengerReadsIt() public {
        bytes memory message = burn(100e6, 0, goodHook());
        message[184] = 0xff;
        bytes memory attestation;
        (message, attestation) = attest(message, 0);
        vm.assertTrue(receiver.relay(message, attestation) != 0, "the mint is here, so the order is too");
    }

    // ------------------------------------------------------------- unpayable

    function test_relay_opensAnUnpayableOrderOfWhatItCannotRead() public {
        unpayable(Refusal.Hook, hex"c0ffee");
        unpayable(
            Refusal.Destination, abi.encodePacked(uint256(1), address(usdcHub), bytes32(0), uint8(0), bob)
        );
        unpayable(Refusal.Destination, abi.encodePacked(HUB, address(usdc1), bytes32(0), uint8(0), bob));
        unpayable(
            Refusal.RecipientType, abi.encodePacked(HUB, address(usdcHub), bytes32(0), uint8(2), note())
        );
        unpayable(Refusal.RecipientLength, hookFor(abi.encode(bob)));
        unpayable(Refusal.RecipientPool, hookFor(abi.encodePacked(address(hub))));
    }

    function test_relay_unpayableOutsideTheLimits() public {
        unpayableAmount(Refusal.AmountTooLow, 10e6 - 1);
        unpayableAmount(Refusal.AmountTooHigh, 25_000e6 + 1);
    }

    function test_relay_unpayableFromAnUnknownSource() public {
        Receiver fresh = new Receiver(receiverConfig());
        receiver = fresh;
        unpayable(Refusal.Source, goodHook());
    }

    function test_relay_aDraftDestinationIsUnpayable() public {
        vm.prank(admin);
        receiver.setDestination(
            HUB, address(usdc1), Destination(Delivery.Address, Link.None, address(hub), 0, LIFETIME)
        );
        unpayable(Refusal.Destination, abi.encodePacked(HUB, address(usdc1), bytes32(0), uint8(0), bob));
    }

    /// @dev Without an address there is no way back, so it is a claim, and the only kind there is here.
    function test_relay_aSenderWithoutAddressIsTheLastResorts() public {
        bytes memory message = burn(100e6, 0, goodHook());
        put(message, 248, bytes32("a key of another kind of chain"));
        bytes memory attestation;
        (message, attestation) = attest(message, 0);
        vm.recordLogs();
        bytes32 id = receiver.relay(message, attestation);
        Order memory order = lastOrder();
        vm.assertEq(order.refundTo, address(0), "no owner");
        vm.assertEq(order.dstPool, address(0), "no payer");
        vm.assertEq(held(receiver, id), 0, "not held");
        vm.assertEq(receiver.claims(lastResort), 100e6, "it can be claimed");
        vm.expectRevert(notHeld(id));
        receiver.reclaim(order);
        receiver.claimFor(lastResort);
        vm.assertEq(here.token.balanceOf(lastResort), 100e6, "claimed");
    }

    function test_release_refusesAnUnpayableOrder() public {
        bytes32 id = deliver(100e6, 0, hex"c0ffee");
        vm.expectEmit(address(receiver));
        emit IOrderSource.ReleaseSkipped(id, IOrderSource.OrderIsUnpayable.selector);
        release(receiver, id);
        vm.assertEq(held(receiver, id), 100e6, "still held");
    }

    function test_fulfil_anUnpayableOrderHasNoPayer() public {
        deliver(100e6, 0, hex"c0ffee");
        Order memory order = lastOrder();
        order.deadline += 1 days;
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.Destination));
        hub.fulfil(order, false);
    }

    function unpayable(Refusal why, bytes memory hook) private {
        checkUnpayable(deliver(100e6, 5_000, hook), why, 100e6 - 5_000);
    }

    function unpayableAmount(Refusal why, uint256 amount) private {
        checkUnpayable(deliver(amount, 0, goodHook()), why, amount);
    }

    /// @dev Held as announced since now, and reclaimed at once by a stranger: back to where it was burned.
    function checkUnpayable(bytes32 id, Refusal why, uint256 amount) private {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        Vm.Log memory last = logs[logs.length - 1];
        vm.assertEq(last.topics[0], IReceiver.OrderUnpayable.selector, "the last event");
        vm.assertEq(last.topics[1], id, "names the order");
        vm.assertEq(uint256(abi.decode(last.data, (Refusal))), uint256(why), "and the reason");
        Order memory order = orderIn(logs);
        vm.assertEq(order.dstPool, address(0), "no payer");
        vm.assertEq(order.deadline, block.timestamp, "no time to pay it");
        vm.assertEq(uint256(stateOf(receiver, id)), uint256(DepositState.Unpayable), "held");
        vm.expectEmit(address(receiver));
        emit IOrderSource.OrderReclaimed(id, alice, amount, Refund.BurnedBack);
        vm.recordLogs();
        vm.prank(account("anyone"));
        receiver.reclaim(order);
        mintBack(amount, 0);
    }

    // --------------------------------------------------------------- refund

    function test_refund_burnsBack() public {
        deliver(100e6, 14_000, goodHook());
        Order memory order = lastOrder();
        vm.expectEmit(address(receiver));
        emit IOrderSource.OrderRefunded(order.id(), alice, 100e6 - 14_000, Refund.BurnedBack);
        vm.recordLogs();
        vm.prank(relayer);
        receiver.refund(order);
        vm.assertEq(here.token.balanceOf(address(receiver)), 0, "nothing is left");
        vm.assertEq(
            here.token.allowance(address(receiver), address(here.messenger)), 0, "no allowance either"
        );
        mintBack(100e6 - 14_000, 0);
    }

    function test_refund_allowsTheLeastFeeAndNoMore() public {
        deliver(100e6, 0, goodHook());
        Order memory order = lastOrder();
        here.messenger.setMinFee(10_000); // 0.1 %
        vm.recordLogs();
        vm.prank(relayer);
        receiver.refund(order);
        bytes memory message = lastMessage();
        (bytes memory greedy, bytes memory attestation) = attest(bytes.concat(message), 100_001);
        vm.expectRevert("Fee exceeds max fee");
        there.transmitter.receiveMessage(greedy, attestation);
        (message, attestation) = attest(message, 100_000);
        there.transmitter.receiveMessage(message, attestation);
        vm.assertEq(there.token.balanceOf(alice), 99_900_000, "the burner bears it");
    }

    function test_refund_isStandardFinality() public {
        deliver(100e6, 0, goodHook());
        Order memory order = lastOrder();
        vm.recordLogs();
        vm.prank(relayer);
        receiver.refund(order);
        bytes memory message = lastMessage();
        vm.assertEq(uint256(uint8(message[142])) * 256 + uint8(message[143]), 2000, "finalized");
    }

    /// @dev A burn back that fails leaves the deposit held, and never makes a claim on this network.
    function test_refund_revertsAndStaysHeldWhenTheIssuerRefuses() public {
        bytes32 id = deliver(100e6, 0, goodHook());
        Order memory order = lastOrder();
        here.minter.setPaused(true);
        stays(order, "Pausable: paused");
        here.minter.setPaused(false);
        here.minter.setMaxBurnAmountPerMessage(address(here.token), 1);
        stays(order, "Burn amount exceeds per tx limit");
        here.minter.setMaxBurnAmountPerMessage(address(here.token), 10_000_000e6);
        here.messenger.setDenylisted(address(receiver), true);
        stays(order, "Denylistable: account is on denylist");
        here.messenger.setDenylisted(address(receiver), false);
        here.token.setBlacklisted(address(receiver), true);
        stays(order, "Blacklistable: account is blacklisted");
        here.token.setBlacklisted(address(receiver), false);
        here.transmitter.setPaused(true);
        stays(order, "Pausable: paused");
        here.transmitter.setPaused(false);
        vm.assertEq(held(receiver, id), 100e6, "held throughout");
        vm.prank(relayer);
        receiver.refund(order);
        vm.assertEq(held(receiver, id), 0, "and burned back at last");
    }

    function stays(Order memory order, string memory words) private {
        vm.prank(relayer);
        vm.expectRevert(bytes(words));
        receiver.refund(order);
        vm.assertEq(receiver.claims(alice), 0, "no claim");
    }

    function test_refund_pausedAndCapped() public {
        deliver(100e6, 0, goodHook());
        Order memory order = lastOrder();
        pause(receiver, false, true);
        vm.prank(relayer);
        vm.expectRevert(ILedger.PaymentsArePaused.selector);
        receiver.refund(order);
        vm.prank(admin);
        receiver.setPauses(false, false);
        vm.prank(guardian);
        receiver.setCap(CapKind.Refunds, 100e6);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(RollingCap.CapExceeded.selector, 100e6, 50e6));
        receiver.refund(order);
    }

    // -------------------------------------------------------------- reclaim

    function test_reclaim_burnsBackAfterItsTime() public {
        deliver(100e6, 0, goodHook());
        Order memory order = lastOrder();
        pause(receiver, true, true);
        vm.warp(order.deadline + 5 days);
        receiver.reclaim(order);
        vm.warp(block.timestamp + 2 days);
        vm.recordLogs();
        receiver.reclaim(order);
        mintBack(100e6, 0);
    }

    function test_reclaimHere_isTheSecondStep() public {
        deliver(100e6, 0, goodHook());
        Order memory order = lastOrder();
        uint256 from = order.deadline + 5 days;
        bytes memory notAnnounced = abi.encodeWithSelector(IReceiver.NotAnnounced.selector, order.id());
        hereFails(order, alice, alice, notAnnounced);
        vm.warp(from + 30 days);
        hereFails(order, alice, alice, notAnnounced);
        receiver.reclaim(order);
        from = block.timestamp + 2 days;
        vm.warp(from - 1);
        hereFails(order, alice, alice, tooEarly(order.id(), from));
        vm.warp(from);
        vm.expectEmit(address(receiver));
        emit IOrderSource.OrderReclaimed(order.id(), bob, 100e6, Refund.PaidHere);
        vm.prank(alice, alice);
        receiver.reclaimHere(order, bob);
        vm.assertEq(here.token.balanceOf(bob), 100e6, "where the burner wants it");
        vm.assertEq(heldTotal(receiver), 0, "nothing is held");
        vm.expectRevert(notHeld(order.id()));
        receiver.reclaim(order);
    }

    function test_reclaimHere_ofAnUnpayableBurnAtOnce() public {
        deliver(100e6, 0, hex"c0ffee");
        Order memory order = lastOrder();
        vm.prank(alice, alice);
        receiver.reclaimHere(order, alice);
        vm.assertEq(here.token.balanceOf(alice), 100e6, "all of it");
    }

    /// @dev A contract at the burner's address may be another's, and a key that is only called through is no proof.
    function test_reclaimHere_onlyTheBurnersOwnTransaction() public {
        deliver(100e6, 0, hex"c0ffee");
        Order memory order = lastOrder();
        hereFails(order, bob, bob, abi.encodeWithSelector(IReceiver.NotRefundTo.selector, bob));
        hereFails(order, bob, alice, abi.encodeWithSelector(IReceiver.NotRefundTo.selector, bob));
        hereFails(order, alice, bob, abi.encodeWithSelector(IReceiver.NotRefundTo.selector, alice));
        vm.prank(alice, alice);
        vm.expectRevert(ITwoStepAdmin.ZeroAddress.selector);
        receiver.reclaimHere(order, address(0));
    }

    function hereFails(Order memory order, address sender, address origin, bytes memory why) private {
        vm.prank(sender, origin);
        vm.expectRevert(why);
        receiver.reclaimHere(order, bob);
    }

    function tooEarly(bytes32 id, uint256 from) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IOrderSource.TooEarly.selector, id, from);
    }

    // ---------------------------------------------------- release and sweep

    function test_release_thenSweepMakesItLiquidityOfTheGatewayPool() public {
        bytes32[] memory ids = new bytes32[](2);
        ids[0] = deliver(100e6, 14_000, goodHook());
        ids[1] = deliver(200e6, 0, goodHook());
        Order memory order = lastOrder();
        vm.prank(relayer);
        receiver.releaseMany(ids);
        vm.assertEq(heldTotal(receiver), 0, "nothing is held");
        vm.assertEq(receiver.liquidity(), 300e6 - 14_000, "and all is free");
        vm.expectEmit(address(receiver));
        emit IReceiver.Swept(300e6 - 14_000);
        vm.prank(account("anyone"));
        receiver.sweep();
        vm.assertEq(gateway.liquidity(), 300e6 - 14_000, "all that came in");
        vm.prank(relayer);
        vm.expectRevert(notHeld(ids[1]));
        receiver.refund(order);
    }

    /// @dev A frozen gateway pool must not stop releases: what is paid and not released can be reclaimed.
    function test_release_movesNoMoney() public {
        bytes32 id = deliver(100e6, 0, goodHook());
        here.token.setBlacklisted(address(gateway), true);
        release(receiver, id);
        vm.assertEq(heldTotal(receiver), 0, "released");
        vm.expectRevert("Blacklistable: account is blacklisted");
        receiver.sweep();
    }

    function test_fuzz_sweep_onlyWhatIsFree(uint256 stray) public {
        stray = bound(stray, 1, 1e12);
        deliver(100e6, 0, goodHook());
        deliver(100e6, 0, hex"c0ffee");
        here.token.mint(address(receiver), stray);
        receiver.sweep();
        vm.assertEq(gateway.liquidity(), stray, "the stray money");
        vm.assertEq(here.token.balanceOf(address(receiver)), 200e6, "and nothing else");
        vm.expectRevert(IReceiver.NothingToSweep.selector);
        receiver.sweep();
    }

    // -------------------------------------------------------------- settings

    function test_setPlace_once() public {
        vm.startPrank(admin);
        vm.expectEmit(address(receiver));
        emit IReceiver.PlaceSet(2, 10);
        receiver.setPlace(2, 10);
        vm.assertEq(receiver.places(2), 10, "place");
        badPlace(2, 10);
        badPlace(2, 11);
        badPlace(ARBITRUM_DOMAIN, 0);
        badPlace(7, 0);
        badPlace(0, 10);
        receiver.setPlace(0, 1);
    }

    function badPlace(uint32 domain, uint256 place) private {
        vm.expectRevert(abi.encodeWithSelector(IReceiver.BadPlace.selector, domain, place));
        receiver.setPlace(domain, place);
    }

    function test_fuzz_setPlace_onlyTheAdmin(address caller) public {
        vm.assume(caller != admin);
        vm.prank(caller);
        vm.expectRevert(deniedAdmin(caller));
        receiver.setPlace(2, 10);
    }

    /// @dev What makes a burn unpayable never changes.
    function test_limits_areFixed() public view {
        (uint128 min, uint128 max) = receiver.limits();
        vm.assertEq(abi.encode(min, max), abi.encode(dollars(6)), "limits");
    }

    function test_setCap_releasesAtLeastTwoOfTheLargestOrders() public {
        vm.startPrank(admin);
        receiver.setCap(CapKind.Releases, 50_000e6);
        vm.expectRevert(
            abi.encodeWithSelector(ILedger.CapTooLow.selector, CapKind.Releases, 50_000e6 - 1, 50_000e6)
        );
        receiver.setCap(CapKind.Releases, 50_000e6 - 1);
    }

    // --------------------------------------------------------------- helpers

    /// @dev Delivers the recorded burn back on the network it came from, and takes the money out of the way.
    function mintBack(uint256 amount, uint256 fee) private {
        (bytes memory message, bytes memory attestation) = attest(lastMessage(), fee);
        there.transmitter.receiveMessage(message, attestation);
        vm.assertEq(there.token.balanceOf(alice), amount - fee, "the burner has it where it was burned");
        vm.prank(alice);
        there.token.transfer(address(1), amount - fee);
    }
}
