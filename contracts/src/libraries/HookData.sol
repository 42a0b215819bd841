// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice What the sender of a burn wants done with it
struct Hook {
    uint256 dstPlace;
    address dstToken;
    bytes32 integratorId;
    uint8 recipientType;
    bytes recipient;
}

/// @notice Reads the instruction packed into the hook data of an attested burn
/// @dev Big-endian, no padding. internal/calldata writes the same table:
///
///     offset  size  field
///          0    32  destination place
///         32    20  destination token
///         52    32  integrator ID, zero when there is none
///         84     1  recipient type
///         85     n  recipient
///
/// Every field but the last has its place, so bytes that can be read are the only bytes that say what they say.
library HookData {
    uint256 private constant TOKEN = 32;
    uint256 private constant INTEGRATOR = 52;
    uint256 private constant RECIPIENT_TYPE = 84;
    uint256 private constant RECIPIENT = 85;

    /// @notice Reads `data`; `ok` is false when it ends before the recipient begins
    /// @dev It never reverts: these bytes were chosen by a stranger, and the money that came with them is here.
    function read(bytes calldata data) internal pure returns (bool ok, Hook memory hook) {
        if (data.length <= RECIPIENT) return (false, hook);
        hook.dstPlace = uint256(bytes32(data[:TOKEN]));
        hook.dstToken = address(bytes20(data[TOKEN:INTEGRATOR]));
        hook.integratorId = bytes32(data[INTEGRATOR:RECIPIENT_TYPE]);
        hook.recipientType = uint8(data[RECIPIENT_TYPE]);
        hook.recipient = data[RECIPIENT:];
        return (true, hook);
    }
}
