// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Currency} from "../types/Currency.sol";
import {Refusal} from "../types/Order.sol";
import {Limits, Roles} from "./ILedger.sol";
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
    Limits limits;
}

/// @notice Receives burns from other networks, and makes orders of what their hook data says
interface IReceiver {
    /// @notice Emitted when a mint could not become an order; `account` may claim it
    event Parked(bytes32 indexed sender, address indexed account, uint256 amount, Refusal why);
    /// @notice Emitted when a source is added, changed or removed
    event SourceSet(uint32 indexed domain, uint256 place);
    /// @notice Emitted when money that no message explains was moved out
    event Skimmed(address indexed to, uint256 amount);

    /// @notice Thrown when more of the issuer's fee would be absorbed than the protocol's fee pays for
    error AbsorbRateTooHigh(uint32 rate, uint32 max);
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

    /// @notice Delivers an attested burn: mints it and opens its order, both or neither; anyone may
    /// @return id the order's, or zero when the money was parked
    function relay(bytes calldata message, bytes calldata attestation) external returns (bytes32 id);

    /// @notice Moves out what came in by no message delivered here; for the admin
    function skim(address to) external returns (uint256 amount);

    /// @notice Adds, changes or, with place zero, removes a source; for the admin
    function setSource(uint32 domain, uint256 place) external;

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
