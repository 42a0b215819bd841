// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {Pool} from "../../src/Pool.sol";
import {OrderSource} from "../../src/base/OrderSource.sol";
import {Currency, NATIVE} from "../../src/types/Currency.sol";
import {Order} from "../../src/types/Order.sol";
import {MessageTransmitter} from "../standins/MessageTransmitter.sol";
import {Vm} from "../support/Test.sol";
import {Settings} from "./Settings.sol";

/// @notice Deposits of every kind, what was quoted for them, and what their two parties have
/// @dev Alice deposits and is refunded, bob receives; neither does anything else.
abstract contract Deals is Settings {
    enum Kind {
        Token, // a token with equal decimals on both sides
        Narrowed, // eighteen decimals at the source, six at the destination
        Widened, // the other way round
        Native, // the source's own coin
        ToNative, // the destination's own coin
        Shield, // to a note
        Unshield, // from a privacy pool, by an adapter that all users share
        Onward, // burned at the gateway for a third network
        Burn // burned on a third network, received at the gateway
    }

    struct Deal {
        Kind kind;
        OrderSource from;
        uint256 amount;
        uint256 quoted; // what the recipient was told to receive
        Order order;
        bytes call; // what was signed: the call of a swap, or the message of a burn
        bytes attestation;
    }

    uint256 internal constant KINDS = 9;
    address internal immutable adapter = account("adapter");
    address internal immutable stranger = account("stranger");

    function setUp() public virtual override {
        super.setUp();
        Pool[8] memory funded = [pool1, pool56, poolEth, hub, hubWeth, Pool(shieldPool), Pool(gateway), hub2];
        for (uint256 i; i < funded.length; ++i) {
            (, uint128 max) = funded[i].limits();
            fund(funded[i], 4 * uint256(max));
        }
    }

    // ------------------------------------------------------------------ sign

    /// @notice What alice signs for a swap of `kind`, with the partner's fee; a burn is made, but not relayed
    function sign(Kind kind, uint256 amount) internal returns (Deal memory deal) {
        (deal.kind, deal.from, deal.amount) = (kind, sourceOf(kind), amount);
        (uint256 place, address token) = target(kind);
        deal.quoted = quote(deal.from, amount, place, token);
        if (kind == Kind.Burn) return _burned(deal, place, token);
        address sender = kind == Kind.Unshield ? adapter : alice;
        provide(Pool(address(deal.from)), sender, amount);
        (uint8 recipientType, bytes memory recipient) = recipientOf(kind);
        deal.call =
            abi.encodeCall(Pool.swapFor, (place, amount, recipient, recipientType, token, partnerId, alice));
    }

    function _burned(Deal memory deal, uint256 place, address token) private returns (Deal memory) {
        bytes memory hook = abi.encodePacked(place, token, partnerId, uint8(0), bob);
        uint256 fee = deal.amount * ABSORB_RATE / 1e6;
        (deal.call, deal.attestation) = attest(burn(deal.amount, fee, hook), fee);
        return deal;
    }

    /// @notice Sends what was signed; tells whether it was accepted
    function mine(Deal memory deal) internal returns (bool ok) {
        if (deal.kind == Kind.Burn) return _relay(deal);
        vm.recordLogs();
        vm.prank(deal.kind == Kind.Unshield ? adapter : alice);
        (ok,) = address(deal.from).call{value: deal.kind == Kind.Native ? deal.amount : 0}(deal.call);
        if (ok) deal.order = lastOrder();
    }

    /// @dev By a stranger, and no setting stands in the way.
    function _relay(Deal memory deal) private returns (bool) {
        vm.recordLogs();
        vm.prank(stranger);
        receiver.relay(deal.call, deal.attestation);
        deal.order = lastOrder();
        return true;
    }

    /// @notice A deposit of `kind`, made and recorded
    function opened(Kind kind, uint256 amount) internal returns (Deal memory deal) {
        deal = sign(kind, amount);
        vm.assertTrue(mine(deal), "the deposit is accepted");
    }

    // ------------------------------------------------------------------ read

    function sourceOf(Kind kind) internal view returns (OrderSource) {
        if (kind == Kind.Token) return pool1;
        if (kind == Kind.Narrowed) return pool56;
        if (kind == Kind.Native) return poolEth;
        if (kind == Kind.ToNative) return hubWeth;
        if (kind == Kind.Unshield) return shieldPool;
        return kind == Kind.Burn ? OrderSource(receiver) : hub;
    }

    function target(Kind kind) internal view returns (uint256 place, address token) {
        if (kind == Kind.Widened) return (BSC, address(usdc56));
        if (kind == Kind.Native) return (HUB, address(weth));
        if (kind == Kind.ToNative) return (ETHEREUM, Currency.unwrap(NATIVE));
        if (kind == Kind.Shield) return (PRIVATE, address(usdc1));
        if (kind == Kind.Onward) return (ARBITRUM, address(there.token));
        return (HUB, address(usdcHub));
    }

    function recipientOf(Kind kind) private view returns (uint8, bytes memory) {
        return kind == Kind.Shield ? (2, note()) : (0, abi.encodePacked(bob));
    }

    /// @notice The quote's formula, written again: at the destination's rate and the partner's
    function quote(OrderSource from, uint256 amount, uint256 place, address token)
        internal
        view
        returns (uint256)
    {
        (,,, uint32 rate,) = from.destinations(place, token);
        (, uint32 partnerRate,) = registry.integrators(partnerId);
        uint256 gross = amount * 10 ** decimalsOf(token) / 10 ** from.decimals();
        return gross - gross * rate / 1e6 - gross * partnerRate / 1e6;
    }

    function decimalsOf(address token) internal view returns (uint8) {
        return token == Currency.unwrap(NATIVE) ? 18 : IERC20Metadata(token).decimals();
    }

    /// @notice What the recipient has, owed or in hand
    function received(Kind kind) internal view returns (uint256) {
        if (kind == Kind.Shield) return usdc1.balanceOf(address(privacyPool));
        if (kind == Kind.Onward) return there.token.balanceOf(bob);
        if (kind == Kind.ToNative) return bob.balance + poolEth.claims(bob);
        if (kind == Kind.Widened) return usdc56.balanceOf(bob) + pool56.claims(bob);
        if (kind == Kind.Native) return weth.balanceOf(bob) + hubWeth.claims(bob);
        return usdcHub.balanceOf(bob) + hub.claims(bob) + hub2.claims(bob);
    }

    /// @notice What the depositor has, owed or in hand; the adapter's part is the depositor's until it is sent
    function owned(Kind kind) internal view returns (uint256) {
        if (kind == Kind.Burn) return there.token.balanceOf(alice);
        if (kind == Kind.Native) return alice.balance + poolEth.claims(alice);
        OrderSource from = sourceOf(kind);
        IERC20Metadata token = IERC20Metadata(Currency.unwrap(from.token()));
        return token.balanceOf(alice) + token.balanceOf(adapter) + from.claims(alice);
    }

    /// @notice What a contract has of its token
    function balance(OrderSource ledger) internal view returns (uint256) {
        if (ledger.token().isNative()) return address(ledger).balance;
        return IERC20Metadata(Currency.unwrap(ledger.token())).balanceOf(address(ledger));
    }

    /// @notice What the issuer took so far, on both sides
    function issuerHas() internal view returns (uint256) {
        return here.token.balanceOf(issuer) + there.token.balanceOf(issuer);
    }

    /// @notice Pays out every claim of the two: a claim counts only if there is money behind it
    function collect() internal {
        for (uint256 i; i < ledgers.length; ++i) {
            if (ledgers[i].claims(alice) > 0) ledgers[i].claimFor(alice);
            if (ledgers[i].claims(bob) > 0) ledgers[i].claimFor(bob);
        }
    }

    // --------------------------------------------------------------- deliver

    /// @notice Delivers every burn of the recorded logs on the third network; the issuer takes all it may
    function mintThere() internal {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].topics[0] != MessageTransmitter.MessageSent.selector) continue;
            bytes memory message = abi.decode(logs[i].data, (bytes));
            (bytes memory attested, bytes memory signatures) = attest(message, wordAt(message, 280));
            there.transmitter.receiveMessage(attested, signatures);
        }
    }

    function wordAt(bytes memory data, uint256 offset) private pure returns (uint256 value) {
        for (uint256 i; i < 32; ++i) {
            value = value << 8 | uint8(data[offset + i]);
        }
    }
}
