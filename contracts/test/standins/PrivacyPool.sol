// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {
    CommitmentPreimage,
    IPrivacyPool,
    ShieldCiphertext,
    ShieldRequest,
    TokenType
} from "../../src/interfaces/external/IPrivacyPool.sol";

/// @notice The privacy pool as far as shielding goes; for tests only
/// @dev Checks, fee, order of transfers and event are the original's. It numbers leaves but keeps no tree: nothing here
/// spends a note.
contract PrivacyPool is IPrivacyPool {
    using SafeERC20 for IERC20;

    uint256 private constant SNARK_SCALAR_FIELD =
        21888242871839275222246405745257275088548364400416034343698204186575808495617;
    uint136 private constant BASIS_POINTS = 10_000;
    uint256 private constant TREE_LEAVES = 2 ** 16;

    address public treasury;
    uint120 private fee; // in basis points
    uint256 public treeNumber;
    uint256 public nextLeafIndex;
    mapping(address token => bool) public tokenBlocklist;
    bool public paused;

    /// @dev The original is behind a proxy that can be paused; then it answers no call.
    modifier notPaused() {
        require(!paused, "Proxy: Contract is paused");
        _;
    }

    function init(address treasury_, uint120 shieldFee_) external {
        require(treasury == address(0), "initialised");
        treasury = treasury_;
        changeFee(shieldFee_);
    }

    function changeFee(uint120 shieldFee_) public {
        require(shieldFee_ <= BASIS_POINTS / 2, "RailgunLogic: Shield Fee exceeds 50%");
        fee = shieldFee_;
    }

    function setPaused(bool paused_) external {
        paused = paused_;
    }

    function shieldFee() external view notPaused returns (uint120) {
        return fee;
    }

    function setBlocked(address token, bool blocked) external {
        tokenBlocklist[token] = blocked;
    }

    function shield(ShieldRequest[] calldata requests) external notPaused {
        CommitmentPreimage[] memory commitments = new CommitmentPreimage[](requests.length);
        ShieldCiphertext[] memory ciphertexts = new ShieldCiphertext[](requests.length);
        uint256[] memory fees = new uint256[](requests.length);
        for (uint256 i; i < requests.length; ++i) {
            _validate(requests[i].preimage);
            (commitments[i], fees[i]) = _takeIn(requests[i].preimage);
            ciphertexts[i] = requests[i].ciphertext;
        }
        if (nextLeafIndex + requests.length > TREE_LEAVES) (treeNumber, nextLeafIndex) = (treeNumber + 1, 0);
        emit Shield(treeNumber, nextLeafIndex, commitments, ciphertexts, fees);
        nextLeafIndex += requests.length;
    }

    function _validate(CommitmentPreimage calldata note) private view {
        require(note.value != 0, "RailgunSmartWallet: Invalid Note Value");
        require(!tokenBlocklist[note.token.tokenAddress], "RailgunSmartWallet: Unsupported Token");
        require(uint256(note.npk) < SNARK_SCALAR_FIELD, "RailgunSmartWallet: Invalid Note NPK");
        require(
            note.token.tokenType == TokenType.ERC20, "PrivacyPool: this stand-in shields ERC-20 tokens only"
        );
    }

    function _takeIn(CommitmentPreimage calldata note)
        private
        returns (CommitmentPreimage memory adjusted, uint256 kept)
    {
        uint120 base = uint120(uint136(note.value) - uint136(note.value) * fee / BASIS_POINTS);
        kept = note.value - base;
        IERC20 token = IERC20(note.token.tokenAddress);
        uint256 before = token.balanceOf(address(this));
        token.safeTransferFrom(msg.sender, address(this), base);
        require(token.balanceOf(address(this)) - before == base, "RailgunLogic: ERC20 transfer failed");
        token.safeTransferFrom(msg.sender, treasury, kept);
        adjusted = CommitmentPreimage({npk: note.npk, token: note.token, value: base});
    }
}
