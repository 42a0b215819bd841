// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pool} from "../src/Pool.sol";
import {CapKind, ILedger} from "../src/interfaces/ILedger.sol";
import {IIntegratorRegistry} from "../src/interfaces/IIntegratorRegistry.sol";
import {DepositState, Destination, IOrderSource, Limits} from "../src/interfaces/IOrderSource.sol";
import {IPool, PoolConfig} from "../src/interfaces/IPool.sol";
import {ITwoStepAdmin} from "../src/interfaces/ITwoStepAdmin.sol";
import {Currency, CurrencyLibrary, NATIVE} from "../src/types/Currency.sol";
import {Delivery, Order, Refusal} from "../src/types/Order.sol";
import {MintableToken} from "./standins/MintableToken.sol";
import {TetherToken} from "./standins/TetherToken.sol";
import {PoolFixture} from "./support/PoolFixture.sol";

contract PoolSwapTest is PoolFixture {
    // ---------------------------------------------------------- construction

    function test_constructor_refusesZeroRoles() public {
        vm.chainId(ETHEREUM);
        for (uint256 i; i < 5; ++i) {
            PoolConfig memory broken = config(ETHEREUM, currency(usdc1), 6, dollars(6));
            if (i == 0) broken.roles.admin = address(0);
            if (i == 1) broken.roles.relayer = address(0);
            if (i == 2) broken.roles.standby = address(0);
            if (i == 3) broken.roles.guardian = address(0);
            if (i == 4) broken.roles.treasurer = address(0);
            vm.expectRevert(ITwoStepAdmin.ZeroAddress.selector);
            new Pool(broken);
        }
    }

    /// @dev An account that pays is not the one that watches it, moves liquidity or sets.
    function test_constructor_refusesRolesInOneHand() public {
        vm.chainId(ETHEREUM);
        for (uint256 i; i < 7; ++i) {
            PoolConfig memory broken = config(ETHEREUM, currency(usdc1), 6, dollars(6));
            if (i == 0) broken.roles.standby = relayer;
            if (i == 1) broken.roles.guardian = relayer;
            if (i == 2) broken.roles.treasurer = relayer;
            if (i == 3) broken.roles.admin = relayer;
            if (i == 4) broken.roles.guardian = standby;
            if (i == 5) broken.roles.treasurer = standby;
            if (i == 6) broken.roles.admin = standby;
            address both = i < 4 ? relayer : standby;
            vm.expectRevert(abi.encodeWithSelector(ILedger.SameAccount.selector, both));
            new Pool(broken);
        }
    }

    function test_constructor_grantsTheRolesAndNoOther() public view {
        bytes32[4] memory all =
            [bytes32(0), pool1.RELAYER_ROLE(), pool1.GUARDIAN_ROLE(), pool1.TREASURER_ROLE()];
        address[5] memory who = [admin, relayer, standby, guardian, treasurer];
        uint256[5] memory role = [uint256(0), 1, 1, 2, 3];
        for (uint256 i; i < who.length; ++i) {
            for (uint256 j; j < all.length; ++j) {
                vm.assertEq(pool1.hasRole(all[j], who[i]), j == role[i], "role");
            }
        }
        vm.assertEq(pool1.admin(), admin, "the admin");
    }

    function test_constructor_refusesMissingCaps() public {
        vm.chainId(ETHEREUM);
        for (uint256 i; i < 4; ++i) {
            PoolConfig memory broken = config(ETHEREUM, currency(usdc1), 6, dollars(6));
            if (i == 0) broken.caps.payments = 0;
            if (i == 1) broken.caps.refunds = 0;
            if (i == 2) broken.caps.releases = 0;
            if (i == 3) broken.caps.treasury = 0;
            vm.expectRevert(abi.encodeWithSelector(ILedger.CapTooLow.selector, CapKind(i), 0, 1));
            new Pool(broken);
        }
    }

    function test_constructor_refusesAnOrderThatCouldNotBeReleased() public {
        vm.chainId(ETHEREUM);
        PoolConfig memory broken = config(ETHEREUM, currency(usdc1), 6, dollars(6));
        broken.caps.releases = 50_000e6 - 1;
        vm.expectRevert(
            abi.encodeWithSelector(
                ILedger.CapTooLow.selector, CapKind.Releases, 50_000e6 - 1, uint256(50_000e6)
            )
        );
        new Pool(broken);
    }

    function test_constructor_refusesContractsThatAreNone() public {
        vm.chainId(ETHEREUM);
        PoolConfig memory broken = config(ETHEREUM, Currency.wrap(bob), 6, dollars(6));
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotAContract.selector, bob));
        new Pool(broken);
        broken = config(ETHEREUM, currency(usdc1), 6, dollars(6));
        broken.registry = IIntegratorRegistry(bob);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotAContract.selector, bob));
        new Pool(broken);
    }

    function test_constructor_refusesAnotherNetwork() public {
        vm.chainId(BSC);
        vm.expectRevert(abi.encodeWithSelector(IPool.WrongPlace.selector, ETHEREUM, BSC));
        new Pool(config(ETHEREUM, currency(usdc1), 6, dollars(6)));
    }

    function test_constructor_refusesWrongDecimals() public {
        vm.chainId(BSC);
        vm.expectRevert(abi.encodeWithSelector(IPool.WrongDecimals.selector, 6, 18));
        new Pool(config(BSC, currency(usdc56), 6, dollars(6)));
        vm.expectRevert(abi.encodeWithSelector(IPool.WrongDecimals.selector, 6, 18));
        new Pool(config(BSC, NATIVE, 6, dollars(6)));
        MintableToken fine = newToken("FINE", 19);
        vm.expectRevert(abi.encodeWithSelector(ILedger.TooManyDecimals.selector, 19));
        new Pool(config(BSC, currency(fine), 19, dollars(6)));
    }

    function test_constructor_refusesBadLimitsAndFeeBounds() public {
        vm.chainId(ETHEREUM);
        PoolConfig memory broken = config(ETHEREUM, currency(usdc1), 6, Limits(0, 1));
        broken.caps = capsFor(dollars(6));
        vm.expectRevert(abi.encodeWithSelector(IOrderSource.BadLimits.selector, Limits(0, 1)));
        new Pool(broken);
        broken = config(ETHEREUM, currency(usdc1), 6, dollars(6));
        broken.feeBound = 5_001;
        vm.expectRevert(abi.encodeWithSelector(IPool.FeeTooHigh.selector, 5_001, 5_000));
        new Pool(broken);
    }

    // ------------------------------------------------------------------ swap

    function test_selector() public pure {
        vm.assertEq(bytes32(IPool.swap.selector), bytes32(bytes4(0x095ff22d)), "the published selector");
    }

    function test_swap_token() public {
        Order memory order =
            open(pool1, alice, 100e6, HUB, abi.encodePacked(bob), 0, address(usdcHub), bytes32("partner"));
        Order memory want = Order({
            srcPlace: ETHEREUM,
            srcPool: address(pool1),
            refundTo: alice,
            nonce: nonceOf(alice, 0),
            srcDecimals: 6,
            amount: 100e6,
            dstPlace: HUB,
            dstPool: address(hub),
            dstToken: address(usdcHub),
            rate: INBOUND_RATE,
            integratorId: bytes32("partner"),
            recipientType: 0,
            recipient: abi.encodePacked(bob),
            deadline: uint48(block.timestamp + LIFETIME)
        });
        vm.assertEq(abi.encode(order), abi.encode(want), "the order says all that was promised");
        vm.assertEq(usdc1.balanceOf(address(pool1)), 100e6, "the deposit is here");
        vm.assertEq(usdc1.allowance(alice, address(pool1)), 0, "no allowance is left");
        (uint128 amount, uint48 deadline, uint32 domain, DepositState state) = pool1.deposits(order.id());
        vm.assertEq(
            abi.encode(amount, deadline, domain, state),
            abi.encode(100e6, block.timestamp + LIFETIME, 0, DepositState.Held),
            "and held until its deadline"
        );
        vm.assertEq(heldTotal(pool1), 100e6, "in the sum too");
        vm.assertEq(pool1.liquidity(), 0, "so it is not liquidity");
    }

    /// @dev The hash of the order without its deadline, computed here from its fields.
    function test_swap_returnsTheID() public {
        provide(pool1, alice, 100e6);
        vm.recordLogs();
        vm.prank(alice);
        bytes32 id = pool1.swap(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0);
        Order memory order = lastOrder();
        order.deadline = 0;
        vm.assertEq(id, keccak256(abi.encode(order)), "the hash of all but the deadline");
    }

    function test_fuzz_swap_token(uint256 amount, address sender, address recipient, bytes32 integratorId)
        public
    {
        vm.assume(!refusedAsRefundTo(sender) && sender.code.length == 0);
        vm.assume(recipient != address(hub));
        amount = bound(amount, 10e6, 25_000e6);
        bytes memory to = abi.encodePacked(recipient);
        Order memory order = open(pool1, sender, amount, HUB, to, 0, address(usdcHub), integratorId);
        vm.assertEq(order.amount, amount, "amount");
        vm.assertEq(order.recipient, recipient == address(0) ? abi.encodePacked(sender) : to, "recipient");
        vm.assertEq(order.refundTo, sender, "refund to the depositor");
        vm.assertEq(heldTotal(pool1), amount, "the deposit is here");
    }

    function test_swap_native() public {
        Order memory order =
            open(poolEth, alice, 1 ether, HUB, abi.encodePacked(bob), 0, address(weth), bytes32(0));
        vm.assertEq(order.amount, 1 ether, "amount");
        vm.assertEq(order.srcDecimals, 18, "decimals");
        vm.assertEq(address(poolEth).balance, 1 ether, "the deposit is here");
    }

    function test_fuzz_swap_native(uint256 amount, uint256 value) public {
        amount = bound(amount, 0.01 ether, 20 ether);
        value = bound(value, 0, 21 ether);
        vm.deal(alice, value);
        vm.prank(alice);
        if (value != amount) {
            vm.expectRevert(abi.encodeWithSelector(CurrencyLibrary.WrongValue.selector, amount, value));
        }
        poolEth.swap{value: value}(HUB, amount, abi.encodePacked(bob), 0, address(weth), 0);
        vm.assertEq(address(poolEth).balance, value == amount ? amount : 0, "all or nothing");
    }

    function test_swap_numbersOrders() public {
        Order memory first = openInbound(100e6);
        Order memory second = openInbound(100e6);
        vm.assertEq(second.nonce, nonceOf(alice, 1), "second order");
        vm.assertTrue(first.id() != second.id(), "equal deposits are different orders");
        vm.assertEq(pool1.nonces(alice, alice), 2, "two of alice's");
        vm.assertEq(pool1.orders(), 2, "two in all");
    }

    /// @dev A deposit mined again later is the same order, so a payment made before still counts.
    function test_fuzz_swap_theIDDoesNotDependOnTheBlock(uint32 later, uint8 strangers) public {
        uint256 snapshot = vm.snapshotState();
        bytes32 id = openInbound(100e6).id();
        vm.revertToState(snapshot);
        vm.warp(block.timestamp + later);
        bytes memory to = abi.encodePacked(bob);
        for (uint256 i; i < strangers % 4; ++i) {
            open(pool1, bob, 10e6, HUB, to, 0, address(usdcHub), 0);
        }
        Order memory again = openInbound(100e6);
        vm.assertEq(again.id(), id, "the same ID");
        vm.assertEq(again.deadline, block.timestamp + LIFETIME, "and a deadline of its own");
    }

    /// @dev No sequence of calls gives two orders one ID; the count is set back by force.
    function test_swap_neverOverwritesAnOpenOrder() public {
        Order memory order = openInbound(100e6);
        forgetCount();
        provide(pool1, alice, 100e6);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IOrderSource.AlreadyOpen.selector, order.id()));
        pool1.swap(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0);
    }

    function forgetCount() private {
        for (uint256 i; pool1.nonces(alice, alice) != 0; ++i) {
            bytes32 slot = keccak256(abi.encode(alice, keccak256(abi.encode(alice, i))));
            vm.store(address(pool1), slot, 0);
        }
    }

    function test_swap_tokenWithoutReturnValues() public {
        TetherToken usdt = new TetherToken();
        usdt.init("Tether USD", "USDT", 6);
        Pool pool = newPool(ETHEREUM, Currency.wrap(address(usdt)), 6, dollars(6));
        link(pool, ETHEREUM, hub, HUB, address(usdcHub), INBOUND_RATE, Delivery.Address);
        Order memory order = open(pool, alice, 100e6, HUB, abi.encodePacked(bob), 0, address(usdcHub), 0);
        vm.assertEq(usdt.balanceOf(address(pool)), 100e6, "the deposit is here");
        vm.prank(relayer);
        pool.refund(order);
        vm.assertEq(usdt.balanceOf(alice), 100e6, "and can be given back");
    }

    function test_swap_toANote() public {
        Order memory order = openShield(100e6);
        vm.assertEq(order.recipient, note(), "recipient");
        vm.assertEq(order.recipientType, 2, "type");
    }

    function test_swap_paused() public {
        pause(pool1, true, false);
        vm.expectRevert(ILedger.DepositsArePaused.selector);
        pool1.swap(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0);
        vm.expectRevert(ILedger.DepositsArePaused.selector);
        pool1.swapFor(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0, bob);
    }

    function test_swap_pausedPaymentsDoNotStopDeposits() public {
        pause(pool1, false, true);
        openInbound(100e6);
    }

    // ---------------------------------------------------------- zero recipient

    function test_swap_zeroRecipientOfAContractIsRefused() public {
        provide(pool1, address(this), 100e6);
        vm.expectRevert(refused(Refusal.RecipientZero));
        pool1.swap(HUB, 100e6, abi.encodePacked(address(0)), 0, address(usdcHub), 0);
        Order memory order =
            open(pool1, address(this), 100e6, HUB, abi.encodePacked(bob), 0, address(usdcHub), 0);
        vm.assertEq(order.refundTo, address(this), "with a recipient it is welcome");
    }

    /// @dev A key that delegated (EIP-7702) has 23 bytes of code and is still a key.
    function test_swap_zeroRecipientOfADelegatedKeyIsTheKey() public {
        vm.etch(alice, abi.encodePacked(hex"ef0100", address(usdc1)));
        Order memory order =
            open(pool1, alice, 100e6, HUB, abi.encodePacked(address(0)), 0, address(usdcHub), 0);
        vm.assertEq(order.recipient, abi.encodePacked(alice), "the sender");
    }

    function test_fuzz_swap_onlyADelegationIsNoCode(bytes memory code) public {
        vm.assume(code.length > 0 && code.length != 23 && code[0] != 0xef);
        vm.etch(alice, code);
        provide(pool1, alice, 100e6);
        vm.prank(alice);
        vm.expectRevert(refused(Refusal.RecipientZero));
        pool1.swap(HUB, 100e6, abi.encodePacked(address(0)), 0, address(usdcHub), 0);
        vm.etch(alice, abi.encodePacked(hex"ee0100", address(usdc1)));
        vm.prank(alice);
        vm.expectRevert(refused(Refusal.RecipientZero));
        pool1.swap(HUB, 100e6, abi.encodePacked(address(0)), 0, address(usdcHub), 0);
    }

    // --------------------------------------------------------------- swapFor

    function test_swapFor_refundsWhomItNames() public {
        Order memory order = openFor(alice, bob);
        vm.assertEq(order.refundTo, bob, "named");
        vm.assertEq(order.nonce, nonceOf(alice, 0), "counted for the caller and the named");
        vm.assertEq(pool1.nonces(alice, bob), 1, "counted");
        vm.prank(relayer);
        pool1.refund(order);
        vm.assertEq(usdc1.balanceOf(bob), 100e6, "refunded to the named");
    }

    function test_swapFor_withTheCallerEqualsSwap() public {
        uint256 snapshot = vm.snapshotState();
        bytes memory want = abi.encode(openInbound(100e6));
        vm.revertToState(snapshot);
        vm.assertEq(abi.encode(openFor(alice, alice)), want, "the same order");
    }

    /// @dev Two routers with equal orders for one user: the caller is in the nonce, so both are held.
    function test_swapFor_callersDoNotCollide() public {
        Order memory first = openFor(account("router A"), alice);
        Order memory second = openFor(account("router B"), alice);
        vm.assertTrue(first.id() != second.id(), "two orders");
        vm.assertEq(held(pool1, first.id()) + held(pool1, second.id()), 200e6, "both held");
    }

    function test_swapFor_refusesRefundsThatWouldBeLost() public {
        provide(pool1, alice, 100e6);
        address[4] memory bad = [address(0), address(pool1), address(usdc1), address(hub)];
        for (uint256 i; i < bad.length; ++i) {
            vm.prank(alice);
            vm.expectRevert(refused(Refusal.RefundTo));
            pool1.swapFor(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0, bad[i]);
        }
    }

    function test_swapFor_mustNameItsRecipient() public {
        provide(pool1, alice, 100e6);
        vm.prank(alice);
        vm.expectRevert(refused(Refusal.RecipientZero));
        pool1.swapFor(HUB, 100e6, abi.encodePacked(address(0)), 0, address(usdcHub), 0, alice);
    }

    function openFor(address sender, address refundTo) private returns (Order memory) {
        provide(pool1, sender, 100e6);
        vm.recordLogs();
        vm.prank(sender);
        pool1.swapFor(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0, refundTo);
        return lastOrder();
    }

    // --------------------------------------------------------------- refusal

    function test_swap_refusals() public {
        bytes memory to = abi.encodePacked(bob);
        refuses(Refusal.Destination, BSC, 100e6, to, 0, address(usdcHub));
        refuses(Refusal.Destination, HUB, 100e6, to, 0, address(usdc1));
        refuses(Refusal.RecipientType, HUB, 100e6, note(), 2, address(usdcHub));
        refuses(Refusal.RecipientType, HUB, 100e6, to, 1, address(usdcHub));
        refuses(Refusal.RecipientLength, HUB, 100e6, "", 0, address(usdcHub));
        refuses(Refusal.RecipientLength, HUB, 100e6, abi.encode(bob), 0, address(usdcHub));
        refuses(Refusal.RecipientPool, HUB, 100e6, abi.encodePacked(address(hub)), 0, address(usdcHub));
        refuses(Refusal.AmountTooLow, HUB, 10e6 - 1, to, 0, address(usdcHub));
        refuses(Refusal.AmountTooHigh, HUB, 25_000e6 + 1, to, 0, address(usdcHub));
    }

    function test_swap_refusesAClosedDestination() public {
        Destination memory d = closed(pool1, HUB, address(usdcHub));
        vm.prank(guardian);
        pool1.setDestination(HUB, address(usdcHub), d);
        refuses(Refusal.Closed, HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub));
    }

    function test_swap_refusesNotesThatCannotBeSpent() public {
        bytes memory bad = note();
        bad[0] = 0xff;
        vm.expectRevert(refused(Refusal.NoteKey));
        hub.swap(PRIVATE, 100e6, bad, 2, address(usdc1), 0);
    }

    function test_fuzz_swap_takesNothingFromARefusedOrder(
        uint256 dst,
        uint256 amount,
        bytes calldata to,
        uint8 kind
    ) public {
        provide(pool1, alice, 25_000e6);
        amount = bound(amount, 1, 25_000e6);
        vm.prank(alice);
        try pool1.swap(dst % 2 == 0 ? HUB : dst, amount, to, kind, address(usdcHub), 0) {
            vm.assertTrue(dst % 2 == 0 && kind == 0 && to.length == 20 && amount >= 10e6, "a valid order");
        } catch {
            vm.assertEq(usdc1.balanceOf(alice), 25_000e6, "nothing was taken");
        }
    }

    function refuses(Refusal why, uint256 dst, uint256 amount, bytes memory to, uint8 kind, address token)
        private
    {
        provide(pool1, alice, amount);
        vm.prank(alice);
        vm.expectRevert(refused(why));
        pool1.swap(dst, amount, to, kind, token, 0);
    }

    function refusedAsRefundTo(address sender) private view returns (bool) {
        return sender == address(0) || sender == address(pool1) || sender == address(usdc1)
            || sender == address(hub);
    }
}
