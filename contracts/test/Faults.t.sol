// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pool} from "../src/Pool.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {IPool, Settlement} from "../src/interfaces/IPool.sol";
import {Currency, CurrencyLibrary} from "../src/types/Currency.sol";
import {Delivery, Order} from "../src/types/Order.sol";
import {TetherToken} from "./standins/TetherToken.sol";
import {BurnFixture} from "./support/BurnFixture.sol";

/// @notice Faults of other people's contracts: each passes, and leaves every order payable or its deposit refundable
contract FaultsTest is BurnFixture {
    function setUp() public override {
        super.setUp();
        fund(hub, 100_000e6);
        fund(gateway, 100_000e6);
        fund(shieldPool, 100_000e6);
    }

    // ------------------------------------------------------- token is paused

    function test_pausedToken_takesNoDeposits() public {
        provide(pool1, alice, 100e6);
        usdc1.setPaused(true);
        vm.prank(alice);
        vm.expectRevert("Pausable: paused");
        pool1.swap(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0);
    }

    /// @dev A pause of the token must not turn a batch of payments into claims.
    function test_pausedToken_makesNoClaims() public {
        Order memory order = openInbound(100e6);
        Order[] memory batch = new Order[](1);
        batch[0] = order;
        usdcHub.setPaused(true);
        vm.prank(relayer);
        hub.fulfilMany(batch);
        vm.assertEq(owed(hub), 0, "nothing is owed");
        usdcHub.setPaused(false);
        fulfil(hub, order);
        vm.assertEq(usdcHub.balanceOf(bob), 99_700_000, "paid when it can be");
    }

    function test_pausedToken_refundsAreOwedAndPushedLater() public {
        Order memory order = openInbound(100e6);
        usdc1.setPaused(true);
        vm.prank(relayer);
        pool1.refund(order);
        vm.assertEq(pool1.claims(alice), 100e6, "owed");
        vm.expectRevert("Pausable: paused");
        pool1.claimFor(alice);
        usdc1.setPaused(false);
        pool1.claimFor(alice);
        vm.assertEq(usdc1.balanceOf(alice), 100e6, "pushed");
    }

    function test_pausedToken_aBurnIsRelayedLater() public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 0, goodHook()), 0);
        here.token.setPaused(true);
        vm.expectRevert("Pausable: paused");
        receiver.relay(message, attestation);
        here.token.setPaused(false);
        vm.assertEq(held(receiver, receiver.relay(message, attestation)), 100e6, "held");
    }

    // ------------------------------------------------------- pool is frozen

    function test_frozenPool_ordersWait() public {
        Order memory order = openInbound(100e6);
        usdcHub.setBlacklisted(address(hub), true);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IPool.CannotPay.selector, order.id()));
        hub.fulfil(order, false);
        usdcHub.setBlacklisted(address(hub), false);
        fulfil(hub, order);
    }

    function test_frozenReceiver_aBurnIsRelayedLater() public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 0, goodHook()), 0);
        here.token.setBlacklisted(address(receiver), true);
        vm.expectRevert("Blacklistable: account is blacklisted");
        receiver.relay(message, attestation);
        here.token.setBlacklisted(address(receiver), false);
        vm.assertEq(held(receiver, receiver.relay(message, attestation)), 100e6, "held");
    }

    // ------------------------------------------------------------------ USDT

    function test_tether_faultsOfADeposit() public {
        (Pool pool, TetherToken usdt) = tetherPool();
        provide(pool, alice, 100e6);
        usdt.setPaused(true);
        tetherFails(pool);
        usdt.setPaused(false);
        usdt.setBlackListed(alice, true);
        tetherFails(pool);
        usdt.setBlackListed(alice, false);
        usdt.setParams(10);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(CurrencyLibrary.WrongDeposit.selector, 100e6, 99_900_000));
        pool.swap(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0);
    }

    function test_tether_aPausedRefundIsOwed() public {
        (Pool pool, TetherToken usdt) = tetherPool();
        Order memory order = open(pool, alice, 100e6, HUB, abi.encodePacked(bob), 0, address(usdcHub), 0);
        usdt.setPaused(true);
        vm.prank(relayer);
        pool.refund(order);
        usdt.setPaused(false);
        pool.claimFor(alice);
        vm.assertEq(usdt.balanceOf(alice), 100e6, "pushed");
    }

    function tetherPool() private returns (Pool pool, TetherToken usdt) {
        usdt = new TetherToken();
        usdt.init("Tether USD", "USDT", 6);
        pool = newPool(ETHEREUM, Currency.wrap(address(usdt)), 6, dollars(6));
        link(pool, ETHEREUM, hub, HUB, address(usdcHub), INBOUND_RATE, Delivery.Address);
    }

    function tetherFails(Pool pool) private {
        vm.prank(alice);
        vm.expectRevert();
        pool.swap(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0);
    }

    // ---------------------------------------------------------------- issuer

    /// @dev Whatever the issuer refuses, the order stays open and is paid once it does not.
    function test_issuer_onwardBurnsWait() public {
        Order memory order =
            open(hub, alice, 100e6, ARBITRUM, abi.encodePacked(bob), 0, address(there.token), 0);
        here.minter.setPaused(true);
        burnFails(order, "Pausable: paused");
        here.minter.setPaused(false);
        here.transmitter.setPaused(true);
        burnFails(order, "Pausable: paused");
        here.transmitter.setPaused(false);
        here.messenger.setDenylisted(address(gateway), true);
        burnFails(order, "Denylistable: account is on denylist");
        here.messenger.setDenylisted(address(gateway), false);
        here.minter.setMaxBurnAmountPerMessage(address(here.token), 1e6);
        burnFails(order, "Burn amount exceeds per tx limit");
        here.minter.setMaxBurnAmountPerMessage(address(here.token), 0);
        burnFails(order, "Burn token not supported");
        here.minter.setMaxBurnAmountPerMessage(address(here.token), 10_000_000e6);
        fulfil(gateway, order);
    }

    function burnFails(Order memory order, string memory words) private {
        vm.prank(relayer);
        vm.expectRevert(bytes(words));
        gateway.fulfil(order, true);
        vm.assertEq(uint256(gateway.settlements(order.id())), uint256(Settlement.None), "still open");
        vm.assertEq(here.token.allowance(address(gateway), address(here.messenger)), 0, "no allowance");
    }

    function test_issuer_pausedTransmitterDelaysARelay() public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 0, goodHook()), 0);
        here.transmitter.setPaused(true);
        vm.expectRevert("Pausable: paused");
        receiver.relay(message, attestation);
        here.transmitter.setPaused(false);
        receiver.relay(message, attestation);
    }

    function test_issuer_anAttestationBelowTheLowestFinality() public {
        bytes memory message = burn(100e6, 0, goodHook());
        bytes memory attestation;
        (message, attestation) = attest(message, 0);
        (message[146], message[147]) = (0x01, 0xf3); // 499
        attestation = sign(message);
        vm.expectRevert("Unsupported finality threshold");
        receiver.relay(message, attestation);
    }

    /// @dev The second premise of the exit: a network that the issuer gave up is not burned to, and the deposit waits.
    function test_issuer_aGivenUpNetworkKeepsTheDepositHeld() public {
        bytes32 id = deliver(100e6, 0, hex"c0ffee");
        Order memory order = lastOrder();
        here.messenger.removeRemoteTokenMessenger(ARBITRUM_DOMAIN);
        vm.expectRevert("No TokenMessenger for domain");
        receiver.reclaim(order);
        vm.assertEq(held(receiver, id), 100e6, "held");
        vm.prank(alice, alice);
        receiver.reclaimHere(order, alice);
        vm.assertEq(here.token.balanceOf(alice), 100e6, "a key can take it here");
    }

    /// @dev A single unit cannot pay the least fee and be burned, so it can only be taken here.
    function test_issuer_dustCannotPayTheLeastFee() public {
        deliver(1, 0, goodHook());
        Order memory order = lastOrder();
        here.messenger.setMinFee(10);
        vm.expectRevert("Amount too low");
        receiver.reclaim(order);
        vm.prank(alice, alice);
        receiver.reclaimHere(order, alice);
        vm.assertEq(here.token.balanceOf(alice), 1, "taken here");
    }

    // --------------------------------------------------------- privacy pool

    function test_privacyPool_pausedOrdersWait() public {
        Order memory order = openShield(100e6);
        privacyPool.setPaused(true);
        vm.prank(relayer);
        vm.expectRevert("Proxy: Contract is paused");
        shieldPool.fulfil(order, true);
        vm.assertEq(shieldPool.claims(bob), 0, "no claim");
        privacyPool.setPaused(false);
        fulfil(shieldPool, order);
    }

    function test_privacyPool_aBatchSkipsWhatItRefuses() public {
        Order[] memory batch = new Order[](1);
        batch[0] = openShield(100e6);
        privacyPool.setBlocked(address(usdc1), true);
        vm.expectEmit(address(shieldPool));
        emit IPool.OrderSkipped(batch[0].id(), bytes4(0x08c379a0)); // a revert with words
        vm.prank(relayer);
        shieldPool.fulfilMany(batch);
        vm.assertEq(uint256(shieldPool.settlements(batch[0].id())), uint256(Settlement.None), "still open");
    }

    /// @dev A caller that is stingy with gas cannot turn a refund into a claim.
    function test_fuzz_reclaim_aStingyCallerMakesNoClaim(uint256 gasLimit) public {
        Order memory order = open(poolEth, alice, 1 ether, HUB, abi.encodePacked(bob), 0, address(weth), 0);
        vm.warp(order.deadline + 5 days);
        poolEth.reclaim(order);
        vm.warp(block.timestamp + 2 days);
        gasLimit = bound(gasLimit, 20_000, 150_000);
        try poolEth.reclaim{gas: gasLimit}(order) {
            vm.assertEq(alice.balance, 1 ether, "paid");
        } catch {
            vm.assertEq(held(poolEth, order.id()), 1 ether, "or still held");
        }
        vm.assertEq(poolEth.claims(alice), 0, "never owed");
    }

    // --------------------------------------------------------------- partner

    function test_registry_thatRevertsStopsPaymentsNotRefunds() public {
        Order memory order = openInbound(100e6);
        vm.etch(address(registry), hex"fe");
        vm.prank(relayer);
        vm.expectRevert();
        hub.fulfil(order, false);
        vm.prank(relayer);
        pool1.refund(order);
        vm.assertEq(usdc1.balanceOf(alice), 100e6, "refunded");
        vm.assertEq(ILedger(hub).liquidity(), 100_000e6, "and nothing was paid");
    }
}
