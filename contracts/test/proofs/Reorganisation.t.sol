// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pool} from "../../src/Pool.sol";
import {IPool, Settlement} from "../../src/interfaces/IPool.sol";
import {Order} from "../../src/types/Order.sol";
import {AnyToken} from "../support/PoolFixture.sol";
import {Deals} from "./Deals.sol";

/// @notice Deposits that are mined again in other blocks keep their IDs, so a payment made before still counts
/// @dev Each caller's deposits keep their order, as a wallet's nonces make them; callers are interleaved at random, blocks
/// have other numbers and times, and strangers name the victims as those to be refunded. Two of the callers are shared
/// by users: a router and the adapter of a privacy pool.
contract ReorganisationTest is Deals {
    uint256 private constant CALLERS = 5;
    uint256 private constant EACH = 4;
    uint256 private constant BURNS = 4;
    uint256 private constant ALL = CALLERS * EACH + BURNS;

    /// @dev What is signed; the last ones are burns, which any account relays in any order.
    struct Signed {
        address sender;
        Pool pool;
        uint256 value;
        bytes call;
        bytes attestation;
        uint256 quoted;
    }

    /// forge-config: default.fuzz.runs = 48
    /// forge-config: deep.fuzz.runs = 1000
    function test_fuzz_reorganisation_sameIdsAndOnePaymentEach(uint256 seed) public {
        reseed(seed);
        Signed[] memory signed = signAll();
        uint256 fork = vm.snapshotState();
        Order[] memory first = mineAll(signed, seed, false);
        vm.revertToState(fork);
        // The sources forgot everything. The destinations did not: they have paid.
        vm.warp(first[0].deadline - 3 days + 1);
        for (uint256 i; i < ALL; ++i) {
            fulfil(Pool(first[i].dstPool), first[i]);
        }
        Order[] memory second = mineAll(signed, uint256(keccak256(abi.encode(seed))), true);
        bool moved;
        for (uint256 i; i < ALL; ++i) {
            vm.assertEq(second[i].id(), first[i].id(), "the same ID");
            if (second[i].deadline != first[i].deadline) moved = true;
            paidOnce(second[i], signed[i].quoted, i);
        }
        vm.assertTrue(moved, "in other blocks");
    }

    /// @dev Paid again it is not, and its deposit is released.
    function paidOnce(Order memory order, uint256 quoted, uint256 index) private {
        bytes32 id = order.id();
        vm.expectRevert(abi.encodeWithSelector(IPool.AlreadySettled.selector, id, Settlement.Fulfilled));
        fulfil(Pool(order.dstPool), order);
        address to = recipient(index);
        vm.assertEq(usdcHub.balanceOf(to) + weth.balanceOf(to), quoted, "one payment");
        release(Pool(order.srcPool), id);
        vm.assertEq(held(Pool(order.srcPool), id), 0, "and the deposit is the pool's");
    }

    // ------------------------------------------------------------------ sign

    function signAll() private returns (Signed[] memory signed) {
        signed = new Signed[](ALL);
        address[CALLERS] memory callers = [alice, bob, account("router"), alice, adapter];
        Pool[CALLERS] memory sources = [pool1, pool1, pool1, poolEth, Pool(shieldPool)];
        for (uint256 i; i < CALLERS * EACH; ++i) {
            (signed[i].sender, signed[i].pool) = (callers[i / EACH], sources[i / EACH]);
            _signSwap(signed[i], i);
        }
        for (uint256 i = CALLERS * EACH; i < ALL; ++i) {
            _signBurn(signed[i], i);
        }
    }

    /// @dev Often the same amount, and the same accounts to refund, so that only the nonces tell orders apart.
    function _signSwap(Signed memory s, uint256 index) private {
        bool native = isNative(s.pool);
        uint256 amount = draw(1, 2) * (native ? 1 ether : 1_000e6);
        address token = native ? address(weth) : address(usdcHub);
        s.quoted = quote(s.pool, amount, HUB, token);
        s.value = native ? amount : 0;
        address refundTo = chance(2) ? account("shared") : alice;
        s.call = abi.encodeCall(
            Pool.swapFor, (HUB, amount, abi.encodePacked(recipient(index)), 0, token, partnerId, refundTo)
        );
        supply(s.sender, s.pool);
    }

    function _signBurn(Signed memory s, uint256 index) private {
        bytes memory hook = abi.encodePacked(HUB, address(usdcHub), partnerId, uint8(0), recipient(index));
        s.quoted = quote(receiver, 1_000e6, HUB, address(usdcHub));
        (s.call, s.attestation) = attest(burn(1_000e6, 0, hook), 0);
    }

    function isNative(Pool pool) private view returns (bool) {
        return address(pool) == address(poolEth);
    }

    function supply(address sender, Pool pool) private {
        if (isNative(pool)) return vm.deal(sender, 1_000 ether);
        AnyToken(address(usdc1)).mint(sender, 1e12);
        vm.prank(sender);
        usdc1.approve(address(pool), type(uint256).max);
    }

    /// @notice A recipient for each order, so that what each was paid is known
    function recipient(uint256 index) private pure returns (address) {
        return address(uint160(0xA0000000 + index));
    }

    // ------------------------------------------------------------------ mine

    /// @notice Mines everything in an order of this seed, with strangers' deposits between if `meddled`
    function mineAll(Signed[] memory signed, uint256 seed, bool meddled)
        private
        returns (Order[] memory orders)
    {
        reseed(seed);
        if (meddled) supply(stranger, pool1);
        orders = new Order[](ALL);
        uint256[] memory next = new uint256[](CALLERS + BURNS); // how many of each have been mined
        for (uint256 left = ALL; left > 0;) {
            uint256 who = draw(0, CALLERS + BURNS - 1);
            if (next[who] == (who < CALLERS ? EACH : 1)) continue;
            uint256 index = who < CALLERS ? who * EACH + next[who] : CALLERS * EACH + who - CALLERS;
            if (meddled && chance(3)) meddle();
            orders[index] = mineOne(signed[index]);
            ++next[who];
            --left;
        }
    }

    function mineOne(Signed memory s) private returns (Order memory) {
        vm.roll(block.number + draw(1, 50));
        vm.warp(block.timestamp + draw(0, 10 minutes));
        vm.recordLogs();
        if (s.attestation.length > 0) {
            receiver.relay(s.call, s.attestation);
            return lastOrder();
        }
        vm.prank(s.sender);
        (bool ok,) = address(s.pool).call{value: s.value}(s.call);
        vm.assertTrue(ok, "mined");
        return lastOrder();
    }

    /// @dev A stranger deposits with a victim to be refunded, which must not count among the victim's own.
    function meddle() private {
        address victim = chance(2) ? account("shared") : alice;
        bytes memory to = abi.encodePacked(stranger);
        vm.prank(stranger);
        pool1.swapFor(HUB, 1_000e6, to, 0, address(usdcHub), partnerId, victim);
    }
}
