// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "../src/interfaces/ILedger.sol";
import {Order} from "../src/types/Order.sol";
import {BlacklistToken} from "./standins/BlacklistToken.sol";
import {MintableToken} from "./standins/MintableToken.sol";
import {BurnFixture} from "./support/BurnFixture.sol";

/// @notice A token that calls back whenever it is moved, minted or approved, and works only if that is refused
contract ProbingToken is MintableToken {
    address private target;
    uint256 public probes;

    function watch(address target_) external {
        target = target_;
    }

    function _allow(address, address) internal view override {
        if (target != address(0)) _probe();
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (target != address(0)) {
            _probe();
            ++probes;
        }
        super._move(from, to, amount);
    }

    function _probe() private view {
        (bool ok, bytes memory reason) = target.staticcall(abi.encodeCall(ILedger.claimFor, (address(this))));
        require(!ok && bytes4(reason) == ILedger.Reentered.selector, "it can be reentered");
    }
}

/// @notice Every function that moves money refuses to be called back while it does
contract ReentranceTest is BurnFixture {
    function setUp() public override {
        super.setUp();
        bytes memory code = address(new ProbingToken()).code;
        vm.etch(address(usdc1), code);
        vm.etch(address(here.token), code);
        fund(pool1, 10_000e6);
    }

    modifier probed(BlacklistToken token, ILedger ledger) {
        ProbingToken(address(token)).watch(address(ledger));
        _;
        vm.assertGt(ProbingToken(address(token)).probes(), 0, "the token did call back");
    }

    // ------------------------------------------------------------------ pool

    function test_swap() public {
        provide(pool1, alice, 200e6);
        swapTwice();
        vm.assertEq(heldTotal(pool1), 200e6, "both are held");
    }

    function swapTwice() private probed(usdc1, pool1) {
        vm.startPrank(alice);
        pool1.swap(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0);
        pool1.swapFor(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0, bob);
        vm.stopPrank();
    }

    function test_fund() public {
        provide(pool1, alice, 100e6);
        fundByAlice();
    }

    function fundByAlice() private probed(usdc1, pool1) {
        vm.prank(alice);
        pool1.fund(100e6);
    }

    function test_withdraw() public probed(usdc1, pool1) {
        withdraw(pool1, 100e6);
    }

    function test_fulfil() public {
        pay(open(hub, alice, 100e6, ETHEREUM, abi.encodePacked(bob), 0, address(usdc1), 0));
        vm.assertEq(usdc1.balanceOf(bob), 99_500_000, "paid");
    }

    function pay(Order memory order) private probed(usdc1, pool1) {
        fulfil(pool1, order);
    }

    function test_fulfilMany() public {
        Order[] memory batch = new Order[](1);
        batch[0] = open(hub, alice, 100e6, ETHEREUM, abi.encodePacked(bob), 0, address(usdc1), 0);
        payAll(batch);
        vm.assertEq(usdc1.balanceOf(bob), 99_500_000, "paid, not skipped");
    }

    function payAll(Order[] memory batch) private probed(usdc1, pool1) {
        vm.prank(relayer);
        pool1.fulfilMany(batch);
    }

    function test_refund() public {
        giveBack(openInbound(100e6));
        vm.assertEq(usdc1.balanceOf(alice), 100e6, "paid, not owed");
    }

    function giveBack(Order memory order) private probed(usdc1, pool1) {
        vm.prank(relayer);
        pool1.refund(order);
    }

    function test_reclaim() public {
        Order memory order = openInbound(100e6);
        vm.warp(order.deadline + 5 days);
        pool1.reclaim(order);
        vm.warp(block.timestamp + 2 days);
        take(order);
        vm.assertEq(usdc1.balanceOf(alice), 100e6, "paid, not owed");
    }

    function take(Order memory order) private probed(usdc1, pool1) {
        pool1.reclaim(order);
    }

    // -------------------------------------------------------------- receiver

    function test_relay_andItsWaysOut() public {
        (bytes memory message, bytes memory attestation) = attest(burn(100e6, 0, hex"c0ffee"), 0);
        ProbingToken(address(here.token)).watch(address(receiver));
        vm.recordLogs();
        receiver.relay(message, attestation);
        Order memory order = lastOrder();
        uint256 before = vm.snapshotState();
        burnBack(order);
        vm.revertToState(before);
        burnBackByRelayer(order);
        vm.revertToState(before);
        takeHere(order);
    }

    function burnBack(Order memory order) private probed(here.token, receiver) {
        receiver.reclaim(order);
    }

    function burnBackByRelayer(Order memory order) private probed(here.token, receiver) {
        vm.prank(relayer);
        receiver.refund(order);
    }

    function takeHere(Order memory order) private probed(here.token, receiver) {
        vm.prank(alice, alice);
        receiver.reclaimHere(order, alice);
    }

    function test_sweep() public {
        release(receiver, deliver(100e6, 0, goodHook()));
        sweep();
        vm.assertEq(here.token.balanceOf(address(gateway)), 100e6, "swept");
    }

    function sweep() private probed(here.token, receiver) {
        receiver.sweep();
    }

    // ------------------------------------------------------------ native coin

    /// @dev The recipient of the native coin learns it too, within the gas it is given.
    function test_fulfil_native() public {
        fund(poolEth, 10 ether);
        address probing = address(new ProbingRecipient());
        address coin = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
        fulfil(poolEth, open(hubWeth, alice, 1 ether, ETHEREUM, abi.encodePacked(probing), 0, coin, 0));
        vm.assertEq(probing.balance, 0.995 ether, "paid");
    }
}

/// @notice Takes the native coin only from a contract that refuses to be called back
contract ProbingRecipient {
    receive() external payable {
        try ILedger(msg.sender).claimFor(address(this)) {
            revert("it can be reentered");
        } catch (bytes memory reason) {
            require(bytes4(reason) == ILedger.Reentered.selector, "it can be reentered");
        }
    }
}
