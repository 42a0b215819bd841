// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

enum TokenType {
    ERC20,
    ERC721,
    ERC1155
}

struct TokenData {
    TokenType tokenType;
    address tokenAddress;
    uint256 tokenSubID; // of a non-fungible token; zero here
}

struct CommitmentPreimage {
    bytes32 npk; // the note's public key
    TokenData token;
    uint120 value;
}

struct ShieldCiphertext {
    bytes32[3] encryptedBundle;
    bytes32 shieldKey;
}

struct ShieldRequest {
    CommitmentPreimage preimage;
    ShieldCiphertext ciphertext;
}

/// @notice The part of the privacy pool that shields
interface IPrivacyPool {
    /// @notice Emitted for the notes of one call; their values are after the fee
    event Shield(
        uint256 treeNumber,
        uint256 startPosition,
        CommitmentPreimage[] commitments,
        ShieldCiphertext[] shieldCiphertext,
        uint256[] fees
    );

    /// @notice Takes tokens from the caller and makes notes of them, less the fee
    /// @dev It cannot know whether a note can be opened: with a wrong key or ciphertext the money is lost without an
    /// error.
    function shield(ShieldRequest[] calldata requests) external;

    /// @notice The fee, in basis points
    function shieldFee() external view returns (uint120);
}
