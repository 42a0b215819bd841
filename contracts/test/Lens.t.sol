// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Key, Kind, Lens, OrderView, Query, RoleKey, Snapshot} from "../src/Lens.sol";
import {LensCall} from "../src/LensCall.sol";
import {CapKind, ILedger} from "../src/interfaces/ILedger.sol";
import {DepositState} from "../src/interfaces/IOrderSource.sol";
import {IPool, Settlement} from "../src/interfaces/IPool.sol";
import {Fees} from "../src/libraries/FeeMath.sol";
import {Link, Order, Refusal} from "../src/types/Order.sol";
import {BurnFixture} from "./support/BurnFixture.sol";

contract LensTest is BurnFixture {
    function test_orderId_leavesTheDeadlineOut() public {
        Order memory order = openInbound(100e6);
        bytes32 id = order.id();
        order.deadline = 7;
        vm.assertEq(lens.orderId(order), id, "the ID of the event");
        order.nonce += 1;
        vm.assertTrue(lens.orderId(order) != id, "all else counts");
    }

    // --------------------------------------------------------------- refusal

    function test_refusal_isWhatSwapSays() public {
        Order memory order = openInbound(100e6);
        refusalIs(order, Refusal.None);
        order.amount = 10e6 - 1;
        refusalIs(order, Refusal.AmountTooLow);
        order.amount = 25_000e6 + 1;
        refusalIs(order, Refusal.AmountTooHigh);
        order.recipient = abi.encodePacked(address(hub));
        refusalIs(order, Refusal.RecipientPool);
        order.recipientType = 2;
        refusalIs(order, Refusal.RecipientType);
        order.dstPlace = BSC;
        refusalIs(order, Refusal.Destination);
    }

    function test_refusal_closedIsAReasonAtPoolsOnly() public {
        Order memory order = openInbound(100e6);
        vm.startPrank(guardian);
        pool1.setDestination(HUB, address(usdcHub), closed(pool1, HUB, address(usdcHub)));
        receiver.setDestination(HUB, address(usdcHub), closed(receiver, HUB, address(usdcHub)));
        vm.stopPrank();
        refusalIs(order, Refusal.Closed);
        Refusal why = lens.refusal(receiver, order, Kind.Receiver);
        vm.assertEq(uint256(why), uint256(Refusal.None), "a burn is taken");
    }

    function refusalIs(Order memory order, Refusal want) private view {
        vm.assertEq(uint256(lens.refusal(pool1, order, Kind.Pool)), uint256(want), "refusal");
    }

    // ------------------------------------------------------------------ quote

    function test_quote_alsoOfAClosedSource() public {
        bytes32 id = register(2_500);
        Order memory order = open(pool1, alice, 100e6, HUB, abi.encodePacked(bob), 0, address(usdcHub), id);
        vm.prank(guardian);
        hub.setSource(ETHEREUM, address(pool1), Link.Closed, uint24(INBOUND_RATE), 200_000e6);
        (Fees memory fees, address wallet) = lens.quote(hub, order);
        vm.assertEq(
            abi.encode(fees, wallet), abi.encode(100e6, 300_000, 250_000, 99_450_000, partner), "quote"
        );
    }

    function test_quote_ofAnUnknownSource() public {
        Order memory order = openInbound(100e6);
        order.srcPool = bob;
        vm.expectRevert(abi.encodeWithSelector(IPool.UnknownSource.selector, ETHEREUM, bob));
        lens.quote(hub, order);
    }

    function test_quote_refusesTheDecimalsThatThePoolRefuses() public {
        Order memory order = openInbound(100e6);
        order.srcDecimals = 19;
        vm.expectRevert(abi.encodeWithSelector(ILedger.TooManyDecimals.selector, 19));
        lens.quote(hub, order);
    }

    // ---------------------------------------------------------------- orders

    function test_orders_fromBothSides() public {
        fund(hub, 100e6);
        Order memory order = openInbound(100e6);
        fulfil(hub, order);
        bytes32[] memory ids = new bytes32[](2);
        (ids[0], ids[1]) = (order.id(), bytes32("none"));
        OrderView[] memory views = lens.orders(pool1, hub, ids);
        vm.assertEq(views[0].deposit.amount, 100e6, "held");
        vm.assertEq(uint256(views[0].deposit.state), uint256(DepositState.Held), "held");
        vm.assertEq(uint256(views[0].settlement), uint256(Settlement.Fulfilled), "paid");
        vm.assertEq(abi.encode(views[1]), abi.encode(ids[1], 0, 0, 0, 0, 0), "unknown");
        views = lens.orders(pool1, IPool(address(0)), ids);
        vm.assertEq(uint256(views[0].settlement), 0, "no pool to ask");
    }

    // --------------------------------------------------------------- snapshot

    function test_snapshot_ofEveryKind() public {
        fund(hub, 1_000e6);
        openInbound(100e6);
        pause(pool1, true, false);
        Snapshot[] memory s = snapshot();
        vm.assertEq(s[0].codeHash, address(pool1).codehash, "code");
        vm.assertEq(s[0].fixed_.token, address(usdc1), "token");
        vm.assertEq(s[0].fixed_.place, ETHEREUM, "place");
        vm.assertEq(s[0].fixed_.registry, address(registry), "registry");
        vm.assertEq(s[0].admin, admin, "admin");
        vm.assertEq(s[0].totals.held, 100e6, "held");
        vm.assertEq(s[0].liquidity, 0, "liquidity");
        vm.assertEq(s[0].orders, 1, "orders");
        vm.assertTrue(s[0].depositsPaused && !s[0].paymentsPaused, "pauses");
        vm.assertEq(abi.encode(s[0].limits), abi.encode(dollars(6)), "limits");
        vm.assertEq(s[0].caps[uint256(CapKind.Treasury)].cap, 2_500_000e6, "caps");
        vm.assertEq(s[0].spendable[uint256(CapKind.Payments)], 100_000e6, "spendable");
        vm.assertEq(s[0].feeBound, FEE_BOUND, "fee bound");
        vm.assertEq(s[0].destinations[0].pool, address(hub), "destination");
        vm.assertEq(s[0].sources[0].rate, OTHER_RATE, "source");
        vm.assertEq(s[0].spendableFrom[0], 100_000e6, "spendable from it");
        vm.assertEq(abi.encode(s[0].roles), abi.encode(roleAnswers()), "roles");
        vm.assertFalse(s[0].treasury[0], "treasury");

        vm.assertEq(s[1].fixed_.messenger, address(here.messenger), "messenger");
        vm.assertEq(s[1].remotes[0].domain, ARBITRUM_DOMAIN, "remote");
        vm.assertEq(s[2].fixed_.privacyPool, address(privacyPool), "privacy pool");
        vm.assertEq(s[2].shieldFee, SHIELD_FEE, "its fee");
        vm.assertEq(s[3].fixed_.pool, address(gateway), "gateway pool");
        vm.assertEq(s[3].fixed_.lastResort, lastResort, "last resort");
        vm.assertEq(s[3].fixed_.transmitter, address(here.transmitter), "transmitter");
        vm.assertEq(s[3].fixed_.absorbRate, ABSORB_RATE, "absorb rate");
        vm.assertEq(s[3].places[0], ARBITRUM, "place");
        vm.assertEq(s[4].codeHash, bytes32(0), "no contract");
        vm.assertEq(s[4].admin, address(0), "and nothing else");
    }

    function test_snapshot_aPausedPrivacyPoolHidesNothingElse() public {
        privacyPool.setPaused(true);
        Snapshot[] memory s = snapshot();
        vm.assertEq(s[0].fixed_.place, ETHEREUM, "the other pools");
        vm.assertEq(s[2].fixed_.privacyPool, address(privacyPool), "the pool itself");
        vm.assertEq(s[2].shieldFee, type(uint256).max, "no fee is known");
    }

    /// @dev It answers with nothing, with a number beyond 120 bits, not before all gas is used, or is gone.
    function test_snapshot_aPrivacyPoolThatAnswersNonsenseHidesNothingElse() public {
        bytes[4] memory codes = [bytes(hex"00"), hex"5f195f5260205ff3", hex"5b5f56", ""];
        for (uint256 i; i < codes.length; ++i) {
            vm.etch(address(privacyPool), codes[i]);
            Snapshot[] memory s = snapshot();
            vm.assertEq(s[0].fixed_.place, ETHEREUM, "the other pools");
            vm.assertEq(s[2].fixed_.privacyPool, address(privacyPool), "the pool itself");
            vm.assertEq(s[2].shieldFee, type(uint256).max, "no fee is known");
        }
    }

    /// @dev Networks give an account with a balance and no code the hash of no bytes.
    function test_snapshot_anAccountWithoutCodeHasNoCodeHash() public {
        vm.deal(account("no contract"), 1);
        vm.assertEq(snapshot()[4].codeHash, bytes32(0), "code hash");
    }

    /// @dev Creation code that returns the answer in the place of code, as in an eth_call without recipient.
    function test_lensCall_returnsTheAnswer() public {
        bytes memory answer = ask(abi.encodeCall(Lens.snapshot, (queries())));
        (uint256 chainId, uint256 number, uint256 timestamp, Snapshot[] memory s) =
            abi.decode(answer, (uint256, uint256, uint256, Snapshot[]));
        vm.assertEq(abi.encode(chainId, number, timestamp), abi.encode(here_()), "block");
        vm.assertEq(abi.encode(s), abi.encode(snapshot()), "the same answer");
    }

    /// @dev No contract's code may begin with 0xef (EIP-3541), while an ID does now and then.
    function test_lensCall_answersWhateverTheFirstByteIs() public {
        Order memory order = openInbound(100e6);
        while (bytes1(lens.orderId(order)) != 0xef) ++order.nonce;
        bytes memory answer = ask(abi.encodeCall(Lens.orderId, (order)));
        vm.assertEq(answer, abi.encode(order.id()), "the ID");
    }

    function test_lensCall_revertsAsTheLensDoes() public {
        Order memory order;
        vm.expectRevert(abi.encodeWithSelector(IPool.UnknownSource.selector, 0, address(0)));
        new LensCall(abi.encodeCall(Lens.quote, (IPool(address(hub)), order)));
    }

    /// @notice What LensCall answers, without the zero byte that it begins with
    function ask(bytes memory call) private returns (bytes memory answer) {
        bytes memory code = address(new LensCall(call)).code;
        vm.assertEq(uint256(uint8(code[0])), 0, "the first byte");
        answer = new bytes(code.length - 1);
        for (uint256 i; i < answer.length; ++i) {
            answer[i] = code[i + 1];
        }
    }

    function here_() private view returns (uint256[3] memory) {
        return [block.chainid, block.number, block.timestamp];
    }

    function snapshot() private view returns (Snapshot[] memory s) {
        (,,, s) = lens.snapshot(queries());
    }

    function queries() private view returns (Query[] memory q) {
        q = new Query[](5);
        (q[0].kind, q[0].target) = (Kind.Pool, address(pool1));
        (q[1].kind, q[1].target) = (Kind.GatewayPool, address(gateway));
        (q[2].kind, q[2].target) = (Kind.ShieldPool, address(shieldPool));
        (q[3].kind, q[3].target) = (Kind.Receiver, address(receiver));
        (q[4].kind, q[4].target) = (Kind.Pool, account("no contract"));
        q[0].destinations = new Key[](1);
        q[0].destinations[0] = Key(HUB, address(usdcHub));
        q[0].sources = new Key[](1);
        q[0].sources[0] = Key(HUB, address(hub));
        q[0].roles = new RoleKey[](2);
        q[0].roles[0] = RoleKey(pool1.RELAYER_ROLE(), relayer);
        q[0].roles[1] = RoleKey(pool1.RELAYER_ROLE(), bob);
        q[0].treasury = new address[](1);
        q[0].treasury[0] = treasury;
        q[1].remotes = new uint256[](1);
        q[1].remotes[0] = ARBITRUM;
        q[3].domains = new uint32[](1);
        q[3].domains[0] = ARBITRUM_DOMAIN;
    }

    function roleAnswers() private pure returns (bool[] memory answers) {
        answers = new bool[](2);
        answers[0] = true;
    }
}
