// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ShieldPool} from "../src/ShieldPool.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {IPool} from "../src/interfaces/IPool.sol";
import {IShieldPool} from "../src/interfaces/IShieldPool.sol";
import {
    CommitmentPreimage,
    IPrivacyPool,
    ShieldCiphertext,
    ShieldRequest
} from "../src/interfaces/external/IPrivacyPool.sol";
import {Fees} from "../src/libraries/FeeMath.sol";
import {ShieldFee} from "../src/libraries/ShieldFee.sol";
import {Currency, NATIVE} from "../src/types/Currency.sol";
import {Order, Refusal} from "../src/types/Order.sol";
import {MintableToken} from "./standins/MintableToken.sol";
import {PoolFixture} from "./support/PoolFixture.sol";
import {Vm} from "./support/Test.sol";

/// @notice The adapter through which all privacy wallets send their calls
contract SharedAdapter {
    function swap(
        ShieldPool pool,
        MintableToken token,
        uint256 amount,
        bytes calldata recipient,
        address dstToken
    ) external {
        token.approve(address(pool), amount);
        pool.swap(369, amount, recipient, 0, dstToken, 0);
    }

    function swapFor(
        ShieldPool pool,
        MintableToken token,
        uint256 amount,
        bytes calldata recipient,
        address dstToken,
        address refundTo
    ) external {
        token.approve(address(pool), amount);
        pool.swapFor(369, amount, recipient, 0, dstToken, 0, refundTo);
    }
}

/// @notice A privacy pool that keeps more than it says
contract GreedyPrivacyPool {
    function shieldFee() external pure returns (uint120) {
        return 25;
    }

    function shield(ShieldRequest[] calldata requests) external {
        MintableToken token = MintableToken(requests[0].preimage.token.tokenAddress);
        token.transferFrom(msg.sender, address(this), requests[0].preimage.value / 2);
        token.transferFrom(
            msg.sender, address(1), requests[0].preimage.value - requests[0].preimage.value / 2
        );
    }
}

contract ShieldPoolTest is PoolFixture {
    SharedAdapter private adapter = new SharedAdapter();

    function setUp() public override {
        super.setUp();
        fund(shieldPool, 100_000e6);
        fund(hub, 100_000e6);
    }

    // ---------------------------------------------------------- construction

    function test_constructor() public {
        vm.chainId(ETHEREUM);
        vm.expectRevert(abi.encodeWithSelector(IPool.WrongPlace.selector, ETHEREUM, ETHEREUM));
        new ShieldPool(config(ETHEREUM, currency(usdc1), 6, dollars(6)), privacyPool);
        vm.expectRevert(abi.encodeWithSelector(IPool.WrongPlace.selector, 0, ETHEREUM));
        new ShieldPool(config(0, currency(usdc1), 6, dollars(6)), privacyPool);
        vm.expectRevert(abi.encodeWithSelector(IPool.WrongPlace.selector, 96969696, ETHEREUM));
        new ShieldPool(config(96969696, currency(usdc1), 6, dollars(6)), privacyPool);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotAContract.selector, Currency.unwrap(NATIVE)));
        new ShieldPool(config(PRIVATE, NATIVE, 18, ether_()), privacyPool);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotAContract.selector, bob));
        new ShieldPool(config(PRIVATE, currency(usdc1), 6, dollars(6)), IPrivacyPool(bob));
    }

    // ---------------------------------------------------------------- fulfil

    function test_fulfil_theNoteIsWorthWhatWasQuoted() public {
        Order memory order = openShield(100e6);
        vm.recordLogs();
        fulfil(shieldPool, order);
        (CommitmentPreimage memory made, ShieldCiphertext memory ciphertext, uint256 fee) = lastNote();
        vm.assertEq(made.value, 99_500_000, "0.5 % less, and no shield fee");
        vm.assertEq(fee, 249_373, "which the pool pays");
        vm.assertEq(made.token.tokenAddress, address(usdc1), "token");
        bytes memory described = abi.encodePacked(
            made.npk,
            ciphertext.encryptedBundle[0],
            ciphertext.encryptedBundle[1],
            ciphertext.encryptedBundle[2],
            ciphertext.shieldKey
        );
        vm.assertEq(described, note(), "made from the recipient's bytes");
        vm.assertEq(usdc1.allowance(address(shieldPool), address(privacyPool)), 0, "no allowance is left");
    }

    function test_fuzz_fulfil(uint256 amount, uint120 bps, uint32 rate) public {
        amount = bound(amount, 10e6, 25_000e6);
        bps = uint120(bound(bps, 0, 50));
        privacyPool.changeFee(bps);
        bytes32 id = register(uint32(bound(rate, 0, 10_000)));
        Order memory order = open(hub, alice, amount, PRIVATE, note(), 2, address(usdc1), id);
        (Fees memory fees,) = lens.quote(shieldPool, order);
        uint256 before = shieldPool.liquidity();
        vm.recordLogs();
        fulfil(shieldPool, order);
        (CommitmentPreimage memory made,, uint256 fee) = lastNote();
        vm.assertEq(made.value, fees.received, "the note is worth what was quoted");
        vm.assertEq(usdc1.balanceOf(partner), fees.integrator, "the partner gets its part");
        vm.assertEq(
            before - shieldPool.liquidity(), fees.received + fee + fees.integrator, "the pool bears the fee"
        );
    }

    function test_fulfil_refusesAnAddress() public {
        Order memory order = openShield(100e6);
        (order.recipientType, order.recipient) = (0, abi.encodePacked(bob));
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.RecipientType));
        shieldPool.fulfil(order, false);
    }

    function test_fulfil_refusesAnotherPlace() public {
        Order memory order = openShield(100e6);
        order.dstPlace = 1;
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.Destination));
        shieldPool.fulfil(order, false);
    }

    function test_fulfil_refusesAnotherToken() public {
        Order memory order = openShield(100e6);
        order.dstToken = address(1);
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.Destination));
        shieldPool.fulfil(order, false);
    }

    function test_fuzz_fulfil_bearsOnlySoMuch(uint120 bps) public {
        bps = uint120(bound(bps, 51, 5_000));
        privacyPool.changeFee(bps);
        Order memory order = openShield(100e6);
        uint256 fee = ShieldFee.valueFor(99_500_000, bps) - 99_500_000;
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IPool.FeeTooHigh.selector, fee, 500_000));
        shieldPool.fulfil(order, false);
    }

    function test_fulfil_theBoundIsASetting() public {
        Order memory order = openShield(100e6);
        vm.prank(admin);
        shieldPool.setFeeBound(2_493);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IPool.FeeTooHigh.selector, 249_373, 249_300));
        shieldPool.fulfil(order, false);
        vm.prank(admin);
        shieldPool.setFeeBound(2_494);
        fulfil(shieldPool, order);
    }

    function test_fulfil_aFailedShieldLeavesTheOrderOpen() public {
        Order memory order = openShield(100e6);
        privacyPool.setBlocked(address(usdc1), true);
        vm.prank(relayer);
        vm.expectRevert("RailgunSmartWallet: Unsupported Token");
        shieldPool.fulfil(order, false);
        privacyPool.setBlocked(address(usdc1), false);
        fulfil(shieldPool, order);
    }

    function test_fulfil_refusesANoteOfAnotherWorth() public {
        Order memory order = openShield(100e6);
        vm.etch(address(privacyPool), address(new GreedyPrivacyPool()).code);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IShieldPool.WrongNote.selector, 49_874_686, 99_749_373));
        shieldPool.fulfil(order, false);
    }

    // ------------------------------------------------------ swap and refund

    function test_swap_refundsToTheRecipientNotToTheSharedAdapter() public {
        Order memory order = unshield(abi.encodePacked(bob));
        vm.assertEq(order.srcPlace, PRIVATE, "the place is the privacy pool");
        vm.assertEq(order.refundTo, bob, "refund to the recipient");
        vm.prank(relayer);
        shieldPool.refund(order);
        vm.assertEq(usdc1.balanceOf(bob), 100e6, "all of it");
        vm.assertEq(
            usdc1.balanceOf(address(adapter)), 0, "and nothing for the adapter, which anyone can sweep"
        );
    }

    function test_fuzz_swap_paysWhomeverItNames(address recipient) public {
        vm.assume(recipient != address(0) && recipient != address(hub) && recipient != address(adapter));
        vm.assume(recipient != address(shieldPool) && recipient != address(usdc1));
        Order memory order = unshield(abi.encodePacked(recipient));
        fulfil(hub, order);
        vm.assertEq(usdcHub.balanceOf(recipient), 99_500_000, "0.5 % less");
    }

    function test_swap_mustNameItsRecipient() public {
        usdc1.mint(address(adapter), 100e6);
        vm.expectRevert(refused(Refusal.RecipientZero));
        adapter.swap(shieldPool, usdc1, 100e6, abi.encodePacked(address(0)), address(usdcHub));
        vm.expectRevert(refused(Refusal.RecipientLength));
        adapter.swap(shieldPool, usdc1, 100e6, "", address(usdcHub));
        vm.expectRevert(refused(Refusal.RecipientType));
        shieldPool.swap(HUB, 100e6, note(), 2, address(usdcHub), 0);
    }

    // --------------------------------------------------------------- swapFor

    /// @dev A recipient that exists only on the hub names an account of its own on this network.
    function test_swapFor_refundsWhomItNames() public {
        usdc1.mint(address(adapter), 100e6);
        vm.recordLogs();
        adapter.swapFor(shieldPool, usdc1, 100e6, abi.encodePacked(bob), address(usdcHub), alice);
        Order memory order = lastOrder();
        vm.assertEq(order.refundTo, alice, "named");
        vm.prank(relayer);
        shieldPool.refund(order);
        vm.assertEq(usdc1.balanceOf(alice), 100e6, "all of it");
    }

    /// @dev What is sent to the shared adapter anyone can take.
    function test_swap_refusesARefundToTheSharedAdapter() public {
        usdc1.mint(address(adapter), 100e6);
        vm.expectRevert(refused(Refusal.RefundTo));
        adapter.swapFor(shieldPool, usdc1, 100e6, abi.encodePacked(bob), address(usdcHub), address(adapter));
        vm.expectRevert(refused(Refusal.RefundTo));
        adapter.swap(shieldPool, usdc1, 100e6, abi.encodePacked(address(adapter)), address(usdcHub));
    }

    /// @dev A key is its own, also one that delegated (EIP-7702).
    function test_swapFor_aKeyMayNameItself() public {
        for (uint256 i; i < 2; ++i) {
            if (i == 1) vm.etch(alice, abi.encodePacked(hex"ef0100", address(usdc1)));
            provide(shieldPool, alice, 100e6);
            vm.recordLogs();
            vm.prank(alice);
            shieldPool.swapFor(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0, alice);
            vm.assertEq(lastOrder().refundTo, alice, "itself");
        }
    }

    function test_swapFor_refusals() public {
        provide(shieldPool, alice, 100e6);
        address[4] memory bad = [address(0), address(shieldPool), address(usdc1), address(hub)];
        for (uint256 i; i < bad.length; ++i) {
            vm.prank(alice);
            vm.expectRevert(refused(Refusal.RefundTo));
            shieldPool.swapFor(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0, bad[i]);
        }
        vm.prank(alice);
        vm.expectRevert(refused(Refusal.RecipientZero));
        shieldPool.swapFor(HUB, 100e6, abi.encodePacked(address(0)), 0, address(usdcHub), 0, alice);
        vm.prank(alice);
        vm.expectRevert(refused(Refusal.RecipientType));
        shieldPool.swapFor(HUB, 100e6, note(), 2, address(usdcHub), 0, alice);
    }

    function test_reclaim_toTheRecipient() public {
        Order memory order = unshield(abi.encodePacked(bob));
        vm.warp(order.deadline + 5 days);
        shieldPool.reclaim(order);
        vm.warp(block.timestamp + 2 days);
        shieldPool.reclaim(order);
        vm.assertEq(usdc1.balanceOf(bob), 100e6, "all of it");
    }

    function test_fulfilMany_makesNotes() public {
        Order[] memory batch = new Order[](2);
        (batch[0], batch[1]) = (openShield(100e6), openShield(200e6));
        uint256 before = usdc1.balanceOf(address(privacyPool));
        vm.prank(relayer);
        shieldPool.fulfilMany(batch);
        vm.assertEq(usdc1.balanceOf(address(privacyPool)) - before, 298_500_000, "both notes");
    }

    function test_fulfil_namesNoRecipientAndTheThirdPartysFee() public {
        Order memory order = openShield(100e6);
        vm.expectEmit(address(shieldPool));
        emit IPool.OrderFulfilled(
            order.id(), 0, address(0), HUB, address(hub), 99_500_000, 500_000, 0, 249_373, true
        );
        fulfil(shieldPool, order);
    }

    function unshield(bytes memory recipient) private returns (Order memory) {
        usdc1.mint(address(adapter), 100e6);
        vm.recordLogs();
        adapter.swap(shieldPool, usdc1, 100e6, recipient, address(usdcHub));
        return lastOrder();
    }

    function lastNote() private returns (CommitmentPreimage memory, ShieldCiphertext memory, uint256 fee) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = logs.length; i > 0; --i) {
            if (logs[i - 1].topics[0] != IPrivacyPool.Shield.selector) continue;
            (
                ,,
                CommitmentPreimage[] memory made,
                ShieldCiphertext[] memory ciphertexts,
                uint256[] memory fees
            ) = abi.decode(
                logs[i - 1].data, (uint256, uint256, CommitmentPreimage[], ShieldCiphertext[], uint256[])
            );
            return (made[0], ciphertexts[0], fees[0]);
        }
        revert("nothing was shielded");
    }
}
