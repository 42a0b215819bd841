// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ITokenMessengerV2} from "../../src/interfaces/external/ITokenMessengerV2.sol";
import {IMessageHandlerV2, MessageTransmitter} from "./MessageTransmitter.sol";
import {ITokenMinterV2, TokenMinter} from "./TokenMinter.sol";

/// @notice The issuer's messenger; for tests only
/// @dev Layout, checks, their order and their words are the original's. Offsets are those of the body, which begins at
/// 148 of the message.
contract TokenMessenger is ITokenMessengerV2, IMessageHandlerV2 {
    event DepositForBurn(
        address indexed burnToken,
        uint256 amount,
        address indexed depositor,
        bytes32 mintRecipient,
        uint32 destinationDomain,
        bytes32 destinationTokenMessenger,
        bytes32 destinationCaller,
        uint256 maxFee,
        uint32 indexed minFinalityThreshold,
        bytes hookData
    );
    event MintAndWithdraw(
        address indexed mintRecipient, uint256 amount, address indexed mintToken, uint256 feeCollected
    );

    struct Deposit {
        uint256 amount;
        uint32 domain;
        bytes32 mintRecipient;
        address token;
        bytes32 caller;
        uint256 maxFee;
        uint32 threshold;
    }

    uint32 public constant messageBodyVersion = 1;
    uint32 private constant MIN_THRESHOLD = 500;
    uint256 private constant MIN_FEE_MULTIPLIER = 10_000_000;
    uint256 private constant HOOK_DATA = 228;

    MessageTransmitter public localMessageTransmitter;
    TokenMinter private minter;
    address public feeRecipient;
    uint256 public minFee; // in thousandths of a basis point
    mapping(uint32 domain => bytes32) public remoteTokenMessengers;
    mapping(address account => bool) public isDenylisted;

    function init(MessageTransmitter transmitter, TokenMinter minter_, address feeRecipient_) external {
        require(address(localMessageTransmitter) == address(0), "initialised");
        (localMessageTransmitter, minter, feeRecipient) = (transmitter, minter_, feeRecipient_);
    }

    function addRemoteTokenMessenger(uint32 domain, bytes32 messenger) external {
        require(messenger != 0, "bytes32(0) not allowed");
        require(remoteTokenMessengers[domain] == 0, "TokenMessenger already set");
        remoteTokenMessengers[domain] = messenger;
    }

    function removeRemoteTokenMessenger(uint32 domain) external {
        require(remoteTokenMessengers[domain] != 0, "No TokenMessenger set");
        delete remoteTokenMessengers[domain];
    }

    function setMinFee(uint256 minFee_) external {
        require(minFee_ < MIN_FEE_MULTIPLIER, "Min fee too high");
        minFee = minFee_;
    }

    function setDenylisted(address account, bool denylisted) external {
        isDenylisted[account] = denylisted;
    }

    function localMinter() external view returns (ITokenMinterV2) {
        return minter;
    }

    function getMinFeeAmount(uint256 amount) public view returns (uint256) {
        if (minFee == 0) return 0;
        require(amount > 1, "Amount too low");
        uint256 fee = amount * minFee / MIN_FEE_MULTIPLIER;
        return fee == 0 ? 1 : fee;
    }

    function depositForBurn(
        uint256 amount,
        uint32 destinationDomain,
        bytes32 mintRecipient,
        address burnToken,
        bytes32 destinationCaller,
        uint256 maxFee,
        uint32 minFinalityThreshold
    ) external {
        _requireAllowed();
        _depositForBurn(
            Deposit(
                amount,
                destinationDomain,
                mintRecipient,
                burnToken,
                destinationCaller,
                maxFee,
                minFinalityThreshold
            ),
            msg.data[:0]
        );
    }

    function depositForBurnWithHook(
        uint256 amount,
        uint32 destinationDomain,
        bytes32 mintRecipient,
        address burnToken,
        bytes32 destinationCaller,
        uint256 maxFee,
        uint32 minFinalityThreshold,
        bytes calldata hookData
    ) external {
        _requireAllowed();
        require(hookData.length > 0, "Hook data is empty");
        _depositForBurn(
            Deposit(
                amount,
                destinationDomain,
                mintRecipient,
                burnToken,
                destinationCaller,
                maxFee,
                minFinalityThreshold
            ),
            hookData
        );
    }

    function handleReceiveFinalizedMessage(uint32 domain, bytes32 sender, uint32, bytes calldata body)
        external
        returns (bool)
    {
        return _handle(domain, sender, body);
    }

    function handleReceiveUnfinalizedMessage(
        uint32 domain,
        bytes32 sender,
        uint32 threshold,
        bytes calldata body
    ) external returns (bool) {
        require(threshold >= MIN_THRESHOLD, "Unsupported finality threshold");
        return _handle(domain, sender, body);
    }

    function _depositForBurn(Deposit memory d, bytes calldata hookData) private {
        require(d.amount > 0, "Amount must be nonzero");
        require(d.mintRecipient != 0, "Mint recipient must be nonzero");
        require(d.maxFee < d.amount, "Max fee must be less than amount");
        require(minFee == 0 || d.maxFee >= getMinFeeAmount(d.amount), "Insufficient max fee");
        bytes32 remote = remoteTokenMessengers[d.domain];
        require(remote != 0, "No TokenMessenger for domain");
        _burn(d.token, d.amount);
        localMessageTransmitter.sendMessage(d.domain, remote, d.caller, d.threshold, _body(d, hookData));
        _emit(d, remote, hookData);
    }

    function _burn(address token, uint256 amount) private {
        require(address(minter) != address(0), "Local minter is not set");
        require(IERC20(token).transferFrom(msg.sender, address(minter), amount), "Transfer operation failed");
        minter.burn(token, amount);
    }

    function _body(Deposit memory d, bytes calldata hookData) private view returns (bytes memory) {
        return abi.encodePacked(
            messageBodyVersion,
            bytes32(uint256(uint160(d.token))),
            d.mintRecipient,
            d.amount,
            bytes32(uint256(uint160(msg.sender))),
            d.maxFee,
            uint256(0), // fee executed: the attester's
            uint256(0), // expiration block: the attester's
            hookData
        );
    }

    function _emit(Deposit memory d, bytes32 remote, bytes calldata hookData) private {
        emit DepositForBurn(
            d.token,
            d.amount,
            msg.sender,
            d.mintRecipient,
            d.domain,
            remote,
            d.caller,
            d.maxFee,
            d.threshold,
            hookData
        );
    }

    function _handle(uint32 domain, bytes32 sender, bytes calldata body) private returns (bool) {
        require(msg.sender == address(localMessageTransmitter), "Invalid message transmitter");
        require(sender != 0 && remoteTokenMessengers[domain] == sender, "Remote TokenMessenger unsupported");
        require(body.length >= HOOK_DATA, "Invalid burn message: too short");
        require(uint32(bytes4(body[0:4])) == messageBodyVersion, "Invalid message body version");
        uint256 expiration = uint256(bytes32(body[196:228]));
        require(expiration == 0 || expiration > block.number, "Message expired and must be re-signed");
        uint256 amount = uint256(bytes32(body[68:100]));
        uint256 fee = uint256(bytes32(body[164:196]));
        require(fee == 0 || fee < amount, "Fee equals or exceeds amount");
        require(fee <= uint256(bytes32(body[132:164])), "Fee exceeds max fee");
        _mint(domain, bytes32(body[4:36]), address(uint160(uint256(bytes32(body[36:68])))), amount - fee, fee);
        return true;
    }

    function _mint(uint32 domain, bytes32 burnToken, address recipient, uint256 amount, uint256 fee) private {
        address token = minter.mint(domain, burnToken, recipient, amount);
        if (fee > 0) minter.mint(domain, burnToken, feeRecipient, fee);
        emit MintAndWithdraw(recipient, amount, token, fee);
    }

    function _requireAllowed() private view {
        bool denied = isDenylisted[msg.sender] || isDenylisted[tx.origin];
        require(!denied, "Denylistable: account is on denylist");
    }
}
