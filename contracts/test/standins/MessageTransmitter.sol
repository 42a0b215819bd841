// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IMessageTransmitterV2} from "../../src/interfaces/external/IMessageTransmitterV2.sol";

/// @notice What a message is handed to
interface IMessageHandlerV2 {
    function handleReceiveFinalizedMessage(
        uint32 domain,
        bytes32 sender,
        uint32 threshold,
        bytes calldata body
    ) external returns (bool);

    function handleReceiveUnfinalizedMessage(
        uint32 domain,
        bytes32 sender,
        uint32 threshold,
        bytes calldata body
    ) external returns (bool);
}

/// @notice The issuer's transmitter; for tests only
/// @dev Layout, checks, their order and their words are the original's. Anyone may send anything to anyone, and the
/// attester signs it: that is the original's promise too.
contract MessageTransmitter is IMessageTransmitterV2 {
    event MessageSent(bytes message);
    event MessageReceived(
        address indexed caller,
        uint32 sourceDomain,
        bytes32 indexed nonce,
        bytes32 sender,
        uint32 indexed finalityThresholdExecuted,
        bytes messageBody
    );

    uint32 public constant version = 1;
    uint32 private constant FINALIZED = 2000;
    uint256 private constant SIGNATURE_LENGTH = 65;
    uint256 private constant HEADER_LENGTH = 148;

    uint32 public localDomain;
    uint256 public maxMessageBodySize;
    uint256 public signatureThreshold;
    bool public paused;
    mapping(address attester => bool) public isEnabledAttester;
    mapping(bytes32 nonce => uint256) public usedNonces;

    modifier whenNotPaused() {
        require(!paused, "Pausable: paused");
        _;
    }

    function init(uint32 domain, address[] calldata attesters, uint256 threshold) external {
        require(signatureThreshold == 0, "initialised");
        require(threshold != 0, "Invalid signature threshold");
        require(threshold <= attesters.length, "New signature threshold too high");
        localDomain = domain;
        maxMessageBodySize = 8192;
        signatureThreshold = threshold;
        for (uint256 i; i < attesters.length; ++i) {
            isEnabledAttester[attesters[i]] = true;
        }
    }

    function setPaused(bool paused_) external {
        paused = paused_;
    }

    function sendMessage(
        uint32 destinationDomain,
        bytes32 recipient,
        bytes32 destinationCaller,
        uint32 minFinalityThreshold,
        bytes calldata body
    ) external whenNotPaused {
        require(destinationDomain != localDomain, "Domain is local domain");
        require(body.length <= maxMessageBodySize, "Message body exceeds max size");
        require(recipient != 0, "Recipient must be nonzero");
        bytes32 sender = bytes32(uint256(uint160(msg.sender)));
        emit MessageSent(abi.encodePacked(
                version,
                localDomain,
                destinationDomain,
                bytes32(0), // nonce: the attester's
                sender,
                recipient,
                destinationCaller,
                minFinalityThreshold,
                uint32(0), // finality threshold executed: the attester's
                body
            ));
    }

    function receiveMessage(bytes calldata message, bytes calldata attestation)
        external
        whenNotPaused
        returns (bool)
    {
        _verify(message, attestation);
        require(message.length >= HEADER_LENGTH, "Invalid message: too short");
        require(uint32(bytes4(message[8:12])) == localDomain, "Invalid destination domain");
        bytes32 caller = bytes32(message[108:140]);
        require(caller == 0 || caller == bytes32(uint256(uint160(msg.sender))), "Invalid caller for message");
        require(uint32(bytes4(message[0:4])) == version, "Invalid message version");
        bytes32 nonce = bytes32(message[12:44]);
        require(usedNonces[nonce] == 0, "Nonce already used");
        usedNonces[nonce] = 1;
        _hand(message);
        emit MessageReceived(
            msg.sender,
            uint32(bytes4(message[4:8])),
            nonce,
            bytes32(message[44:76]),
            uint32(bytes4(message[144:148])),
            message[HEADER_LENGTH:]
        );
        return true;
    }

    function _hand(bytes calldata message) private {
        uint32 domain = uint32(bytes4(message[4:8]));
        bytes32 sender = bytes32(message[44:76]);
        IMessageHandlerV2 recipient = IMessageHandlerV2(address(uint160(uint256(bytes32(message[76:108])))));
        uint32 threshold = uint32(bytes4(message[144:148]));
        bytes calldata body = message[HEADER_LENGTH:];
        if (threshold < FINALIZED) {
            require(
                recipient.handleReceiveUnfinalizedMessage(domain, sender, threshold, body),
                "handleReceiveUnfinalizedMessage() failed"
            );
        } else {
            require(
                recipient.handleReceiveFinalizedMessage(domain, sender, threshold, body),
                "handleReceiveFinalizedMessage() failed"
            );
        }
    }

    /// @dev Signatures come in the order of their signers' addresses, so that none counts twice.
    function _verify(bytes calldata message, bytes calldata attestation) private view {
        require(attestation.length == SIGNATURE_LENGTH * signatureThreshold, "Invalid attestation length");
        address last;
        for (uint256 i; i < attestation.length; i += SIGNATURE_LENGTH) {
            address signer = ECDSA.recover(keccak256(message), attestation[i:i + SIGNATURE_LENGTH]);
            require(signer > last, "Invalid signature order or dupe");
            require(isEnabledAttester[signer], "Invalid signature: not attester");
            last = signer;
        }
    }
}
