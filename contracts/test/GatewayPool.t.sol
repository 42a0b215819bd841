// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {GatewayPool} from "../src/GatewayPool.sol";
import {IGatewayPool, Remote} from "../src/interfaces/IGatewayPool.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {ITokenMessengerV2} from "../src/interfaces/external/ITokenMessengerV2.sol";
import {Fees} from "../src/libraries/FeeMath.sol";
import {Currency, NATIVE} from "../src/types/Currency.sol";
import {Order, Refusal} from "../src/types/Order.sol";
import {MintableToken} from "./standins/MintableToken.sol";
import {BurnFixture} from "./support/BurnFixture.sol";

/// @notice A messenger that takes less than it is told to
contract LazyMessenger {
    function depositForBurn(uint256 amount, uint32, bytes32, address token, bytes32, uint256, uint32)
        external
    {
        MintableToken(token).transferFrom(msg.sender, address(1), amount - 1);
    }
}

contract GatewayPoolTest is BurnFixture {
    function setUp() public override {
        super.setUp();
        fund(gateway, 100_000e6);
    }

    function test_constructor() public {
        vm.chainId(GATEWAY);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotAContract.selector, bob));
        new GatewayPool(config(GATEWAY, currency(here.token), 6, dollars(6)), ITokenMessengerV2(bob));
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotAContract.selector, Currency.unwrap(NATIVE)));
        new GatewayPool(config(GATEWAY, NATIVE, 18, ether_()), here.messenger);
    }

    function test_fulfil_here() public {
        fulfil(gateway, outbound(100e6, GATEWAY, address(here.token), 0));
        vm.assertEq(here.token.balanceOf(bob), 99_500_000, "0.5 % less");
    }

    function test_fulfil_thereAndTheRecipientGetsAllOfIt() public {
        Order memory order = outbound(100e6, ARBITRUM, address(there.token), 0);
        vm.recordLogs();
        fulfil(gateway, order);
        (bytes memory message, bytes memory attestation) = attest(lastMessage(), 0);
        vm.prank(account("anyone"));
        there.transmitter.receiveMessage(message, attestation);
        vm.assertEq(there.token.balanceOf(bob), 99_500_000, "0.5 % less");
        vm.assertEq(
            here.token.allowance(address(gateway), address(here.messenger)), 0, "no allowance is left"
        );
    }

    function test_fulfil_theIssuerMayKeepNothing() public {
        Order memory order = outbound(100e6, ARBITRUM, address(there.token), 0);
        vm.recordLogs();
        fulfil(gateway, order);
        (bytes memory message, bytes memory attestation) = attest(lastMessage(), 1);
        vm.expectRevert("Fee exceeds max fee");
        there.transmitter.receiveMessage(message, attestation);
    }

    function test_fuzz_fulfil_there(uint256 amount, uint32 rate, address recipient) public {
        vm.assume(recipient != address(0));
        amount = bound(amount, 10e6, 25_000e6);
        bytes32 id = register(uint32(bound(rate, 0, 10_000)));
        Order memory order =
            open(hub, alice, amount, ARBITRUM, abi.encodePacked(recipient), 0, address(there.token), id);
        (Fees memory fees,) = gateway.quote(order);
        vm.recordLogs();
        fulfil(gateway, order);
        (bytes memory message, bytes memory attestation) = attest(lastMessage(), 0);
        there.transmitter.receiveMessage(message, attestation);
        vm.assertEq(there.token.balanceOf(recipient), fees.received, "the recipient gets what was quoted");
        vm.assertEq(here.token.balanceOf(partner), fees.integrator, "the partner is paid here");
        vm.assertEq(
            gateway.liquidity(), 100_000e6 - fees.received - fees.integrator, "the pool keeps its part"
        );
    }

    function test_fulfil_anIssuerThatAsksAFeeStopsBurnsNotUsers() public {
        Order memory order = outbound(100e6, ARBITRUM, address(there.token), 0);
        here.messenger.setMinFee(10_000);
        vm.prank(relayer);
        vm.expectRevert("Insufficient max fee");
        gateway.fulfil(order);
        vm.startPrank(relayer);
        gateway.cancel(order);
        hub.refund(order);
        vm.stopPrank();
        vm.assertEq(usdcHub.balanceOf(alice), 100e6, "the deposit goes back");
    }

    function test_fulfil_refusesABurnOfAnotherAmount() public {
        Order memory order = outbound(100e6, ARBITRUM, address(there.token), 0);
        vm.etch(address(here.messenger), address(new LazyMessenger()).code);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IGatewayPool.WrongBurn.selector, 99_500_000, 99_499_999));
        gateway.fulfil(order);
    }

    function test_fulfil_refusesWhatIsNotLinked() public {
        Order memory order = outbound(100e6, ARBITRUM, address(there.token), 0);
        order.dstToken = address(here.token);
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.Destination));
        gateway.fulfil(order);
        (order.dstPlace, order.dstToken) = (10, address(0));
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.Destination));
        gateway.fulfil(order);
    }

    function test_setRemote_removes() public {
        Order memory order = outbound(100e6, ARBITRUM, address(there.token), 0);
        vm.prank(admin);
        gateway.setRemote(ARBITRUM, Remote({domain: 0, token: address(0)}));
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.Destination));
        gateway.fulfil(order);
    }

    function test_setRemote_notItself() public {
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(IGatewayPool.NotRemote.selector, GATEWAY));
        gateway.setRemote(GATEWAY, Remote({domain: 6, token: bob}));
        vm.expectRevert(abi.encodeWithSelector(IGatewayPool.NotRemote.selector, 0));
        gateway.setRemote(0, Remote({domain: 6, token: bob}));
    }

    function test_fuzz_setRemote_onlyTheAdmin(address caller) public {
        vm.assume(caller != admin);
        vm.prank(caller);
        vm.expectRevert(
            abi.encodeWithSelector(
                IAccessControl.AccessControlUnauthorizedAccount.selector, caller, bytes32(0)
            )
        );
        gateway.setRemote(10, Remote({domain: 2, token: bob}));
    }

    function outbound(uint256 amount, uint256 place, address token, bytes32 id)
        private
        returns (Order memory)
    {
        return open(hub, alice, amount, place, abi.encodePacked(bob), 0, token, id);
    }
}
