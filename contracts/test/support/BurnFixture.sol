// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {GatewayPool} from "../../src/GatewayPool.sol";
import {Receiver} from "../../src/Receiver.sol";
import {Remote} from "../../src/interfaces/IGatewayPool.sol";
import {ReceiverConfig} from "../../src/interfaces/IReceiver.sol";
import {Delivery, Link} from "../../src/types/Order.sol";
import {BlacklistToken} from "../standins/BlacklistToken.sol";
import {MessageTransmitter} from "../standins/MessageTransmitter.sol";
import {TokenMessenger} from "../standins/TokenMessenger.sol";
import {TokenMinter} from "../standins/TokenMinter.sol";
import {PoolFixture} from "./PoolFixture.sol";
import {Vm} from "./Test.sol";

/// @notice The issuer's contracts of two networks, an attester, the gateway pool and the receiver
abstract contract BurnFixture is PoolFixture {
    uint256 internal constant ARBITRUM = 42161;
    uint256 internal constant GATEWAY = 8453;
    uint32 internal constant ARBITRUM_DOMAIN = 3;
    uint32 internal constant GATEWAY_DOMAIN = 6;
    uint32 internal constant ABSORB_RATE = 2_000;
    uint32 internal constant FAST = 1000;

    /// @notice One side of the issuer's bridge
    struct Side {
        BlacklistToken token;
        MessageTransmitter transmitter;
        TokenMessenger messenger;
        TokenMinter minter;
    }

    address internal immutable issuer = account("issuer's fee recipient");
    address internal immutable lastResort = account("last resort");
    uint256[2] internal attesters = [uint256(0xA77E57), 0xA77E58]; // private keys, in the order of their addresses

    Side internal there; // on chain 42161
    Side internal here; // on the gateway
    GatewayPool internal gateway;
    Receiver internal receiver;
    uint256 private attested;

    function setUp() public virtual override {
        super.setUp();
        if (vm.addr(attesters[0]) > vm.addr(attesters[1])) {
            (attesters[0], attesters[1]) = (attesters[1], attesters[0]);
        }
        there = newSide(ARBITRUM_DOMAIN);
        here = newSide(GATEWAY_DOMAIN);
        join(there, here, GATEWAY_DOMAIN);
        join(here, there, ARBITRUM_DOMAIN);
        vm.chainId(GATEWAY);
        gateway = new GatewayPool(config(GATEWAY, currency(here.token), 6, dollars(6)), here.messenger);
        receiver = new Receiver(receiverConfig());
        _linkGateway();
    }

    function _linkGateway() private {
        vm.startPrank(admin);
        receiver.setPlace(ARBITRUM_DOMAIN, ARBITRUM);
        receiver.setDestination(HUB, address(usdcHub), terms(Delivery.Address, address(hub), INBOUND_RATE));
        hub.setSource(ARBITRUM, address(receiver), Link.Open, uint24(INBOUND_RATE), 200_000e6);
        hub.setDestination(
            ARBITRUM, address(there.token), terms(Delivery.Address, address(gateway), OTHER_RATE)
        );
        hub.setDestination(
            GATEWAY, address(here.token), terms(Delivery.Address, address(gateway), OTHER_RATE)
        );
        gateway.setSource(HUB, address(hub), Link.Open, uint24(OTHER_RATE), 200_000e6);
        gateway.setRemote(
            ARBITRUM, Remote({domain: ARBITRUM_DOMAIN, token: address(there.token), state: Link.Open})
        );
        vm.stopPrank();
    }

    function newSide(uint32 domain) private returns (Side memory side) {
        side = Side(newToken("USDC", 6), new MessageTransmitter(), new TokenMessenger(), new TokenMinter());
        address[] memory signers = new address[](2);
        (signers[0], signers[1]) = (vm.addr(attesters[0]), vm.addr(attesters[1]));
        side.transmitter.init(domain, signers, 2);
        side.messenger.init(side.transmitter, side.minter, issuer);
        side.minter.init(address(side.messenger));
        side.minter.setMaxBurnAmountPerMessage(address(side.token), 10_000_000e6);
    }

    function join(Side memory side, Side memory other, uint32 otherDomain) private {
        side.messenger.addRemoteTokenMessenger(otherDomain, word(address(other.messenger)));
        side.minter.linkTokenPair(address(side.token), otherDomain, word(address(other.token)));
    }

    function receiverConfig() internal view returns (ReceiverConfig memory) {
        return ReceiverConfig({
            token: currency(here.token),
            messenger: here.messenger,
            transmitter: here.transmitter,
            pool: address(gateway),
            lastResort: lastResort,
            absorbRate: ABSORB_RATE,
            roles: roles(),
            limits: dollars(6),
            refundCap: 200_000e6,
            releaseCap: 200_000e6
        });
    }

    // ------------------------------------------------------------------- act

    /// @notice Burns `amount` of alice's on chain 42161 as a quote says, and returns the message the burn emitted
    function burn(uint256 amount, uint256 maxFee, bytes memory hook) internal returns (bytes memory) {
        there.token.mint(alice, amount);
        vm.startPrank(alice);
        there.token.approve(address(there.messenger), amount);
        vm.recordLogs();
        there.messenger
            .depositForBurnWithHook(
                amount,
                GATEWAY_DOMAIN,
                word(address(receiver)),
                address(there.token),
                word(address(receiver)),
                maxFee,
                FAST,
                hook
            );
        vm.stopPrank();
        return lastMessage();
    }

    /// @notice Does the attester's part: fills in what only it knows, and signs
    function attest(bytes memory message, uint256 fee)
        internal
        returns (bytes memory, bytes memory attestation)
    {
        put(message, 12, bytes32(++attested));
        put(message, 312, bytes32(fee));
        (message[146], message[147]) = (bytes1(uint8(FAST >> 8)), bytes1(uint8(FAST & 0xff)));
        return (message, sign(message));
    }

    function sign(bytes memory message) internal view returns (bytes memory attestation) {
        for (uint256 i; i < attesters.length; ++i) {
            (uint8 v, bytes32 r, bytes32 s) = vm.sign(attesters[i], keccak256(message));
            attestation = bytes.concat(attestation, r, s, bytes1(v));
        }
    }

    /// @notice Burns, attests and relays
    function deliver(uint256 amount, uint256 fee, bytes memory hook) internal returns (bytes32 id) {
        (bytes memory message, bytes memory attestation) = attest(burn(amount, fee, hook), fee);
        vm.recordLogs();
        return receiver.relay(message, attestation);
    }

    // ------------------------------------------------------------------ read

    /// @notice The hook data of a quote: for bob, on the hub
    function goodHook() internal view returns (bytes memory) {
        return hookFor(abi.encodePacked(bob));
    }

    function hookFor(bytes memory recipient) internal view returns (bytes memory) {
        return abi.encodePacked(HUB, address(usdcHub), bytes32(0), uint8(0), recipient);
    }

    function lastMessage() internal returns (bytes memory) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].topics[0] == MessageTransmitter.MessageSent.selector) {
                return abi.decode(logs[i].data, (bytes));
            }
        }
        revert("no message was sent");
    }

    function put(bytes memory message, uint256 offset, bytes32 value) internal pure {
        for (uint256 i; i < 32; ++i) {
            message[offset + i] = value[i];
        }
    }

    function word(address someone) internal pure returns (bytes32) {
        return bytes32(uint256(uint160(someone)));
    }
}
