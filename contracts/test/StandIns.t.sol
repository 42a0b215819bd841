// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPrivacyPool, ShieldRequest} from "../src/interfaces/external/IPrivacyPool.sol";
import {IMessageTransmitterV2} from "../src/interfaces/external/IMessageTransmitterV2.sol";
import {ITokenMessengerV2} from "../src/interfaces/external/ITokenMessengerV2.sol";
import {MessageTransmitter} from "./standins/MessageTransmitter.sol";
import {TetherToken} from "./standins/TetherToken.sol";
import {TokenMessenger} from "./standins/TokenMessenger.sol";
import {WrappedEther} from "./standins/WrappedEther.sol";
import {BurnFixture} from "./support/BurnFixture.sol";

/// @notice The stand-ins behave as the originals are known to, down to selectors, topics and words
contract StandInsTest is BurnFixture {
    // -------------------------------------------------------------- published

    function test_selectorsAndTopicsArePublished() public pure {
        selector(ITokenMessengerV2.depositForBurn.selector, 0x8e0250ee);
        selector(ITokenMessengerV2.depositForBurnWithHook.selector, 0x779b432d);
        selector(IMessageTransmitterV2.receiveMessage.selector, 0x57ecfd28);
        selector(IPrivacyPool.shield.selector, 0x044a40c3);
        selector(IPrivacyPool.shieldFee.selector, 0x01c37790);
        selector(TokenMessenger.getMinFeeAmount.selector, 0x516990e3);
        topic(
            TokenMessenger.DepositForBurn.selector,
            0x0c8c1cbdc5190613ebd485511d4e2812cfa45eecb79d845893331fedad5130a5
        );
        topic(
            TokenMessenger.MintAndWithdraw.selector,
            0x50c55e915134d457debfa58eb6f4342956f8b0616d51a89a3659360178e1ab63
        );
        topic(
            MessageTransmitter.MessageSent.selector,
            0x8c5261668696ce22758910d05bab8f186d6eb247ceac2af2e82c7dc17669b036
        );
        topic(
            MessageTransmitter.MessageReceived.selector,
            0xff48c13eda96b1cceacc6b9edeedc9e9db9d6226afbc30146b720c19d3addb1c
        );
        topic(
            IPrivacyPool.Shield.selector, 0x3a5b9dc26075a3801a6ddccf95fec485bb7500a91b44cec1add984c21ee6db3b
        );
    }

    function test_burnCall_literal() public pure {
        bytes memory call = abi.encodeCall(
            ITokenMessengerV2.depositForBurnWithHook,
            (
                1_000_000_000,
                0,
                bytes32(uint256(uint160(0x1111111111111111111111111111111111111111))),
                0xaf88d065e77c8cC2239327C5EDb3A432268e5831,
                bytes32(uint256(uint160(0x2222222222222222222222222222222222222222))),
                156_000,
                1000,
                hex"deadbeef"
            )
        );
        vm.assertEq(
            call,
            hex"779b432d" hex"000000000000000000000000000000000000000000000000000000003b9aca00"
            hex"0000000000000000000000000000000000000000000000000000000000000000"
            hex"0000000000000000000000001111111111111111111111111111111111111111"
            hex"000000000000000000000000af88d065e77c8cc2239327c5edb3a432268e5831"
            hex"0000000000000000000000002222222222222222222222222222222222222222"
            hex"0000000000000000000000000000000000000000000000000000000000026160"
            hex"00000000000000000000000000000000000000000000000000000000000003e8"
            hex"0000000000000000000000000000000000000000000000000000000000000100"
            hex"0000000000000000000000000000000000000000000000000000000000000004"
            hex"deadbeef00000000000000000000000000000000000000000000000000000000",
            "the published call"
        );
    }

    function selector(bytes4 got, bytes4 want) private pure {
        vm.assertEq(bytes32(got), bytes32(want), "selector");
    }

    function topic(bytes32 got, bytes32 want) private pure {
        vm.assertEq(got, want, "topic");
    }

    // ------------------------------------------------------------------ burns

    function test_message_isLaidOutAsPublished() public {
        bytes memory message = burn(100e6, 14_000, hex"deadbeef");
        bytes32 zero;
        bytes memory want = bytes.concat(
            abi.encodePacked(
                uint32(1), ARBITRUM_DOMAIN, GATEWAY_DOMAIN, zero, word(address(there.messenger))
            ),
            abi.encodePacked(word(address(here.messenger)), word(address(receiver)), FAST, uint32(0)),
            abi.encodePacked(uint32(1), word(address(there.token)), word(address(receiver)), uint256(100e6)),
            abi.encodePacked(word(alice), uint256(14_000), zero, zero, hex"deadbeef")
        );
        vm.assertEq(message, want, "message");
        vm.assertEq(message.length, 380, "the hook data is at 376");
    }

    function test_burn_words() public {
        there.token.mint(address(this), 100e6);
        there.token.approve(address(there.messenger), 100e6);
        burnFails("Hook data is empty", 1, 6, word(bob), 0, "");
        burnFails("Amount must be nonzero", 0, 6, word(bob), 0, "x");
        burnFails("Mint recipient must be nonzero", 1, 6, 0, 0, "x");
        burnFails("Max fee must be less than amount", 1, 6, word(bob), 1, "x");
        burnFails("No TokenMessenger for domain", 1, 7, word(bob), 0, "x");
        burnFails("transfer amount exceeds allowance", 101e6, 6, word(bob), 0, "x");
        burnFails("Message body exceeds max size", 1, 6, word(bob), 0, new bytes(8192 - 228 + 1));
        there.minter.setMaxBurnAmountPerMessage(address(there.token), 1);
        burnFails("Burn amount exceeds per tx limit", 2, 6, word(bob), 0, "x");
        there.minter.setMaxBurnAmountPerMessage(address(there.token), 0);
        burnFails("Burn token not supported", 1, 6, word(bob), 0, "x");
        there.minter.setPaused(true);
        burnFails("Pausable: paused", 1, 6, word(bob), 0, "x");
        there.messenger.setMinFee(1);
        burnFails("Insufficient max fee", 2, 6, word(bob), 0, "x");
        there.messenger.setDenylisted(address(this), true);
        burnFails("Denylistable: account is on denylist", 1, 6, word(bob), 0, "x");
    }

    function burnFails(
        string memory words,
        uint256 amount,
        uint32 domain,
        bytes32 recipient,
        uint256 maxFee,
        bytes memory hook
    ) private {
        vm.expectRevert(bytes(words));
        there.messenger
            .depositForBurnWithHook(amount, domain, recipient, address(there.token), 0, maxFee, FAST, hook);
    }

    // ------------------------------------------------------------------ mints

    function test_mint_wordsOfTheTransmitter() public {
        (bytes memory message, bytes memory attestation) = attest(openBurn(0), 0);
        mintFails("Invalid attestation length", message, "");
        (attestation[0], attestation[65]) = (attestation[65], attestation[0]);
        vm.expectRevert();
        here.transmitter.receiveMessage(message, attestation);
        mintFails("Invalid signature order or dupe", message, swapped(sign(message)));
        mintFails("Invalid destination domain", changed(message, 11, 0x07));
        mintFails("Invalid caller for message", changed(message, 139, 0x07));
        mintFails("Invalid message version", changed(message, 3, 0x07));
        mintFails("Invalid message: too short", new bytes(147));
        here.transmitter.setPaused(true);
        mintFails("Pausable: paused", message);
    }

    function test_mint_wordsOfTheMessenger() public {
        (bytes memory message,) = attest(openBurn(10), 10);
        mintFails("Remote TokenMessenger unsupported", changed(message, 75, 0x07));
        mintFails("Invalid message body version", changed(message, 151, 0x07));
        mintFails("Mint token not supported", changed(message, 183, 0x07));
        mintFails("Message expired and must be re-signed", changed(message, 375, 0x01));
        mintFails("Fee exceeds max fee", changed(message, 343, 0x0b));
        mintFails("Fee equals or exceeds amount", changed(message, 312, 0x01));
        mintFails("Unsupported finality threshold", changed(message, 146, 0x00));
        vm.expectRevert("Invalid message transmitter");
        here.messenger
            .handleReceiveFinalizedMessage(ARBITRUM_DOMAIN, word(address(there.messenger)), 2000, "");
    }

    function test_fuzz_mint_givesTheIssuerItsFee(uint256 amount, uint256 fee) public {
        amount = bound(amount, 2, 10_000_000e6);
        fee = bound(fee, 0, amount - 1);
        bytes memory message = burn(amount, fee, "x");
        put(message, 108, 0);
        bytes memory attestation;
        (message, attestation) = attest(message, fee);
        here.transmitter.receiveMessage(message, attestation);
        vm.assertEq(here.token.balanceOf(issuer), fee, "the issuer's");
        vm.assertEq(here.token.balanceOf(address(receiver)), amount - fee, "the recipient's");
    }

    function openBurn(uint256 maxFee) private returns (bytes memory message) {
        message = burn(100e6, maxFee, "x");
        put(message, 108, 0);
    }

    function mintFails(string memory words, bytes memory message) private {
        mintFails(words, message, sign(message));
    }

    function mintFails(string memory words, bytes memory message, bytes memory attestation) private {
        vm.expectRevert(bytes(words));
        here.transmitter.receiveMessage(message, attestation);
    }

    function changed(bytes memory message, uint256 offset, bytes1 value)
        private
        pure
        returns (bytes memory copy)
    {
        copy = bytes.concat(message);
        copy[offset] = value;
    }

    function swapped(bytes memory attestation) private pure returns (bytes memory other) {
        other = new bytes(130);
        for (uint256 i; i < 130; ++i) {
            other[i] = attestation[(i + 65) % 130];
        }
    }

    // ---------------------------------------------------------------- privacy

    function test_shield_words() public {
        ShieldRequest[] memory requests = new ShieldRequest[](1);
        requests[0].preimage.token.tokenAddress = address(usdc1);
        vm.expectRevert("RailgunSmartWallet: Invalid Note Value");
        privacyPool.shield(requests);
        requests[0].preimage.value = 1;
        requests[0].preimage.npk =
            bytes32(uint256(21888242871839275222246405745257275088548364400416034343698204186575808495617));
        vm.expectRevert("RailgunSmartWallet: Invalid Note NPK");
        privacyPool.shield(requests);
        privacyPool.setBlocked(address(usdc1), true);
        vm.expectRevert("RailgunSmartWallet: Unsupported Token");
        privacyPool.shield(requests);
    }

    function test_fuzz_shield_fee(uint120 value) public {
        vm.assume(value > 0);
        ShieldRequest[] memory requests = new ShieldRequest[](1);
        requests[0].preimage.token.tokenAddress = address(usdc1);
        requests[0].preimage.value = value;
        usdc1.mint(address(this), value);
        usdc1.approve(address(privacyPool), value);
        privacyPool.shield(requests);
        vm.assertEq(usdc1.balanceOf(treasury), uint256(value) * 25 / 10_000, "floored");
        vm.assertEq(usdc1.balanceOf(address(privacyPool)), value - uint256(value) * 25 / 10_000, "the rest");
    }

    // ----------------------------------------------------------------- tokens

    function test_tether_wantsAnAllowanceResetFirst() public {
        TetherToken usdt = new TetherToken();
        usdt.init("Tether USD", "USDT", 6);
        usdt.approve(bob, 1);
        vm.expectRevert();
        usdt.approve(bob, 2);
        usdt.approve(bob, 0);
        usdt.approve(bob, 2);
    }

    function test_fuzz_wrappedEther(uint96 amount) public {
        WrappedEther wrapped = new WrappedEther();
        vm.deal(alice, amount);
        vm.startPrank(alice);
        wrapped.deposit{value: amount}();
        vm.assertEq(wrapped.balanceOf(alice), amount, "wrapped");
        wrapped.withdraw(amount);
        vm.assertEq(alice.balance, amount, "unwrapped");
    }

    function test_runtimeCodeCanBePlacedAnywhere() public {
        address elsewhere = 0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d;
        vm.etch(elsewhere, address(there.messenger).code);
        TokenMessenger placed = TokenMessenger(elsewhere);
        placed.init(there.transmitter, there.minter, issuer);
        vm.assertEq(address(placed.localMinter()), address(there.minter), "it is what `init` made it");
        vm.expectRevert("initialised");
        placed.init(there.transmitter, there.minter, issuer);
    }
}
