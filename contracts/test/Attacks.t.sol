// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pool} from "../src/Pool.sol";
import {IPool, Settlement} from "../src/interfaces/IPool.sol";
import {IReceiver} from "../src/interfaces/IReceiver.sol";
import {BurnMessage} from "../src/libraries/BurnMessage.sol";
import {RollingCap} from "../src/libraries/RollingCap.sol";
import {Currency, CurrencyLibrary, NATIVE} from "../src/types/Currency.sol";
import {Delivery, Order} from "../src/types/Order.sol";
import {BlacklistToken} from "./standins/BlacklistToken.sol";
import {FeeOnTransferToken} from "./standins/FeeOnTransferToken.sol";
import {IMessageHandlerV2} from "./standins/MessageTransmitter.sol";
import {BurnFixture} from "./support/BurnFixture.sol";

/// @notice A message handler that accepts every message
contract ForgersHandler is IMessageHandlerV2 {
    function handleReceiveFinalizedMessage(uint32, bytes32, uint32, bytes calldata)
        external
        pure
        returns (bool)
    {
        return true;
    }

    function handleReceiveUnfinalizedMessage(uint32, bytes32, uint32, bytes calldata)
        external
        pure
        returns (bool)
    {
        return true;
    }
}

/// @notice Refuses the native coin
contract Refuser {
    receive() external payable {
        revert("no");
    }
}

/// @notice Burns all the gas it is given
contract GasBomb {
    receive() external payable {
        while (true) {}
    }
}

/// @notice Returns as much as its gas pays for
contract ReturnBomb {
    receive() external payable {
        assembly {
            return(0, 100000)
        }
    }
}

/// @notice Attacks. Each test fails when the guard it names is removed.
contract AttacksTest is BurnFixture {
    address private immutable mallory = account("mallory");

    function setUp() public override {
        super.setUp();
        fund(hub, 1_000_000e6);
        fund(poolEth, 1_000 ether);
        fund(gateway, 1_000_000e6);
    }

    // --------------------------------------------------------- forged burns

    /// @dev Guard: the message must be for the issuer's messenger.
    function test_forgedBurn_withOnesOwnHandlerAsRecipient() public {
        here.token.mint(address(receiver), 900_000e6);
        ForgersHandler handler = new ForgersHandler();
        bytes memory body = abi.encodePacked(
            uint32(1), word(address(there.token)), word(address(receiver)), uint256(20_000e6), word(mallory)
        );
        body = bytes.concat(body, abi.encodePacked(uint256(0), uint256(0), uint256(0), goodHook()));
        vm.recordLogs();
        vm.prank(mallory);
        there.transmitter
            .sendMessage(GATEWAY_DOMAIN, word(address(handler)), word(address(receiver)), FAST, body);
        (bytes memory message, bytes memory attestation) = attest(lastMessage(), 0);
        vm.prank(mallory);
        vm.expectRevert(abi.encodeWithSelector(IReceiver.NotForMessenger.selector, word(address(handler))));
        receiver.relay(message, attestation);
    }

    /// @dev Guard: the destination caller that every quote sets. Without it the mint would come in and no order.
    function test_receiveMessage_byAStranger() public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 0, goodHook()), 0);
        vm.prank(mallory);
        vm.expectRevert("Invalid caller for message");
        here.transmitter.receiveMessage(message, attestation);
    }

    /// @dev Guard: a message that others may deliver too is not taken.
    function test_openDestinationCaller() public {
        bytes memory message = burn(100e6, 0, goodHook());
        put(message, 108, 0);
        bytes memory attestation;
        (message, attestation) = attest(message, 0);
        vm.expectRevert(abi.encodeWithSelector(IReceiver.NotForThisCaller.selector, bytes32(0)));
        receiver.relay(message, attestation);
    }

    /// @dev Guard: the mint must be for the receiver.
    function test_mintToAnotherAccount() public {
        bytes memory message = burn(100e6, 0, goodHook());
        put(message, 184, word(mallory));
        bytes memory attestation;
        (message, attestation) = attest(message, 0);
        vm.expectRevert(abi.encodeWithSelector(IReceiver.NotMintedHere.selector, word(mallory)));
        receiver.relay(message, attestation);
    }

    /// @dev Guard: what is burned must be the same money as the receiver's token.
    function test_wrongBurnToken() public {
        BlacklistToken worthless = newToken("JUNK", 6);
        BlacklistToken worthlessHere = newToken("JUNK", 6);
        here.minter.linkTokenPair(address(worthlessHere), ARBITRUM_DOMAIN, word(address(worthless)));
        bytes memory message = burn(100e6, 0, goodHook());
        put(message, 152, word(address(worthless)));
        bytes memory attestation;
        (message, attestation) = attest(message, 0);
        vm.expectRevert(
            abi.encodeWithSelector(IReceiver.WrongToken.selector, ARBITRUM_DOMAIN, word(address(worthless)))
        );
        receiver.relay(message, attestation);
    }

    /// @dev Guard: versions with perhaps another layout are not read.
    function test_otherMessageVersion() public {
        bytes memory message = burn(100e6, 0, goodHook());
        message[151] = 0x02;
        bytes memory attestation;
        (message, attestation) = attest(message, 0);
        vm.expectRevert(abi.encodeWithSelector(BurnMessage.MessageVersion.selector, 1, 2));
        receiver.relay(message, attestation);
    }

    /// @dev Guard: the attestation, and that all fields are read from the attested bytes.
    function test_fuzz_mutatedAttestedBytes(uint256 position, bytes1 flip) public {
        vm.assume(flip != 0);
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 0, goodHook()), 0);
        position = bound(position, 0, message.length - 1);
        message[position] ^= flip;
        vm.expectRevert();
        receiver.relay(message, attestation);
        vm.assertEq(here.token.balanceOf(address(receiver)), 0, "nothing was minted");
    }

    /// @dev Guard: what came in must be what the message says. The issuer's token is made to mint less.
    function test_mintThatDiffersFromTheMessage() public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 0, goodHook()), 0);
        vm.etch(address(here.token), address(new StingyToken()).code);
        vm.expectRevert(abi.encodeWithSelector(IReceiver.WrongMint.selector, 100e6, 100e6 - 1));
        receiver.relay(message, attestation);
    }

    /// @dev Guard: minting and opening the order are one.
    function test_fuzz_lowGas_allOrNothing(uint256 gasLimit) public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 0, goodHook()), 0);
        gasLimit = bound(gasLimit, 50_000, 1_000_000);
        try receiver.relay{gas: gasLimit}(message, attestation) returns (bytes32 id) {
            vm.assertEq(held(receiver, id), 100e6, "the order is open");
        } catch {
            vm.assertEq(here.token.balanceOf(address(receiver)), 0, "nothing was minted");
            vm.assertTrue(receiver.relay(message, attestation) != 0, "and it can be tried again");
        }
    }

    /// @dev Guard: no bytes make relay revert, and none leave money without an owner.
    function test_fuzz_anyHookDataLeavesTheMoneyToItsOwner(bytes calldata random, uint256 length) public {
        bytes memory hook = stretch(random, bound(length, 1, 512));
        bytes32 id = deliver(100e6, 7_000, hook);
        Order memory order = lastOrder();
        uint256 minted = 100e6 - 7_000;
        vm.assertEq(held(receiver, id), minted, "held for the order");
        vm.assertEq(heldTotal(receiver), minted, "and set apart");
        vm.assertEq(order.refundTo, alice, "of the burner");
        if (order.dstPool != address(0)) return;
        vm.prank(mallory);
        receiver.reclaim(order);
        vm.assertEq(heldTotal(receiver), 0, "what cannot be paid goes back at once");
        vm.assertEq(here.token.balanceOf(address(receiver)), 0, "all of it");
    }

    /// @dev The messenger takes no empty hook data, but a burn without a hook has none.
    function test_noHookData() public {
        there.token.mint(alice, 100e6);
        vm.startPrank(alice);
        there.token.approve(address(there.messenger), 100e6);
        vm.recordLogs();
        bytes32 to = word(address(receiver));
        there.messenger.depositForBurn(100e6, GATEWAY_DOMAIN, to, address(there.token), to, 0, FAST);
        vm.stopPrank();
        (bytes memory message, bytes memory attestation) = attest(lastMessage(), 0);
        bytes32 id = receiver.relay(message, attestation);
        vm.assertEq(held(receiver, id), 100e6, "the burner's");
    }

    // -------------------------------------------------------------- payments

    /// @dev Guard: an order is marked before it is paid, for good.
    function test_secondFulfil() public {
        Order memory order = openInbound(100e6);
        fulfil(hub, order);
        vm.prank(relayer);
        vm.expectRevert(
            abi.encodeWithSelector(IPool.AlreadySettled.selector, order.id(), Settlement.Fulfilled)
        );
        hub.fulfil(order, false);
    }

    /// @dev Guard: the cap for any 24 hours. The thief holds the relayer's key and invents orders at any pace.
    function test_fuzz_stolenRelayerKey(uint64[40] calldata amounts, uint32[40] calldata pauses) public {
        uint256 start = block.timestamp;
        uint256 now_ = start;
        uint256 stolen;
        for (uint256 i; i < 40 && now_ < start + 1 days; ++i) {
            vm.warp(now_);
            vm.prank(relayer);
            try hub.fulfil(invented(i, bound(amounts[i], 20_000e6, 26_000e6)), false) {} catch {}
            stolen = usdcHub.balanceOf(mallory);
            now_ += pauses[i] % 2 hours;
        }
        vm.assertLe(stolen, 200_000e6, "no more than the cap for any 24 hours");
    }

    /// @dev The same at once: half of the cap can be taken, and no more.
    function test_stolenRelayerKey_halfTheCapAtOnce() public {
        for (uint256 i; i < 4; ++i) {
            fulfil(hub, invented(i, 25_000e6));
        }
        Order memory fifth = invented(4, 25_000e6);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(RollingCap.CapExceeded.selector, 24_925e6, 300e6));
        hub.fulfil(fifth, false);
        vm.assertLe(usdcHub.balanceOf(mallory), 100_000e6, "half the cap");
    }

    /// @dev Guard: capped gas, and a claim instead of a revert.
    function test_ethReceiversThatDoNotReceiveHoldNoOrderUp() public {
        address[3] memory bad = [address(new Refuser()), address(new GasBomb()), address(new ReturnBomb())];
        for (uint256 i; i < bad.length; ++i) {
            Order memory order = outboundEth(bad[i]);
            vm.prank(relayer);
            poolEth.fulfil{gas: 400_000}(order, true);
        }
        vm.assertEq(poolEth.claims(bad[0]), 0.995 ether, "the refuser has a claim");
        vm.assertEq(poolEth.claims(bad[1]), 0.995 ether, "the bomb has a claim");
        vm.assertEq(
            poolEth.claims(bad[2]) + bad[2].balance, 0.995 ether, "the other bomb has a claim or its money"
        );
        fulfil(poolEth, outboundEth(bob));
        vm.assertEq(bob.balance, 0.995 ether, "and bob is paid");
    }

    /// @dev Guard: the partner is paid or owed like the recipient.
    function test_aPartnerThatCannotBePaidHoldsNoOrderUp() public {
        bytes32 id = register(2_500);
        usdcHub.setBlacklisted(partner, true);
        fulfil(hub, open(pool1, alice, 100e6, HUB, abi.encodePacked(bob), 0, address(usdcHub), id));
        vm.assertEq(usdcHub.balanceOf(bob), 99_450_000, "bob is paid");
        vm.assertEq(hub.claims(partner), 250_000, "the partner is owed");
    }

    // -------------------------------------------------------------- deposits

    /// @dev Guard: a token deposit takes no native coin, which would have no owner.
    function test_fuzz_valueWithATokenPool(uint256 value) public {
        value = bound(value, 1, 100 ether);
        provide(pool1, alice, 100e6);
        vm.deal(alice, value);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(CurrencyLibrary.WrongValue.selector, 0, value));
        pool1.swap{value: value}(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0);
    }

    /// @dev Guard: a native deposit is what was sent, not what was said.
    function test_noValueWithANativePool() public {
        vm.prank(mallory);
        vm.expectRevert(abi.encodeWithSelector(CurrencyLibrary.WrongValue.selector, 1 ether, 0));
        poolEth.swap(HUB, 1 ether, abi.encodePacked(mallory), 0, address(weth), 0);
    }

    /// @dev Guard: a deposit is what arrived, not what was said.
    function test_feeOnTransferDeposit() public {
        FeeOnTransferToken token = new FeeOnTransferToken();
        token.init("Fee", "FEE", 6);
        Pool pool = newPool(ETHEREUM, currency(token), 6, dollars(6));
        vm.prank(admin);
        pool.setDestination(HUB, address(usdcHub), terms(Delivery.Address, address(hub), INBOUND_RATE));
        provide(pool, alice, 100e6);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(CurrencyLibrary.WrongDeposit.selector, 100e6, 99e6));
        pool.swap(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0);
    }

    /// @dev Guard: money is taken from the caller only, never from another account that has an allowance.
    function test_fuzz_anotherUsersAllowance(address thief) public {
        vm.assume(thief != alice && !refusedAsRefundTo(thief));
        provide(pool1, alice, 100e6);
        vm.prank(thief);
        vm.expectRevert("transfer amount exceeds allowance");
        pool1.swap(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0);
        vm.assertEq(usdc1.balanceOf(alice), 100e6, "alice has hers");
    }

    /// @dev The zero address, which older clients send, is the sender: at a pool and in a burn.
    function test_zeroRecipientIsTheSender() public {
        bytes memory zero = abi.encodePacked(address(0));
        fulfil(hub, open(pool1, alice, 100e6, HUB, zero, 0, address(usdcHub), 0));
        vm.assertEq(usdcHub.balanceOf(alice), 99_700_000, "from a pool");
        deliver(100e6, 0, hookFor(zero));
        fulfil(hub, lastOrder());
        vm.assertEq(usdcHub.balanceOf(alice), 2 * 99_700_000, "from a burn");
    }

    // --------------------------------------------------------------- helpers

    function invented(uint256 nonce, uint256 amount) private view returns (Order memory) {
        return Order({
            srcPlace: ETHEREUM,
            srcPool: address(pool1),
            refundTo: mallory,
            nonce: 1_000_000 + nonce,
            srcDecimals: 6,
            amount: amount,
            dstPlace: HUB,
            dstPool: address(hub),
            dstToken: address(usdcHub),
            rate: INBOUND_RATE,
            integratorId: 0,
            recipientType: 0,
            recipient: abi.encodePacked(mallory),
            deadline: uint48(block.timestamp + 1 hours)
        });
    }

    function refusedAsRefundTo(address thief) private view returns (bool) {
        return
            thief == address(0) || thief == address(pool1) || thief == address(usdc1) || thief == address(hub);
    }

    function outboundEth(address to) private returns (Order memory) {
        bytes memory recipient = abi.encodePacked(to);
        return open(hubWeth, alice, 1 ether, ETHEREUM, recipient, 0, Currency.unwrap(NATIVE), 0);
    }

    /// @dev Random bytes are seldom long enough to be read; half of these begin as a good hook does.
    function stretch(bytes calldata random, uint256 length) private view returns (bytes memory hook) {
        hook = new bytes(length);
        bytes memory start = uint256(keccak256(random)) % 2 == 0 ? goodHook() : bytes("");
        for (uint256 i; i < length; ++i) {
            if (i < start.length) hook[i] = start[i];
            else if (random.length > 0) hook[i] = random[i % random.length];
        }
    }
}

/// @notice A token that mints one unit less than it is told to
contract StingyToken is BlacklistToken {
    function mint(address to, uint256 amount) external override returns (bool) {
        balanceOf[to] += amount - 1;
        return true;
    }
}
