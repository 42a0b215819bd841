// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

// The test runner's usual library is not published on npm by its makers (the package of that name is by another author), and
// everything here comes from npm. So the commands used are declared here.

/// @notice The test runner's commands that are used here
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function addr(uint256 privateKey) external pure returns (address);
    function assertEq(address left, address right, string calldata what) external pure;
    function assertEq(bool left, bool right, string calldata what) external pure;
    function assertEq(bytes calldata left, bytes calldata right, string calldata what) external pure;
    function assertEq(bytes32 left, bytes32 right, string calldata what) external pure;
    function assertEq(uint256 left, uint256 right, string calldata what) external pure;
    function assertGe(uint256 left, uint256 right, string calldata what) external pure;
    function assertLe(uint256 left, uint256 right, string calldata what) external pure;
    function assertGt(uint256 left, uint256 right, string calldata what) external pure;
    function assertLt(uint256 left, uint256 right, string calldata what) external pure;
    function assertFalse(bool condition, string calldata what) external pure;
    function assertTrue(bool condition, string calldata what) external pure;
    function assume(bool condition) external pure;
    function chainId(uint256 id) external;
    function deal(address account, uint256 balance) external;
    function etch(address account, bytes calldata code) external;
    function expectEmit() external;
    function expectEmit(address emitter) external;
    function expectRevert() external;
    function expectRevert(bytes calldata reason) external;
    function expectRevert(bytes4 selector) external;
    function getRecordedLogs() external returns (Log[] memory);
    function prank(address sender) external;
    function prank(address sender, address origin) external;
    function recordLogs() external;
    function roll(uint256 number) external;
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function startPrank(address sender) external;
    function startPrank(address sender, address origin) external;
    function snapshotState() external returns (uint256);
    function revertToState(uint256 snapshot) external returns (bool);
    function load(address account, bytes32 slot) external view returns (bytes32);
    function store(address account, bytes32 slot, bytes32 value) external;
    function getNonce(address account) external view returns (uint64);
    function stopPrank() external;
    function warp(uint256 timestamp) external;
}

/// @notice What every test needs
abstract contract Test {
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    /// @notice An account of its own for each name
    function account(string memory name) internal pure returns (address) {
        return address(uint160(uint256(keccak256(bytes(name)))));
    }

    /// @notice `x` brought between `min` and `max`, both inclusive
    function bound(uint256 x, uint256 min, uint256 max) internal pure returns (uint256) {
        uint256 size = max - min + 1;
        return size == 0 ? x : min + x % size;
    }
}
