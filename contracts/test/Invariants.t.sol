// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {OrderSource} from "../src/base/OrderSource.sol";
import {Thief} from "./invariants/Thief.sol";

/// @notice Everything that can happen, in any order and by any account; what must hold after each step
/// @dev Each step takes the next action of a shuffled list, so that every kind of action is part of every run.
contract InvariantsTest is Thief {
    enum Action {
        Deposit,
        Deposit2,
        Burn,
        Pay,
        Pay2,
        Pay3,
        Release,
        CancelAndRefund,
        Reclaim,
        ReclaimHere,
        Claim,
        Freeze,
        Give,
        Set,
        Set2,
        Repair,
        Sweep,
        Lie,
        Steal,
        Steal2,
        Wait,
        Wait2,
        Wait3
    }

    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    uint256 private constant ACTIONS = 23;

    Action[] private remaining;
    uint256 private steps;

    /// @dev What the runner calls: this contract, and of it only the step.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(this);
    }

    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0].addr = address(this);
        targets[0].selectors = new bytes4[](1);
        targets[0].selectors[0] = this.step.selector;
    }

    // ------------------------------------------------------------------- act

    function step(uint256 seed) public {
        reseed(uint256(keccak256(abi.encode(seed, ++steps))));
        if (remaining.length == 0) {
            for (uint256 i; i < ACTIONS; ++i) {
                remaining.push(Action(i));
            }
        }
        uint256 which = draw(0, remaining.length - 1);
        Action action = remaining[which];
        remaining[which] = remaining[remaining.length - 1];
        remaining.pop();
        perform(action);
    }

    function perform(Action action) private {
        if (action <= Action.Deposit2) actDeposits();
        else if (action == Action.Burn) actBurn();
        else if (action <= Action.Pay3) actPay();
        else if (action == Action.Release) actRelease();
        else if (action == Action.CancelAndRefund) actCancelAndRefund();
        else if (action == Action.Reclaim) actReclaim();
        else if (action == Action.ReclaimHere) actReclaimHere();
        else if (action == Action.Claim) actClaim();
        else if (action == Action.Freeze) actFreeze();
        else if (action == Action.Give) actGive();
        else if (action <= Action.Set2) actSet();
        else if (action == Action.Repair) actRepair();
        else if (action == Action.Sweep) actSweep();
        else if (action == Action.Lie) actLie();
        else if (action <= Action.Steal2) actSteal();
        else actWait();
    }

    // ----------------------------------------------------------------- holds

    /// @dev One function, so that the runner goes through the same steps once. That an order is paid once, that a paid
    /// one is not given back, and that no day sees more than a cap, is held against every step when it is booked.
    /// forge-config: default.invariant.runs = 32
    /// forge-config: default.invariant.depth = 100
    /// forge-config: deep.invariant.runs = 512
    /// forge-config: deep.invariant.depth = 256
    function invariant_conserved() public view {
        for (uint256 i; i < ledgers.length; ++i) {
            conserved(ledgers[i]);
        }
        vm.assertEq(loot(), 0, "the thief has nothing");
        uint256 victims = usdc1.balanceOf(victim) + usdc56.balanceOf(victim) + usdcHub.balanceOf(victim);
        vm.assertEq(victims + here.token.balanceOf(victim), 4_000e18, "and the victim all it had");
    }

    function conserved(OrderSource ledger) private view {
        address where = address(ledger);
        uint256 has = balance(ledger);
        vm.assertEq(has, came[where] - left[where], "what came less what left is there");
        vm.assertEq(heldTotal(ledger), kept[where], "held are the open orders' deposits");
        uint256 claims = ledger.claims(alice) + ledger.claims(bob) + ledger.claims(partner)
            + ledger.claims(stranger) + ledger.claims(lastResort);
        vm.assertEq(owed(ledger), claims, "owed is the sum of the claims");
        vm.assertEq(ledger.liquidity(), has - kept[where] - claims, "and liquidity is the rest");
    }

    /// @dev A run in which nothing succeeds proves nothing. Runs that are cut short to explain a failure are let off.
    function afterInvariant() public view {
        if (steps < 2 * ACTIONS) return;
        vm.assertGe(times(Did.Deposit), steps / 20, "deposits");
        vm.assertGe(times(Did.Pay), steps / 30, "payments");
        vm.assertGe(times(Did.Set), steps / 20, "settings");
        vm.assertGe(times(Did.Steal), steps / 10, "attempts of the thief");
        vm.assertGe(times(Did.Fund), 1, "fundings");
        vm.assertGe(block.timestamp - began, steps * 1 hours, "and time passed");
        uint256 over = times(Did.Release) + times(Did.Refund) + times(Did.Reclaim) + times(Did.ReclaimHere);
        vm.assertGe(over, steps / 40, "orders came to their end");
    }

    /// @dev One long run, so that the rare ones are sure to be among those that succeed.
    function test_everyActionSucceeds() public {
        for (uint256 i; i < 800; ++i) {
            step(i);
            if (i % 20 == 0) invariant_conserved();
        }
        for (uint256 what; what < DIDS; ++what) {
            vm.assertGe(
                did[what], 3, string(abi.encodePacked("successes of kind ", bytes1(uint8(65 + what))))
            );
        }
        vm.assertGe(block.timestamp - began, 30 days, "a month");
    }
}
