// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Lens} from "./Lens.sol";

/// @title LensCall
/// @notice Runs one call of the Lens inside an eth_call without recipient, and returns its answer
/// @dev Such a call runs creation code and returns what that returns. This one makes a Lens, calls it with the
/// argument, and ends with the answer in the place of a contract's code. It is never sent as a transaction.
/// Networks let no contract's code be longer than 24,576 bytes, and hold the answer to that: ask about a chain's
/// contracts in several calls where they have many routes.
contract LensCall {
    constructor(bytes memory call) {
        (bool ok, bytes memory answer) = address(new Lens()).staticcall(call);
        assembly ("memory-safe") {
            if iszero(ok) { revert(add(answer, 32), mload(answer)) }
            return(add(answer, 32), mload(answer))
        }
    }
}
