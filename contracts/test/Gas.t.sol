// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pool} from "../src/Pool.sol";
import {Order} from "../src/types/Order.sol";
import {BlacklistToken} from "./standins/BlacklistToken.sol";
import {MintableToken} from "./standins/MintableToken.sol";
import {BurnFixture} from "./support/BurnFixture.sol";

/// @notice The one command of the test runner that only this file needs
interface GasVm {
    struct Gas {
        uint64 gasLimit;
        uint64 gasTotalUsed;
        uint64 gasMemoryUsed;
        int64 gasRefunded;
        uint64 gasRemaining;
    }

    function lastCallGas() external view returns (Gas memory);
}

/// @notice The gas of each call as a transaction of its own, intrinsic gas included
/// @dev Gas is deterministic, so each figure is a snapshot to the unit: a change of it is a line of a commit. The
/// figure beside it is the bound. Steady state: the same call was made before by the same accounts, tokens are plain
/// ERC-20 stand-ins, and accounts keep some of what they had.
/// forge-config: default.isolate = true
contract GasTest is BurnFixture {
    bytes32 private partnerId;

    function setUp() public override {
        super.setUp();
        partnerId = register(2_500);
        bytes memory plain = address(new MintableToken()).code;
        BlacklistToken[5] memory tokens = [usdc1, usdc56, usdcHub, here.token, there.token];
        for (uint256 i; i < tokens.length; ++i) {
            vm.etch(address(tokens[i]), plain);
            tokens[i].mint(alice, 1_000e6);
            tokens[i].mint(bob, 1_000e6);
            tokens[i].mint(partner, 1e6);
        }
        weth.mint(bob, 1 ether);
        vm.deal(bob, 1 ether);
        vm.deal(alice, 10 ether);
        fund(hub, 20_000e6);
        fund(pool1, 20_000e6);
        fund(gateway, 20_000e6);
        fund(shieldPool, 20_000e6);
        fund(poolEth, 20 ether);
        fund(hubWeth, 20 ether);
    }

    /// @dev The call before this one cost exactly `snapshot`, and that is at most `bound_`.
    function spent(uint256 snapshot, uint256 bound_) private view {
        vm.assertEq(gasOfLastCall(), snapshot, "gas is not that of the snapshot");
        vm.assertLe(snapshot, bound_, "above the bound");
    }

    function gasOfLastCall() private view returns (uint256) {
        return GasVm(address(vm)).lastCallGas().gasTotalUsed;
    }

    /// @dev A tenth more than the call cost before orders carried their promise.
    function tenth(uint256 before) private pure returns (uint256) {
        return before * 11 / 10;
    }

    // ------------------------------------------------------------------- swap

    /// @dev Alice allows exactly what she deposits, as wallets propose.
    function toHub() private {
        allow();
        vm.prank(alice);
        pool1.swap(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0);
    }

    function allow() private {
        vm.startPrank(alice);
        usdc1.approve(address(pool1), 100e6);
        usdcHub.approve(address(hub), 100e6);
        vm.stopPrank();
    }

    /// @dev What a wallet sends first: an allowance where there was none.
    function test_approve() public {
        vm.prank(alice);
        usdc1.approve(address(pool1), 100e6);
        spent(46_082, 50_000);
    }

    function test_swap_firstOrder() public {
        toHub();
        spent(134_219, 150_000);
    }

    function test_swap_tokenToAddress() public {
        toHub();
        toHub();
        spent(100_019, tenth(96_800));
    }

    /// @dev A wallet estimates while other deposits are held, and sends when none is left: half more gas is enough.
    function test_swap_onlyDepositHeld() public {
        release(pool1, inbound(0).id());
        toHub();
        spent(117_119, uint256(100_019) * 3 / 2);
    }

    function test_swap_tokenToNote() public {
        for (uint256 i; i < 2; ++i) {
            allow();
            vm.prank(alice);
            hub.swap(PRIVATE, 100e6, note(), 2, address(usdc1), 0);
        }
        spent(102_493, tenth(94_600));
    }

    function test_swap_native() public {
        for (uint256 i; i < 2; ++i) {
            vm.prank(alice);
            poolEth.swap{value: 1 ether}(HUB, 1 ether, abi.encodePacked(bob), 0, address(weth), 0);
        }
        spent(81_028, tenth(73_700));
    }

    function test_swapFor() public {
        for (uint256 i; i < 2; ++i) {
            allow();
            vm.prank(alice);
            pool1.swapFor(HUB, 100e6, abi.encodePacked(bob), 0, address(usdcHub), 0, treasury);
        }
        spent(100_167, tenth(96_800));
    }

    // ----------------------------------------------------------------- fulfil

    function inbound(bytes32 integratorId) private returns (Order memory) {
        return open(pool1, alice, 100e6, HUB, abi.encodePacked(bob), 0, address(usdcHub), integratorId);
    }

    function ether_order() private returns (Order memory) {
        return open(
            hubWeth,
            alice,
            1 ether,
            ETHEREUM,
            abi.encodePacked(bob),
            0,
            0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE,
            0
        );
    }

    function onward() private returns (Order memory) {
        return open(hub, alice, 100e6, ARBITRUM, abi.encodePacked(bob), 0, address(there.token), 0);
    }

    function test_fulfil_token() public {
        fulfil(hub, inbound(0));
        fulfil(hub, inbound(0));
        spent(105_276, tenth(105_500));
    }

    function test_fulfil_withPartner() public {
        fulfil(hub, inbound(partnerId));
        fulfil(hub, inbound(partnerId));
        spent(114_376, tenth(116_900));
    }

    function test_fulfil_native() public {
        fulfil(poolEth, ether_order());
        fulfil(poolEth, ether_order());
        spent(97_536, tenth(93_600));
    }

    function test_fulfil_byShielding() public {
        fulfil(shieldPool, openShield(100e6));
        fulfil(shieldPool, openShield(100e6));
        spent(163_037, tenth(162_900));
    }

    function test_fulfil_byBurning() public {
        fulfil(gateway, onward());
        fulfil(gateway, onward());
        spent(170_502, tenth(185_500));
    }

    /// @dev Paid to a contract without a function that takes the coin; some other account has a claim already.
    function test_fulfil_endsAsAClaim() public {
        owe(address(registry));
        owe(address(lens));
        spent(125_327, tenth(139_100));
    }

    function owe(address to) private {
        bytes memory recipient = abi.encodePacked(to);
        Order memory order = open(
            hubWeth, alice, 1 ether, ETHEREUM, recipient, 0, 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE, 0
        );
        fulfilOrOwe(poolEth, order);
    }

    function test_fulfilMany_ten() public {
        fulfil(hub, inbound(0));
        Order[] memory batch = new Order[](10);
        for (uint256 i; i < 10; ++i) {
            batch[i] = inbound(0);
        }
        vm.prank(relayer);
        hub.fulfilMany(batch);
        spent(575_254, 10 * 65_000);
    }

    // --------------------------------------------------------------- the rest

    function test_relay() public {
        deliver(100e6, 0, goodHook());
        deliver(100e6, 0, goodHook());
        spent(189_037, tenth(197_100));
    }

    function test_relay_unpayable() public {
        deliver(100e6, 0, hex"c0ffee");
        deliver(100e6, 0, hex"c0ffee");
        spent(183_001, tenth(195_100));
    }

    function test_releaseMany_one() public {
        inbound(0);
        release(pool1, inbound(0).id());
        release(pool1, inbound(0).id());
        spent(40_078, tenth(36_600));
    }

    function test_releaseMany_ten() public {
        inbound(0);
        release(pool1, inbound(0).id());
        bytes32[] memory ids = new bytes32[](10);
        for (uint256 i; i < 10; ++i) {
            ids[i] = inbound(0).id();
        }
        vm.prank(relayer);
        pool1.releaseMany(ids);
        spent(91_825, tenth(90_800));
    }

    function test_cancel() public {
        Order memory order = inbound(0);
        vm.prank(relayer);
        hub.cancel(order);
        spent(54_598, tenth(52_800));
    }

    function test_refund() public {
        inbound(0);
        for (uint256 i; i < 2; ++i) {
            Order memory order = inbound(0);
            vm.prank(relayer);
            pool1.refund(order);
        }
        spent(65_078, tenth(90_700));
    }

    function test_refund_burnsBack() public {
        deliver(100e6, 0, goodHook());
        for (uint256 i; i < 2; ++i) {
            deliver(100e6, 0, goodHook());
            Order memory order = lastOrder();
            vm.prank(relayer);
            receiver.refund(order);
        }
        spent(139_296, 160_000);
    }

    function test_reclaim_announce() public {
        Order memory order = inbound(0);
        vm.warp(order.deadline + 5 days);
        pool1.reclaim(order);
        spent(38_619, 45_000);
    }

    function test_reclaim_take() public {
        inbound(0);
        Order memory order = inbound(0);
        vm.warp(order.deadline + 5 days);
        pool1.reclaim(order);
        vm.warp(block.timestamp + 2 days);
        pool1.reclaim(order);
        spent(56_427, 65_000);
    }

    function test_claimFor() public {
        owe(address(new Payee()));
        Payee payee = new Payee();
        owe(address(payee));
        payee.open();
        vm.prank(bob);
        poolEth.claimFor(address(payee));
        spent(44_183, 50_000);
    }
}

/// @notice A contract that takes the native coin once it is told to
contract Payee {
    bool private isOpen;

    function open() external {
        isOpen = true;
    }

    receive() external payable {
        require(isOpen, "closed");
    }
}
