// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice A contract wallet that makes several calls in one transaction, as a Safe does; for tests only
/// @dev It has no owner: any account can spend what it holds.
contract BatchWallet {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    receive() external payable {}

    /// @notice Makes all calls, or none
    function execute(Call[] calldata calls) external {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool done, bytes memory answer) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            if (!done) {
                assembly ("memory-safe") {
                    revert(add(answer, 32), mload(answer))
                }
            }
        }
    }
}
