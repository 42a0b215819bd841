// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "../src/interfaces/ILedger.sol";
import {IOrderSource} from "../src/interfaces/IOrderSource.sol";
import {IPool, Settlement} from "../src/interfaces/IPool.sol";
import {Currency, NATIVE} from "../src/types/Currency.sol";
import {Order} from "../src/types/Order.sol";
import {PoolFixture} from "./support/PoolFixture.sol";
import {Vm} from "./support/Test.sol";

/// @notice Takes a payment and asks for another in its course
contract Reentrant {
    Order[] private orders;
    bool public failed;

    function prepare(Order memory order) external {
        orders.push(order);
    }

    receive() external payable {
        try IPool(msg.sender).fulfilMany(orders) {}
        catch {
            failed = true;
        }
    }
}

/// @notice Returns as much as the gas of a native payment buys
contract LargeAnswer {
    receive() external payable {
        assembly {
            return(0, 136000)
        }
    }
}

/// @notice Payment in batches
contract PoolBatchTest is PoolFixture {
    address private immutable carol = account("carol");

    function setUp() public override {
        super.setUp();
        fund(hub, 100_000e6);
        fund(poolEth, 100 ether);
    }

    function test_fulfilMany_paysEach() public {
        Order[] memory orders = batch(3);
        vm.prank(relayer);
        hub.fulfilMany(orders);
        vm.assertEq(usdcHub.balanceOf(bob), 3 * 9_970_000, "all three");
        for (uint256 i; i < 3; ++i) {
            vm.assertEq(
                uint256(hub.settlements(orders[i].id())), uint256(Settlement.Fulfilled), "and settled"
            );
        }
    }

    function test_fulfilMany_skipsWhatCannotBePaidWithItsReason() public {
        Order[] memory orders = batch(6);
        orders[1].srcPool = bob;
        orders[2].dstPool = bob;
        orders[3] = orders[0];
        orders[4].deadline = uint48(block.timestamp);
        skipped(orders[1], IPool.UnknownSource.selector);
        skipped(orders[2], IPool.WrongPool.selector);
        skipped(orders[3], IPool.AlreadySettled.selector);
        skipped(orders[4], IPool.Expired.selector);
        vm.prank(relayer);
        hub.fulfilMany(orders);
        vm.assertEq(usdcHub.balanceOf(bob), 2 * 9_970_000, "the first and the last");
        vm.assertEq(uint256(hub.settlements(orders[1].id())), 0, "a skip is no verdict");
    }

    /// @dev A batch owes no recipient: one that cannot be paid is skipped, and can be paid later.
    function test_fulfilMany_owesNoRecipient() public {
        Order[] memory orders = batch(2);
        usdcHub.setBlacklisted(bob, true);
        skipped(orders[0], IPool.CannotPay.selector);
        skipped(orders[1], IPool.CannotPay.selector);
        vm.prank(relayer);
        hub.fulfilMany(orders);
        vm.assertEq(owed(hub), 0, "nothing is owed");
        usdcHub.setBlacklisted(bob, false);
        vm.prank(relayer);
        hub.fulfilMany(orders);
        vm.assertEq(usdcHub.balanceOf(bob), 2 * 9_970_000, "paid after all");
    }

    function test_fulfilMany_owesAPartner() public {
        bytes32 id = register(2_500);
        usdcHub.setBlacklisted(partner, true);
        Order[] memory orders = new Order[](1);
        orders[0] = open(pool1, alice, 100e6, HUB, abi.encodePacked(bob), 0, address(usdcHub), id);
        vm.prank(relayer);
        hub.fulfilMany(orders);
        vm.assertEq(hub.claims(partner), 250_000, "the partner is owed");
        vm.assertEq(usdcHub.balanceOf(bob), 99_450_000, "the recipient is paid");
    }

    /// @dev A batch whose gas does not suffice for another order stops; it never skips for want of gas.
    function test_fuzz_fulfilMany_stopsForWantOfGas(uint256 gasLimit) public {
        Order[] memory orders = batch(6);
        gasLimit = bound(gasLimit, 150_000, 1_000_000);
        vm.recordLogs();
        vm.prank(relayer);
        try hub.fulfilMany{gas: gasLimit}(orders) {} catch {}
        uint256 paid = usdcHub.balanceOf(bob) / 9_970_000;
        for (uint256 i; i < 6; ++i) {
            bool settled = hub.settlements(orders[i].id()) == Settlement.Fulfilled;
            vm.assertEq(settled, i < paid, "the first ones, without a gap");
        }
        vm.assertEq(logsOf(IPool.OrderSkipped.selector), 0, "none was skipped");
    }

    /// @dev The answers of a recipient and a partner are not copied, so an item's gas is enough at every limit: no batch
    /// is lost, and none of it is skipped.
    function test_fulfilMany_largeAnswersCostTheBatchNothing() public {
        bytes32 integrator = register(10_000);
        vm.etch(partner, address(new LargeAnswer()).code);
        Order[] memory orders = new Order[](2);
        orders[0] = etherTo(bob);
        bytes memory greedy = abi.encodePacked(address(new LargeAnswer()));
        orders[1] = open(hubWeth, alice, 1 ether, ETHEREUM, greedy, 0, Currency.unwrap(NATIVE), integrator);
        bytes memory call = abi.encodeCall(poolEth.fulfilMany, (orders));
        for (uint256 gasLimit = 401_000; gasLimit < 700_000; gasLimit += 3_000) {
            uint256 state = vm.snapshotState();
            vm.recordLogs();
            vm.prank(relayer);
            (bool ok,) = address(poolEth).call{gas: gasLimit}(call);
            vm.assertTrue(ok, "no batch is lost");
            vm.assertEq(logsOf(IPool.OrderSkipped.selector), 0, "no order is skipped");
            vm.revertToState(state);
        }
    }

    function test_fulfilMany_saysWhereItStopped() public {
        Order[] memory orders = batch(2);
        vm.expectEmit(address(hub));
        emit IOrderSource.BatchStopped(0);
        vm.prank(relayer);
        hub.fulfilMany{gas: 300_000}(orders);
        vm.assertEq(usdcHub.balanceOf(bob), 0, "before the first");
    }

    function test_fulfilMany_paused() public {
        Order[] memory orders = batch(1);
        pause(hub, false, true);
        vm.prank(relayer);
        vm.expectRevert(ILedger.PaymentsArePaused.selector);
        hub.fulfilMany(orders);
    }

    function test_fuzz_fulfilOne_onlyTheContractItself(address caller) public {
        vm.assume(caller != address(hub));
        Order memory order = openInbound(100e6);
        vm.prank(caller);
        vm.expectRevert(abi.encodeWithSelector(IPool.NotSelf.selector, caller));
        hub.fulfilOne(order);
    }

    function test_fulfilMany_cannotBeReentered() public {
        Reentrant reentrant = new Reentrant();
        bytes32 role = poolEth.RELAYER_ROLE();
        vm.prank(admin);
        poolEth.grantRole(role, address(reentrant));
        Order[] memory orders = new Order[](1);
        orders[0] = etherTo(address(reentrant));
        reentrant.prepare(etherTo(carol));
        vm.prank(relayer);
        poolEth.fulfilMany(orders);
        vm.assertEq(carol.balance, 0, "no payment within a payment");
    }

    function etherTo(address to) private returns (Order memory) {
        return open(hubWeth, alice, 1 ether, ETHEREUM, abi.encodePacked(to), 0, Currency.unwrap(NATIVE), 0);
    }

    function batch(uint256 count) private returns (Order[] memory orders) {
        orders = new Order[](count);
        for (uint256 i; i < count; ++i) {
            orders[i] = openInbound(10e6);
        }
    }

    function skipped(Order memory order, bytes4 why) private {
        vm.expectEmit(address(hub));
        emit IPool.OrderSkipped(order.id(), why);
    }

    function logsOf(bytes32 topic) private returns (uint256 count) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].topics[0] == topic) ++count;
        }
    }
}
