// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IOrderSource} from "../src/interfaces/IOrderSource.sol";
import {Settlement} from "../src/interfaces/IPool.sol";
import {Pool} from "../src/Pool.sol";
import {Currency, NATIVE} from "../src/types/Currency.sol";
import {Order} from "../src/types/Order.sol";
import {BurnFixture} from "./support/BurnFixture.sol";

/// @notice Refuses the native coin, but can claim
contract Stubborn {
    Pool private immutable pool;

    constructor(Pool pool_) {
        pool = pool_;
    }

    function claim(address to) external {
        pool.claim(to);
    }
}

/// @notice Everything that can happen, in any order and by anyone with a key; what must hold after each step
/// @dev The world acts on itself: the runner calls the functions below with random arguments. A relayer that pays
/// twice, refunds what it paid and invents orders is among them.
contract InvariantsTest is BurnFixture {
    address private immutable victim = account("victim");
    address private immutable thief = account("thief");
    Stubborn private stubborn;

    Order[] private opened;
    mapping(bytes32 id => uint256) private timesPaid;
    mapping(bytes32 id => uint256) private timesRefunded;
    mapping(Pool pool => Payment[]) private payments;

    struct Payment {
        uint256 time;
        uint256 amount;
    }

    function setUp() public override {
        super.setUp();
        stubborn = new Stubborn(poolEth);
        fund(hub, 400_000e6);
        fund(poolEth, 400 ether);
        fund(pool1, 1_000e6);
        usdcHub.mint(victim, 1_000e6);
        usdc1.mint(victim, 1_000e6);
        vm.startPrank(victim);
        usdcHub.approve(address(hub), type(uint256).max);
        usdc1.approve(address(pool1), type(uint256).max);
        vm.stopPrank();
    }

    /// @dev What the runner calls: this contract, and only the functions that do something.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(this);
    }

    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0].addr = address(this);
        targets[0].selectors = new bytes4[](10);
        targets[0].selectors[0] = this.actSwap.selector;
        targets[0].selectors[1] = this.actSwapEther.selector;
        targets[0].selectors[2] = this.actBurn.selector;
        targets[0].selectors[3] = this.actFulfil.selector;
        targets[0].selectors[4] = this.actFulfilInvented.selector;
        targets[0].selectors[5] = this.actCancel.selector;
        targets[0].selectors[6] = this.actRefund.selector;
        targets[0].selectors[7] = this.actRelease.selector;
        targets[0].selectors[8] = this.actClaim.selector;
        targets[0].selectors[9] = this.actWait.selector;
    }

    // ------------------------------------------------------------------- act

    function actSwap(uint256 amount, bool blacklisted) external {
        usdcHub.setBlacklisted(bob, blacklisted);
        opened.push(openInbound(bound(amount, 10e6, 25_000e6)));
    }

    function actSwapEther(uint256 amount, bool toStubborn) external {
        bytes memory to = abi.encodePacked(toStubborn ? address(stubborn) : bob);
        amount = bound(amount, 0.01 ether, 20 ether);
        opened.push(open(hubWeth, alice, amount, ETHEREUM, to, 0, Currency.unwrap(NATIVE), 0));
    }

    function actBurn(uint256 amount, uint256 fee, bool garbled) external {
        amount = bound(amount, 1e6, 30_000e6);
        bytes32 id = deliver(amount, bound(fee, 0, amount / 10), garbled ? bytes(hex"c0ffee") : goodHook());
        Order memory order = lastOrder();
        if (order.dstPool != address(0)) opened.push(order);
        else receiver.reclaim(order);
        vm.assertTrue(id != 0, "an order in any case");
    }

    function actFulfil(uint256 which) external {
        if (opened.length > 0) pay(opened[which % opened.length]);
    }

    function actFulfilInvented(uint256 which, uint256 count) external {
        if (opened.length == 0) return;
        Order memory order = opened[which % opened.length];
        order.recipient = abi.encodePacked(thief);
        for (uint256 i = bound(count, 1, 12); i > 0; --i) {
            order.nonce = uint256(keccak256(abi.encode(which, count, i)));
            pay(order);
        }
    }

    function actCancel(uint256 which) external {
        if (opened.length == 0) return;
        Order memory order = opened[which % opened.length];
        vm.prank(relayer);
        try destination(order).cancel(order) {} catch {}
    }

    function actRefund(uint256 which) external {
        if (opened.length == 0) return;
        Order memory order = opened[which % opened.length];
        vm.prank(relayer);
        try IOrderSource(order.srcPool).refund(order) {
            ++timesRefunded[order.id()];
        } catch {}
    }

    function actRelease(uint256 which) external {
        if (opened.length == 0) return;
        Order memory order = opened[which % opened.length];
        bytes32[] memory ids = new bytes32[](1);
        ids[0] = order.id();
        vm.prank(relayer);
        try IOrderSource(order.srcPool).releaseMany(ids) {} catch {}
    }

    function actClaim() external {
        vm.prank(bob);
        try hub.claim(alice) {} catch {}
        try receiver.sweep() {} catch {}
        try stubborn.claim(alice) {} catch {}
    }

    function actWait(uint256 time) external {
        vm.warp(block.timestamp + bound(time, 1, 2 hours));
    }

    function pay(Order memory order) private {
        Pool pool = destination(order);
        uint256 before = pool.liquidity();
        vm.prank(relayer);
        try pool.fulfil(order, true) {
            ++timesPaid[order.id()];
            payments[pool].push(Payment(block.timestamp, before - pool.liquidity()));
        } catch {}
    }

    function destination(Order memory order) private view returns (Pool) {
        return order.dstPlace == HUB ? hub : poolEth;
    }

    // ----------------------------------------------------------------- holds

    /// @dev One function, so that the runner goes through the same steps once.
    function invariant_solventPaidOnceAndWithinLimits() public view {
        poolsCoverClaimsAndDeposits();
        theReceiverCoversClaimsAndDeposits();
        anOrderIsPaidOnce();
        noMoreThanTheDailyLimitInAnyDay();
        nobodyElsesMoneyMoves();
    }

    function poolsCoverClaimsAndDeposits() private view {
        vm.assertGe(usdcHub.balanceOf(address(hub)), owed(hub) + heldTotal(hub), "hub");
        vm.assertGe(usdc1.balanceOf(address(pool1)), owed(pool1) + heldTotal(pool1), "chain 1");
        vm.assertGe(address(poolEth).balance, owed(poolEth), "ether");
        vm.assertEq(owed(hub), hub.claims(bob) + hub.claims(thief), "the sum of the hub's claims");
        vm.assertEq(owed(poolEth), poolEth.claims(address(stubborn)), "the sum of the ether pool's claims");
    }

    function theReceiverCoversClaimsAndDeposits() private view {
        uint256 balance = here.token.balanceOf(address(receiver));
        vm.assertEq(balance, owed(receiver) + heldTotal(receiver) + receiver.liquidity(), "to the unit");
        vm.assertEq(owed(receiver), 0, "no burner's money is a claim");
    }

    function anOrderIsPaidOnce() private view {
        for (uint256 i; i < opened.length; ++i) {
            bytes32 id = opened[i].id();
            vm.assertLe(timesPaid[id], 1, "paid at most once");
            vm.assertLe(timesRefunded[id], 1, "refunded at most once");
            bool fulfilled = destination(opened[i]).settlements(id) == Settlement.Fulfilled;
            vm.assertEq(fulfilled, timesPaid[id] == 1, "and it is known");
        }
    }

    function noMoreThanTheDailyLimitInAnyDay() private view {
        vm.assertLe(paidInTheLastDay(hub), 200_000e6, "hub");
        vm.assertLe(paidInTheLastDay(poolEth), 160 ether, "ether");
    }

    function nobodyElsesMoneyMoves() private view {
        vm.assertEq(usdcHub.balanceOf(victim), 1_000e6, "an allowance to the hub pool is no invitation");
        vm.assertEq(usdc1.balanceOf(victim), 1_000e6, "nor one to the pool on chain 1");
    }

    function paidInTheLastDay(Pool pool) private view returns (uint256 sum) {
        Payment[] storage all = payments[pool];
        for (uint256 i; i < all.length; ++i) {
            if (all[i].time + 1 days >= block.timestamp) sum += all[i].amount;
        }
    }
}
