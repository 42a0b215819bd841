// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Currency} from "../types/Currency.sol";
import {Order, Refusal} from "../types/Order.sol";
import {Roles} from "./ILedger.sol";
import {Limits} from "./IOrderSource.sol";
import {IMessageTransmitterV2} from "./external/IMessageTransmitterV2.sol";
import {ITokenMessengerV2} from "./external/ITokenMessengerV2.sol";

/// @notice What a receiver is; its address is a function of this
struct ReceiverConfig {
    Currency token; // the issuer's token on this network
    ITokenMessengerV2 messenger;
    IMessageTransmitterV2 transmitter;
    address pool; // the gateway pool, where the money of paid orders goes
    address lastResort; // whose claim the money of a sender without an address becomes
    uint32 absorbRate; // the most of the issuer's fee that is not passed on, in millionths of the amount
    Roles roles;
    Limits limits; // of a burn that becomes a payable order; they never change
    uint96 refundCap; // in any 24 hours
    uint96 releaseCap; // in any 24 hours
}

/// @notice Receives burns from other networks, and makes orders of what their hook data says
interface IReceiver {
    /// @notice Emitted when a burn was minted here; links the issuer's message with the order
    event BurnReceived(
        bytes32 indexed id,
        bytes32 indexed messageNonce,
        uint32 indexed domain,
        bytes32 sender,
        uint256 burned,
        uint256 fee
    );
    /// @notice Emitted when a burn became an order that no contract can pay
    /// @dev Its deposit may be reclaimed at once. If the sender has no address of this kind of network none is held:
    /// the money is the last resort's claim.
    event OrderUnpayable(bytes32 indexed id, Refusal why);
    /// @notice Emitted when a domain is given its place
    event PlaceSet(uint32 indexed domain, uint256 place);
    /// @notice Emitted when free money was sent to the gateway pool
    event Swept(uint256 amount);

    /// @notice Thrown when more of the issuer's fee would be absorbed than the protocol's fee pays for
    error AbsorbRateTooHigh(uint32 rate, uint32 max);
    /// @notice Thrown when the gateway pool of the configuration holds another token than the receiver
    error PoolOfAnotherToken(Currency token);
    /// @notice Thrown when a message is for another contract than the issuer's messenger, and so need not mint
    error NotForMessenger(bytes32 recipient);
    /// @notice Thrown when a message may be delivered by others, and so need not have come through here
    error NotForThisCaller(bytes32 destinationCaller);
    /// @notice Thrown when a message mints to another account
    error NotMintedHere(bytes32 mintRecipient);
    /// @notice Thrown when a message mints another token
    error WrongToken(uint32 domain, bytes32 burnToken);
    /// @notice Thrown when the transmitter does not take the message
    error NotReceived();
    /// @notice Thrown when what came in is not what the message says
    error WrongMint(uint256 expected, uint256 minted);
    /// @notice Thrown when a domain has a place already, or the place cannot be that domain's
    error BadPlace(uint32 domain, uint256 place);
    /// @notice Thrown when an account takes on this network what is not shown to be its own here
    error NotRefundTo(address caller);
    /// @notice Thrown when a deposit would be taken here before `reclaim` has announced it
    error NotAnnounced(bytes32 id);
    /// @notice Thrown when nothing is free to be swept
    error NothingToSweep();

    /// @notice Delivers an attested burn: mints it and opens its order, both or neither; anyone may
    /// @dev No pause, cap or role touches it. The time to pay the order begins here, not with the burn.
    function relay(bytes calldata message, bytes calldata attestation) external returns (bytes32 id);

    /// @notice The second step of `reclaim` with another payee: on this network, to `to`
    /// @dev Only for a `refundTo` that sends the transaction itself. A contract with the burner's address on this
    /// network may belong to another owner.
    function reclaimHere(Order calldata order, address to) external;

    /// @notice Sends what is neither owed nor held to the gateway pool; anyone may
    /// @dev Released deposits, and whatever else was sent here: a sender's mistake is repaired by the pool's
    /// treasurer.
    function sweep() external;

    /// @notice Gives a domain its place, once; for the admin
    function setPlace(uint32 domain, uint256 place) external;

    /// @notice The place that a domain is, zero when it is not served
    function places(uint32 domain) external view returns (uint256);

    /// @notice The most that `absorbRate` may be, in millionths
    function MAX_ABSORB_RATE() external view returns (uint32);

    /// @notice The most of the issuer's fee that is not passed on, in millionths of the amount
    function absorbRate() external view returns (uint32);

    /// @notice The issuer's messenger
    function messenger() external view returns (ITokenMessengerV2);

    /// @notice The issuer's transmitter
    function transmitter() external view returns (IMessageTransmitterV2);

    /// @notice The gateway pool, where the money of released orders goes
    function pool() external view returns (address);

    /// @notice Whose claim the money of a sender without an address becomes
    function lastResort() external view returns (address);
}
