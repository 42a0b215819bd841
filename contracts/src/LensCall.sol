// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Lens} from "./Lens.sol";

/// @title LensCall
/// @notice Runs one call of the Lens inside an eth_call without recipient, and returns its answer
/// @dev Such a call runs creation code and returns what that returns. This one makes a Lens, calls it with the
/// argument, and ends with the answer in the place of a contract's code. It is never sent as a transaction.
///
/// **The answer begins with one zero byte, which the caller takes off.** Networks refuse code that begins with 0xEF
/// (EIP-3541), as one in 256 hashes does. A revert has no such byte.
///
/// Networks let no contract's code be longer than 24,576 bytes, and hold the answer to that, with its byte: ask about
/// a chain's contracts in several calls where they have many routes.
contract LensCall {
    constructor(bytes memory call) {
        (bool ok, bytes memory answer) = address(new Lens()).staticcall(call);
        assembly ("memory-safe") {
            let size := mload(answer)
            if iszero(ok) { revert(add(answer, 32), size) }
            // The last byte of the length stands before the answer, and is not needed any more.
            mstore8(add(answer, 31), 0)
            return(add(answer, 31), add(size, 1))
        }
    }
}
