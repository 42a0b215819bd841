// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {Receiver} from "../src/Receiver.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {IReceiver, ReceiverConfig} from "../src/interfaces/IReceiver.sol";
import {Source} from "../src/interfaces/IPool.sol";
import {IMessageTransmitterV2} from "../src/interfaces/external/IMessageTransmitterV2.sol";
import {ITokenMessengerV2} from "../src/interfaces/external/ITokenMessengerV2.sol";
import {Currency, NATIVE} from "../src/types/Currency.sol";
import {Order, Refusal} from "../src/types/Order.sol";
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
        vm.expectRevert(ILedger.ZeroAddress.selector);
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
        vm.assertEq(order.recipient, abi.encodePacked(bob), "recipient");
        vm.assertEq(receiver.held(id), 100e6 - 14_000, "what came in is held");
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
        vm.assertEq(receiver.held(order.id()), minted, "what came in is held");
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

    function test_relay_paused() public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 0, goodHook()), 0);
        vm.prank(pauser);
        receiver.pause();
        vm.expectRevert(Pausable.EnforcedPause.selector);
        receiver.relay(message, attestation);
    }

    function test_relay_settlesABurnOfAnyAge() public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 0, goodHook()), 0);
        vm.warp(block.timestamp + 365 days);
        vm.assertTrue(receiver.relay(message, attestation) != 0, "an order was opened");
    }

    // ---------------------------------------------------------------- parked

    function test_relay_parksWhatItCannotRead() public {
        parks(Refusal.Hook, hex"c0ffee");
        parks(Refusal.Destination, abi.encodePacked(uint256(1), address(usdcHub), bytes32(0), uint8(0), bob));
        parks(Refusal.Destination, abi.encodePacked(HUB, address(usdc1), bytes32(0), uint8(0), bob));
        parks(Refusal.RecipientType, abi.encodePacked(HUB, address(usdcHub), bytes32(0), uint8(2), note()));
        parks(Refusal.RecipientLength, hookFor(abi.encode(bob)));
    }

    function test_relay_parksAmountsOutsideTheLimits() public {
        parksAmount(Refusal.AmountTooLow, 10e6 - 1);
        parksAmount(Refusal.AmountTooHigh, 25_000e6 + 1);
    }

    function test_relay_parksUnknownSources() public {
        vm.prank(admin);
        receiver.setSource(ARBITRUM_DOMAIN, 0);
        parks(Refusal.Source, goodHook());
    }

    function test_relay_parksForTheLastResortWhenTheSenderHasNoAddress() public {
        bytes memory message = burn(100e6, 0, goodHook());
        put(message, 248, bytes32("a key of another kind of chain"));
        bytes memory attestation;
        (message, attestation) = attest(message, 0);
        receiver.relay(message, attestation);
        vm.assertEq(receiver.claims(lastResort), 100e6, "somebody can claim it");
    }

    function test_relay_acceptsTheMintRecipientAsTheMessengerReadsIt() public {
        bytes memory message = burn(100e6, 0, goodHook());
        message[184] = 0xff;
        bytes memory attestation;
        (message, attestation) = attest(message, 0);
        vm.assertTrue(receiver.relay(message, attestation) != 0, "the mint is here, so the order is too");
    }

    function parks(Refusal why, bytes memory hook) private {
        uint256 before = receiver.claims(alice);
        vm.assertEq(deliver(100e6, 5_000, hook), bytes32(0), "no order");
        vm.assertEq(receiver.claims(alice) - before, 100e6 - 5_000, "all that came in is the burner's");
        checkParked(why);
    }

    function parksAmount(Refusal why, uint256 amount) private {
        uint256 before = receiver.claims(alice);
        deliver(amount, 0, goodHook());
        vm.assertEq(receiver.claims(alice) - before, amount, "all of it is the burner's");
        checkParked(why);
    }

    function checkParked(Refusal why) private {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].topics[0] != IReceiver.Parked.selector) continue;
            (, Refusal got) = abi.decode(logs[i].data, (uint256, Refusal));
            vm.assertEq(uint256(got), uint256(why), "reason");
            return;
        }
        revert("nothing was parked");
    }

    // ---------------------------------------------- refund, release and skim

    function test_refund_givesBackWhatCameIn() public {
        deliver(100e6, 14_000, goodHook());
        Order memory order = lastOrder();
        vm.prank(relayer);
        receiver.refund(order);
        vm.assertEq(here.token.balanceOf(alice), 100e6 - 14_000, "and not what the issuer kept");
        vm.assertEq(here.token.balanceOf(address(receiver)), 0, "nothing is left");
    }

    function test_release_makesItLiquidityOfTheGatewayPool() public {
        bytes32[] memory ids = new bytes32[](2);
        ids[0] = deliver(100e6, 14_000, goodHook());
        ids[1] = deliver(200e6, 0, goodHook());
        Order memory order = lastOrder();
        vm.startPrank(relayer);
        receiver.release(ids);
        vm.assertEq(gateway.liquidity(), 300e6 - 14_000, "all that came in");
        vm.assertEq(receiver.heldTotal(), 0, "nothing is held");
        vm.expectRevert(notHeld(ids[1]));
        receiver.refund(order);
    }

    function test_fuzz_skim_onlyWhatNoMessageExplains(uint256 stray) public {
        stray = bound(stray, 0, 1e12);
        deliver(100e6, 0, goodHook());
        deliver(100e6, 0, hex"c0ffee");
        here.token.mint(address(receiver), stray);
        vm.prank(admin);
        vm.assertEq(receiver.skim(treasury), stray, "the stray money");
        vm.assertEq(here.token.balanceOf(address(receiver)), 200e6, "and nothing else");
    }

    function test_skim_toNobody() public {
        vm.prank(admin);
        vm.expectRevert(ILedger.ZeroAddress.selector);
        receiver.skim(address(0));
    }

    function test_fuzz_onlyTheAdmin(address caller) public {
        vm.assume(caller != admin);
        bytes memory denied = abi.encodeWithSelector(
            IAccessControl.AccessControlUnauthorizedAccount.selector, caller, bytes32(0)
        );
        vm.startPrank(caller);
        vm.expectRevert(denied);
        receiver.skim(caller);
        vm.expectRevert(denied);
        receiver.setSource(0, 1);
    }
}
