// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ITokenMinterV2} from "../../src/interfaces/external/ITokenMinterV2.sol";
import {MintableToken} from "./MintableToken.sol";

/// @notice The issuer's minter; for tests only
contract TokenMinter is ITokenMinterV2 {
    address public localTokenMessenger;
    bool public paused;
    mapping(address token => uint256) public burnLimitsPerMessage;
    mapping(uint32 domain => mapping(bytes32 token => address)) public getLocalToken;

    modifier whenNotPaused() {
        require(!paused, "Pausable: paused");
        _;
    }

    modifier onlyLocalTokenMessenger() {
        require(msg.sender == localTokenMessenger, "Caller not local TokenMessenger");
        _;
    }

    function init(address messenger) external {
        require(localTokenMessenger == address(0), "Local TokenMessenger already set");
        localTokenMessenger = messenger;
    }

    function setPaused(bool paused_) external {
        paused = paused_;
    }

    function setMaxBurnAmountPerMessage(address token, uint256 limit) external {
        burnLimitsPerMessage[token] = limit;
    }

    function linkTokenPair(address localToken, uint32 remoteDomain, bytes32 remoteToken) external {
        require(getLocalToken[remoteDomain][remoteToken] == address(0), "Unable to link token pair");
        getLocalToken[remoteDomain][remoteToken] = localToken;
    }

    function mint(uint32 sourceDomain, bytes32 burnToken, address to, uint256 amount)
        external
        whenNotPaused
        onlyLocalTokenMessenger
        returns (address)
    {
        address token = getLocalToken[sourceDomain][burnToken];
        require(token != address(0), "Mint token not supported");
        require(MintableToken(token).mint(to, amount), "Mint operation failed");
        return token;
    }

    function burn(address token, uint256 amount) external whenNotPaused onlyLocalTokenMessenger {
        require(burnLimitsPerMessage[token] > 0, "Burn token not supported");
        require(amount <= burnLimitsPerMessage[token], "Burn amount exceeds per tx limit");
        MintableToken(token).burn(amount);
    }
}
