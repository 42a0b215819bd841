// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice What becomes of an amount, in the destination token's smallest units
/// @dev `gross == received + protocol + integrator`, always.
struct Fees {
    uint256 gross; // what the deposit is worth before fees
    uint256 protocol; // the pool's part
    uint256 integrator; // the partner's part
    uint256 received; // the recipient's part
}

/// @notice What a swap costs
/// @dev The same formula as the quote service's internal/fee. Everything rounds down once: the unit that does not
/// divide in rescaling stays with the pool, those that do not divide in a fee stay with the recipient.
library FeeMath {
    /// @notice Rates are integers in millionths: 3_000 is 0.3 %
    uint256 internal constant MILLION = 1_000_000;

    /// @notice Splits `amount` of a token with `from` decimals, paid in one with `to` decimals
    function split(uint256 amount, uint8 from, uint8 to, uint256 protocolRate, uint256 integratorRate)
        internal
        pure
        returns (Fees memory fees)
    {
        fees.gross = rescale(amount, from, to);
        fees.protocol = share(fees.gross, protocolRate);
        fees.integrator = share(fees.gross, integratorRate);
        fees.received = fees.gross - fees.protocol - fees.integrator;
    }

    /// @notice The part of `amount` that `rate` takes
    function share(uint256 amount, uint256 rate) internal pure returns (uint256) {
        return amount * rate / MILLION;
    }

    /// @notice `amount` counted in units of `to` decimals instead of `from`
    function rescale(uint256 amount, uint8 from, uint8 to) internal pure returns (uint256) {
        return to >= from ? amount * powerOfTen(to - from) : amount / powerOfTen(from - to);
    }

    /// @dev Both callers' differences are at most 18, so it cannot overflow, and checking it costs a page of code.
    function powerOfTen(uint256 exponent) private pure returns (uint256) {
        unchecked {
            return 10 ** exponent;
        }
    }
}
