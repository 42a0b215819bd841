// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPool, Settlement} from "../src/interfaces/IPool.sol";
import {IReceiver} from "../src/interfaces/IReceiver.sol";
import {IShieldPool} from "../src/interfaces/IShieldPool.sol";
import {IMessageTransmitterV2} from "../src/interfaces/external/IMessageTransmitterV2.sol";
import {ShieldRequest} from "../src/interfaces/external/IPrivacyPool.sol";
import {ShieldFee} from "../src/libraries/ShieldFee.sol";
import {Order} from "../src/types/Order.sol";
import {MintableToken} from "./standins/MintableToken.sol";
import {BurnFixture} from "./support/BurnFixture.sol";

/// @notice Faults of other people's contracts that come between an order and its payment, or its way back
contract ThirdPartiesTest is BurnFixture {
    function setUp() public override {
        super.setUp();
        fund(gateway, 100_000e6);
        fund(shieldPool, 100_000e6);
    }

    // --------------------------------------------------------------- raised fees

    /// @dev Up to the bound the pool bears it and the recipient gets what was quoted; beyond, the order waits.
    function test_messenger_raisesItsLeastFeeAfterTheOrder() public {
        Order memory order =
            open(hub, alice, 100e6, ARBITRUM, abi.encodePacked(bob), 0, address(there.token), 0);
        here.messenger.setMinFee(60_000); // 0.6 %
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IPool.FeeTooHigh.selector, 597_000, 500_000));
        gateway.fulfil(order, true);
        here.messenger.setMinFee(40_000);
        vm.recordLogs();
        fulfil(gateway, order);
        (bytes memory message, bytes memory attestation) = attest(lastMessage(), 399_598);
        there.transmitter.receiveMessage(message, attestation);
        vm.assertEq(there.token.balanceOf(bob), 99_500_000, "what was quoted");
    }

    function test_messenger_raisesItsLeastFeeBeforeABurnGoesBack() public {
        deliver(100e6, 0, hex"c0ffee");
        Order memory order = lastOrder();
        here.messenger.setMinFee(1_000_000); // 10 %
        vm.recordLogs();
        receiver.reclaim(order);
        (bytes memory message, bytes memory attestation) = attest(lastMessage(), 10e6);
        there.transmitter.receiveMessage(message, attestation);
        vm.assertEq(there.token.balanceOf(alice), 90e6, "the owner bears the issuer's fee and no other");
    }

    function test_privacyPool_raisesItsFeeAfterTheOrder() public {
        Order memory order = openShield(100e6);
        privacyPool.changeFee(60);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IPool.FeeTooHigh.selector, 600_603, 500_000));
        shieldPool.fulfil(order, true);
        vm.assertEq(uint256(shieldPool.settlements(order.id())), uint256(Settlement.None), "still open");
        privacyPool.changeFee(40);
        fulfil(shieldPool, order);
        vm.assertEq(usdc1.balanceOf(address(privacyPool)), 99_500_000, "the note is worth what was quoted");
    }

    // ------------------------------------------------------------------- mints

    function test_minter_pausedDelaysARelay() public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 0, goodHook()), 0);
        here.minter.setPaused(true);
        vm.expectRevert("Pausable: paused");
        receiver.relay(message, attestation);
        here.minter.setPaused(false);
        vm.assertEq(held(receiver, receiver.relay(message, attestation)), 100e6, "held");
    }

    function test_transmitter_thatTakesNoMessage() public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 0, goodHook()), 0);
        vm.etch(address(here.transmitter), address(new Refusing()).code);
        vm.expectRevert(IReceiver.NotReceived.selector);
        receiver.relay(message, attestation);
    }

    /// @dev A message that expired is signed again with a later block, and is then as good as new.
    function test_transmitter_anExpiredMessageIsSignedAgain() public {
        bytes memory message = burn(100e6, 0, goodHook());
        bytes memory attestation;
        (message, attestation) = attest(message, 0);
        put(message, 344, bytes32(uint256(block.number)));
        attestation = sign(message);
        vm.expectRevert("Message expired and must be re-signed");
        receiver.relay(message, attestation);
        put(message, 344, bytes32(block.number + 1));
        attestation = sign(message);
        vm.assertEq(held(receiver, receiver.relay(message, attestation)), 100e6, "held");
    }

    function test_minter_thatMintsMoreThanTheMessageSays() public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 0, goodHook()), 0);
        vm.etch(address(here.token), address(new GenerousToken()).code);
        vm.expectRevert(abi.encodeWithSelector(IReceiver.WrongMint.selector, 100e6, 100e6 + 1));
        receiver.relay(message, attestation);
    }

    /// @dev The note is worth what was quoted, but the pool was to pay the fee too: its books would be wrong.
    function test_privacyPool_thatLeavesItsFee() public {
        Order memory order = openShield(100e6);
        vm.etch(address(privacyPool), address(new GenerousPrivacyPool()).code);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IShieldPool.WrongNote.selector, 99_500_000, 99_500_000));
        shieldPool.fulfil(order, true);
    }

    // --------------------------------------------------------------- the way back

    function test_token_freezesThePool_aReclaimIsOwedAndPushedLater() public {
        Order memory order = openInbound(100e6);
        vm.warp(order.deadline + 5 days);
        pool1.reclaim(order);
        vm.warp(block.timestamp + 2 days);
        usdc1.setBlacklisted(address(pool1), true);
        pool1.reclaim(order);
        vm.assertEq(pool1.claims(alice), 100e6, "owed");
        usdc1.setBlacklisted(address(pool1), false);
        pool1.claimFor(alice);
        vm.assertEq(usdc1.balanceOf(alice), 100e6, "pushed");
    }

    function test_token_freezesTheGatewayPool_whatIsFreeStays() public {
        release(receiver, deliver(100e6, 0, goodHook()));
        here.token.setBlacklisted(address(gateway), true);
        vm.expectRevert("Blacklistable: account is blacklisted");
        receiver.sweep();
        vm.assertEq(receiver.liquidity(), 100e6, "still free");
        here.token.setBlacklisted(address(gateway), false);
        receiver.sweep();
        vm.assertEq(here.token.balanceOf(address(gateway)), 100_100e6, "swept");
    }

    function test_token_frozenDepositor() public {
        provide(pool1, alice, 100e6);
        usdc1.setBlacklisted(alice, true);
        vm.prank(alice);
        vm.expectRevert("Blacklistable: account is blacklisted");
        pool1.swap(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0);
    }
}

/// @notice A transmitter that answers every message with false
contract Refusing is IMessageTransmitterV2 {
    function receiveMessage(bytes calldata, bytes calldata) external pure returns (bool) {
        return false;
    }
}

/// @notice A token that mints one unit too many
contract GenerousToken is MintableToken {
    function mint(address to, uint256 amount) external override returns (bool) {
        balanceOf[to] += amount + 1;
        return true;
    }
}

/// @notice A privacy pool that asks for a fee and does not take it
contract GenerousPrivacyPool {
    uint120 public constant shieldFee = 25;

    function shield(ShieldRequest[] calldata requests) external {
        uint256 worth = ShieldFee.worthOf(requests[0].preimage.value, shieldFee);
        MintableToken(requests[0].preimage.token.tokenAddress).transferFrom(msg.sender, address(this), worth);
    }
}
