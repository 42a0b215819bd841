// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @notice What a contract holds and pays: an ERC-20 token, or the chain's own coin
type Currency is address;

using CurrencyLibrary for Currency global;

/// @dev Stands for the chain's own coin where a token address is expected
Currency constant NATIVE = Currency.wrap(0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE);

/// @notice Moves a currency in and out of the contract that uses it
/// @dev Native and ERC-20 share no line that moves money: each has a function of its own. Money comes in from
/// `msg.sender` only.
library CurrencyLibrary {
    using SafeERC20 for IERC20;

    /// @notice Thrown when the native value sent is not the one the deposit needs
    error WrongValue(uint256 expected, uint256 sent);
    /// @notice Thrown when a token credits less or more than it was told to move
    error WrongDeposit(uint256 expected, uint256 received);

    /// @notice Decimals of every native coin that is paid here
    uint8 internal constant NATIVE_DECIMALS = 18;

    /// @notice Gas a native recipient gets: enough for a smart wallet to log, too little to burn a relayer's purse
    uint256 internal constant NATIVE_PAYMENT_GAS = 50_000;

    function isNative(Currency self) internal pure returns (bool) {
        return Currency.unwrap(self) == Currency.unwrap(NATIVE);
    }

    function erc20(Currency self) internal pure returns (IERC20) {
        return IERC20(Currency.unwrap(self));
    }

    function decimals(Currency self) internal view returns (uint8) {
        return self.isNative() ? NATIVE_DECIMALS : IERC20Metadata(Currency.unwrap(self)).decimals();
    }

    function balance(Currency self) internal view returns (uint256) {
        return self.isNative() ? address(this).balance : self.erc20().balanceOf(address(this));
    }

    /// @notice Takes exactly `amount` from the caller, or reverts
    function take(Currency self, uint256 amount) internal {
        if (self.isNative()) takeNative(amount);
        else takeToken(self.erc20(), amount);
    }

    /// @notice Sends `amount` to `to`, or reverts
    function send(Currency self, address to, uint256 amount) internal {
        if (self.isNative()) Address.sendValue(payable(to), amount);
        else self.erc20().safeTransfer(to, amount);
    }

    /// @notice Sends `amount` to `to` with capped gas, and tells whether it arrived
    /// @dev A caller cannot make a payment fail by being stingy with gas: what an exhausted call leaves behind, a
    /// 64th, does not pay for recording the failure, so everything reverts.
    ///
    /// The native payment is `(sent,) = to.call{value: amount, gas: NATIVE_PAYMENT_GAS}("")`, but for one thing: that
    /// copies the recipient's answer to memory, of which 50,000 gas buy 136 kB, at the expense of the rest of a batch.
    function trySend(Currency self, address to, uint256 amount) internal returns (bool sent) {
        if (!self.isNative()) return self.erc20().trySafeTransfer(to, amount);
        uint256 limit = NATIVE_PAYMENT_GAS;
        assembly ("memory-safe") {
            sent := call(limit, to, amount, 0, 0, 0, 0)
        }
    }

    function takeNative(uint256 amount) private view {
        if (msg.value != amount) revert WrongValue(amount, msg.value);
    }

    function takeToken(IERC20 token, uint256 amount) private {
        if (msg.value != 0) revert WrongValue(0, msg.value);
        uint256 before = token.balanceOf(address(this));
        token.safeTransferFrom(msg.sender, address(this), amount);
        uint256 received = token.balanceOf(address(this)) - before;
        if (received != amount) revert WrongDeposit(amount, received);
    }
}
