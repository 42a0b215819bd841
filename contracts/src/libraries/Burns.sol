// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ITokenMessengerV2} from "../interfaces/external/ITokenMessengerV2.sol";

/// @notice Burns the issuer's token here so that it is minted on another of its networks
/// @dev Always the standard transfer: the issuer attests when the burn is final, and anyone may deliver the mint.
library Burns {
    using SafeERC20 for IERC20;

    /// @notice Thrown when a burn took something else than it was told to
    error WrongBurn(uint256 expected, uint256 burned);

    uint32 private constant FINALIZED = 2000;
    bytes32 private constant ANYONE = 0;

    /// @notice Burns `amount` for `recipient`; the issuer may keep `maxFee` of it
    function burn(
        ITokenMessengerV2 messenger,
        IERC20 token,
        uint256 amount,
        uint32 domain,
        address recipient,
        uint256 maxFee
    ) internal {
        uint256 before = token.balanceOf(address(this));
        token.forceApprove(address(messenger), amount);
        messenger.depositForBurn(
            amount, domain, bytes32(uint256(uint160(recipient))), address(token), ANYONE, maxFee, FINALIZED
        );
        uint256 burned = before - token.balanceOf(address(this));
        if (burned != amount) revert WrongBurn(amount, burned);
    }

    /// @notice The least fee that the issuer accepts for a burn of `amount`
    /// @dev Older messengers do not have the function, and ask for no fee. One that has it and reverts refuses the
    /// burn as well, so taking that for zero loses nothing.
    function minFee(ITokenMessengerV2 messenger, uint256 amount) internal view returns (uint256) {
        (bool ok, bytes memory fee) =
            address(messenger).staticcall(abi.encodeCall(ITokenMessengerV2.getMinFeeAmount, (amount)));
        return ok && fee.length >= 32 ? abi.decode(fee, (uint256)) : 0;
    }
}
