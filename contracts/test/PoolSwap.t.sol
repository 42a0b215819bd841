// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {Pool} from "../src/Pool.sol";
import {ILedger, Limits} from "../src/interfaces/ILedger.sol";
import {IIntegratorRegistry} from "../src/interfaces/IIntegratorRegistry.sol";
import {IPool, PoolConfig} from "../src/interfaces/IPool.sol";
import {Currency, CurrencyLibrary, NATIVE} from "../src/types/Currency.sol";
import {Delivery, Order, Refusal} from "../src/types/Order.sol";
import {TetherToken} from "./standins/TetherToken.sol";
import {PoolFixture} from "./support/PoolFixture.sol";

contract PoolSwapTest is PoolFixture {
    // ---------------------------------------------------------- construction

    function test_constructor_refusesZeroRoles() public {
        vm.chainId(ETHEREUM);
        for (uint256 i; i < 3; ++i) {
            PoolConfig memory broken = config(ETHEREUM, currency(usdc1), 6, dollars(6));
            if (i == 0) broken.roles.admin = address(0);
            if (i == 1) broken.roles.relayer = address(0);
            if (i == 2) broken.roles.pauser = address(0);
            vm.expectRevert(ILedger.ZeroAddress.selector);
            new Pool(broken);
        }
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
    }

    // ------------------------------------------------------------------ swap

    function test_selector() public pure {
        vm.assertEq(bytes32(IPool.swap.selector), bytes32(bytes4(0x095ff22d)), "the published selector");
    }

    function test_swap_token() public {
        Order memory order =
            open(pool1, alice, 100e6, HUB, abi.encodePacked(bob), 0, address(usdcHub), bytes32("partner"));
        vm.assertEq(order.srcPlace, ETHEREUM, "source place");
        vm.assertEq(order.srcPool, address(pool1), "source pool");
        vm.assertEq(order.nonce, 0, "first order");
        vm.assertEq(order.refundTo, alice, "refund to the depositor");
        vm.assertEq(order.amount, 100e6, "amount");
        vm.assertEq(order.dstPlace, HUB, "destination");
        vm.assertEq(order.dstToken, address(usdcHub), "destination token");
        vm.assertEq(order.integratorId, bytes32("partner"), "integrator");
        vm.assertEq(order.recipientType, 0, "type");
        vm.assertEq(order.recipient, abi.encodePacked(bob), "recipient");
        vm.assertEq(usdc1.balanceOf(address(pool1)), 100e6, "the deposit is here");
        vm.assertEq(usdc1.allowance(alice, address(pool1)), 0, "no allowance is left");
        vm.assertEq(pool1.held(order.id()), 100e6, "and refundable");
        vm.assertEq(pool1.heldTotal(), 100e6, "in the sum too");
    }

    function test_fuzz_swap_token(uint256 amount, address sender, address recipient, bytes32 integratorId)
        public
    {
        vm.assume(sender != address(0) && sender != address(pool1));
        amount = bound(amount, 10e6, 25_000e6);
        bytes memory to = abi.encodePacked(recipient);
        Order memory order = open(pool1, sender, amount, HUB, to, 0, address(usdcHub), integratorId);
        vm.assertEq(order.amount, amount, "amount");
        vm.assertEq(order.recipient, recipient == address(0) ? abi.encodePacked(sender) : to, "recipient");
        vm.assertEq(order.refundTo, sender, "refund to the depositor");
        vm.assertEq(pool1.liquidity(), amount, "the deposit is here");
    }

    function test_swap_native() public {
        Order memory order =
            open(poolEth, alice, 1 ether, HUB, abi.encodePacked(bob), 0, address(weth), bytes32(0));
        vm.assertEq(order.amount, 1 ether, "amount");
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
        vm.assertEq(second.nonce, 1, "second order");
        vm.assertTrue(first.id() != second.id(), "equal deposits are different orders");
        vm.assertEq(pool1.orders(), 2, "two orders");
    }

    function test_swap_tokenWithoutReturnValues() public {
        TetherToken usdt = new TetherToken();
        usdt.init("Tether USD", "USDT", 6);
        Pool pool = newPool(ETHEREUM, Currency.wrap(address(usdt)), 6, dollars(6));
        link(pool, ETHEREUM, 6, hub, HUB, address(usdcHub), INBOUND_RATE, Delivery.Address);
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
        vm.prank(pauser);
        pool1.pause();
        vm.expectRevert(Pausable.EnforcedPause.selector);
        pool1.swap(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0);
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
        refuses(Refusal.AmountTooLow, HUB, 10e6 - 1, to, 0, address(usdcHub));
        refuses(Refusal.AmountTooHigh, HUB, 25_000e6 + 1, to, 0, address(usdcHub));
    }

    function test_swap_refusesNotesThatNobodyCouldSpend() public {
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

    // ---------------------------------------------------------- destinations

    function test_setDestination_closes() public {
        vm.prank(admin);
        pool1.setDestination(HUB, address(usdcHub), Delivery.None);
        refuses(Refusal.Destination, HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub));
    }

    function test_setDestination_refusesNowhereAndNothing() public {
        vm.startPrank(admin);
        vm.expectRevert(refused(Refusal.Destination));
        pool1.setDestination(0, address(usdcHub), Delivery.Address);
        vm.expectRevert(ILedger.ZeroAddress.selector);
        pool1.setDestination(HUB, address(0), Delivery.Address);
    }

    // ---------------------------------------------------------------- limits

    function test_fuzz_setLimits(Limits calldata limits) public {
        bool possible = limits.min > 0 && limits.min <= limits.max && limits.max <= limits.daily / 2;
        vm.prank(admin);
        if (!possible) vm.expectRevert(abi.encodeWithSelector(ILedger.BadLimits.selector, limits));
        pool1.setLimits(limits);
        (uint128 min, uint128 max, uint128 daily) = pool1.limits();
        Limits memory want = possible ? limits : dollars(6);
        vm.assertEq(abi.encode(min, max, daily), abi.encode(want), "limits");
    }
}
