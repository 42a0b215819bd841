// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {GatewayPool} from "../src/GatewayPool.sol";
import {IGatewayPool, Remote} from "../src/interfaces/IGatewayPool.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {IPool} from "../src/interfaces/IPool.sol";
import {ITokenMessengerV2} from "../src/interfaces/external/ITokenMessengerV2.sol";
import {Burns} from "../src/libraries/Burns.sol";
import {Fees} from "../src/libraries/FeeMath.sol";
import {Currency, NATIVE} from "../src/types/Currency.sol";
import {Link, Order, Refusal} from "../src/types/Order.sol";
import {MintableToken} from "./standins/MintableToken.sol";
import {BurnFixture} from "./support/BurnFixture.sol";

/// @notice A messenger that burns less than the amount of the call
contract LazyMessenger {
    function depositForBurn(uint256 amount, uint32, bytes32, address token, bytes32, uint256, uint32)
        external
    {
        MintableToken(token).transferFrom(msg.sender, address(1), amount - 1);
    }
}

/// @notice A messenger of the first version: it burns, and knows no least fee
contract OldMessenger {
    function depositForBurn(uint256 amount, uint32, bytes32, address token, bytes32, uint256 maxFee, uint32)
        external
    {
        require(maxFee == 0, "a fee was offered");
        MintableToken(token).transferFrom(msg.sender, address(1), amount);
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

    function test_fulfil_onItsOwnNetwork() public {
        fulfil(gateway, outbound(100e6, GATEWAY, address(here.token), 0));
        vm.assertEq(here.token.balanceOf(bob), 99_500_000, "0.5 % less");
    }

    function test_fulfil_byBurning_theRecipientGetsAllOfIt() public {
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
        vm.assume(recipient != address(0) && recipient != address(gateway));
        amount = bound(amount, 10e6, 25_000e6);
        bytes32 id = register(uint32(bound(rate, 0, 10_000)));
        Order memory order =
            open(hub, alice, amount, ARBITRUM, abi.encodePacked(recipient), 0, address(there.token), id);
        (Fees memory fees,) = lens.quote(gateway, order);
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

    function test_fulfil_bearsTheIssuersLeastFee() public {
        Order memory order = outbound(100e6, ARBITRUM, address(there.token), 0);
        here.messenger.setMinFee(10_000); // 0.1 %
        vm.recordLogs();
        fulfil(gateway, order);
        (bytes memory message, bytes memory attestation) = attest(lastMessage(), 99_599);
        there.transmitter.receiveMessage(message, attestation);
        vm.assertEq(there.token.balanceOf(bob), 99_500_000, "what was quoted");
        vm.assertEq(gateway.liquidity(), 100_000e6 - 99_500_000 - 99_599, "the pool bears the fee");
    }

    /// @dev The burn is the least of which the quoted amount is left, whatever the fee and the amount.
    function test_fuzz_fulfil_burnsTheLeastThatIsEnough(uint256 amount, uint256 minFee) public {
        amount = bound(amount, 10e6, 25_000e6);
        here.messenger.setMinFee(bound(minFee, 0, 49_000)); // up to 0.49 %
        Order memory order = outbound(amount, ARBITRUM, address(there.token), 0);
        (Fees memory fees,) = lens.quote(gateway, order);
        uint256 before = gateway.liquidity();
        fulfil(gateway, order);
        uint256 burned = before - gateway.liquidity();
        uint256 fee = here.messenger.getMinFeeAmount(burned);
        vm.assertEq(burned - fee, fees.received, "the recipient gets what was quoted");
        fee = here.messenger.getMinFeeAmount(burned - 1);
        vm.assertLt(burned - 1 - fee, fees.received, "and one unit less would not do");
    }

    function test_fulfil_refusesAFeeBeyondTheBound() public {
        Order memory order = outbound(100e6, ARBITRUM, address(there.token), 0);
        here.messenger.setMinFee(60_000); // 0.6 %
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IPool.FeeTooHigh.selector, 597_000, 500_000));
        gateway.fulfil(order, false);
        vm.startPrank(relayer);
        gateway.cancel(order);
        hub.refund(order);
        vm.stopPrank();
        vm.assertEq(usdcHub.balanceOf(alice), 100e6, "the deposit goes back");
    }

    /// @dev Messengers that were deployed before the least fee existed have no such function.
    function test_fulfil_messengerWithoutALeastFee() public {
        Order memory order = outbound(100e6, ARBITRUM, address(there.token), 0);
        vm.etch(address(here.messenger), address(new OldMessenger()).code);
        fulfil(gateway, order);
        vm.assertEq(gateway.liquidity(), 100_000e6 - 99_500_000, "no fee is added");
    }

    function test_fulfil_refusesABurnOfAnotherAmount() public {
        Order memory order = outbound(100e6, ARBITRUM, address(there.token), 0);
        vm.etch(address(here.messenger), address(new LazyMessenger()).code);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(Burns.WrongBurn.selector, 99_500_000, 99_499_999));
        gateway.fulfil(order, false);
    }

    function test_fulfil_refusesWhatIsNotLinked() public {
        Order memory order = outbound(100e6, ARBITRUM, address(there.token), 0);
        order.dstToken = address(here.token);
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.Destination));
        gateway.fulfil(order, false);
        (order.dstPlace, order.dstToken) = (10, address(0));
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.Destination));
        gateway.fulfil(order, false);
        (order.dstPlace, order.dstToken) = (GATEWAY, address(there.token));
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.Destination));
        gateway.fulfil(order, false);
    }

    function test_setRemote_closed() public {
        Order memory order = outbound(100e6, ARBITRUM, address(there.token), 0);
        vm.prank(guardian);
        gateway.setRemote(ARBITRUM, remote(ARBITRUM_DOMAIN, address(there.token), Link.Closed));
        vm.prank(relayer);
        vm.expectRevert(refused(Refusal.Destination));
        gateway.fulfil(order, false);
        vm.prank(relayer);
        gateway.cancel(order);
        vm.prank(admin);
        gateway.setRemote(ARBITRUM, remote(ARBITRUM_DOMAIN, address(there.token), Link.Open));
    }

    function test_setRemote_writtenOnce() public {
        badRemote(ARBITRUM, remote(2, address(there.token), Link.Open));
        badRemote(ARBITRUM, remote(ARBITRUM_DOMAIN, bob, Link.Open));
        badRemote(ARBITRUM, remote(ARBITRUM_DOMAIN, address(there.token), Link.None));
    }

    function test_setRemote_refusals() public {
        badRemote(GATEWAY, remote(6, bob, Link.Open));
        badRemote(0, remote(6, bob, Link.Open));
        badRemote(10, remote(2, address(0), Link.Open));
        badRemote(10, remote(2, bob, Link.None));
        badRemote(10, remote(0, bob, Link.Open));
    }

    function test_setRemote_domainZeroIsChainOne() public {
        vm.prank(admin);
        gateway.setRemote(1, remote(0, bob, Link.Open));
        (uint32 domain, address token, Link state) = gateway.remotes(1);
        vm.assertEq(abi.encode(domain, token, state), abi.encode(0, bob, Link.Open), "remote");
    }

    function test_fuzz_setRemote_onlyTheAdmin(address caller, bool open_) public {
        vm.assume(caller != admin && caller != guardian);
        bytes memory denied = deniedAdmin(caller);
        vm.prank(caller);
        vm.expectRevert(denied);
        gateway.setRemote(
            ARBITRUM, remote(ARBITRUM_DOMAIN, address(there.token), open_ ? Link.Open : Link.Closed)
        );
    }

    function test_setRemote_theGuardianOnlyCloses() public {
        vm.startPrank(guardian);
        vm.expectRevert(deniedAdmin(guardian));
        gateway.setRemote(10, remote(2, bob, Link.Closed));
        gateway.setRemote(ARBITRUM, remote(ARBITRUM_DOMAIN, address(there.token), Link.Closed));
        vm.expectRevert(deniedAdmin(guardian));
        gateway.setRemote(ARBITRUM, remote(ARBITRUM_DOMAIN, address(there.token), Link.Open));
    }

    function badRemote(uint256 place, Remote memory remote_) private {
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IGatewayPool.BadRemote.selector, place, remote_));
        gateway.setRemote(place, remote_);
    }

    function remote(uint32 domain, address token, Link state) private pure returns (Remote memory) {
        return Remote({domain: domain, token: token, state: state});
    }

    function outbound(uint256 amount, uint256 place, address token, bytes32 id)
        private
        returns (Order memory)
    {
        return open(hub, alice, amount, place, abi.encodePacked(bob), 0, token, id);
    }
}
