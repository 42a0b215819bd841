// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IntegratorRegistry} from "../../src/IntegratorRegistry.sol";
import {Pool} from "../../src/Pool.sol";
import {ShieldPool} from "../../src/ShieldPool.sol";
import {Lens} from "../../src/Lens.sol";
import {OrderSource} from "../../src/base/OrderSource.sol";
import {CapKind, ILedger, Roles} from "../../src/interfaces/ILedger.sol";
import {DepositState, Destination, IOrderSource, Limits} from "../../src/interfaces/IOrderSource.sol";
import {Caps, PoolConfig} from "../../src/interfaces/IPool.sol";
import {Currency, NATIVE} from "../../src/types/Currency.sol";
import {Delivery, Link, Order, Refusal} from "../../src/types/Order.sol";
import {BlacklistToken} from "../standins/BlacklistToken.sol";
import {MintableToken} from "../standins/MintableToken.sol";
import {PrivacyPool} from "../standins/PrivacyPool.sol";
import {Test, Vm} from "./Test.sol";

/// @notice A token, whether or not its functions return something
interface AnyToken {
    function mint(address to, uint256 amount) external;
    function approve(address spender, uint256 amount) external;
}

/// @notice A few pools of every kind, linked as the reference deployment links them
/// @dev All live in one EVM; which network a contract believes to be on is decided while it is constructed.
abstract contract PoolFixture is Test {
    uint256 internal constant ETHEREUM = 1;
    uint256 internal constant BSC = 56;
    uint256 internal constant HUB = 369;
    uint256 internal constant PRIVATE = 69696969;

    uint32 internal constant INBOUND_RATE = 3_000;
    uint32 internal constant OTHER_RATE = 5_000;
    uint120 internal constant SHIELD_FEE = 25;
    uint32 internal constant FEE_BOUND = 5_000;
    uint32 internal constant LIFETIME = 72 hours;

    address internal immutable admin = account("admin");
    address internal immutable relayer = account("relayer");
    address internal immutable standby = account("standby");
    address internal immutable guardian = account("guardian");
    address internal immutable treasurer = account("treasurer");
    address internal immutable alice = account("alice");
    address internal immutable bob = account("bob");
    address internal immutable partner = account("partner");
    address internal immutable treasury = account("treasury");

    Lens internal lens;
    IntegratorRegistry internal registry;
    PrivacyPool internal privacyPool;
    BlacklistToken internal usdc1; // USDC on chain 1
    BlacklistToken internal usdc56; // USDC on chain 56, with 18 decimals
    BlacklistToken internal usdcHub; // USDC on the hub
    MintableToken internal weth; // WETH on the hub

    Pool internal pool1; // (1, USDC)
    Pool internal pool56; // (56, USDC)
    Pool internal poolEth; // (1, ETH)
    Pool internal hub; // (369, USDC)
    Pool internal hubWeth; // (369, WETH)
    ShieldPool internal shieldPool; // (69696969, USDC)

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        lens = new Lens();
        registry = new IntegratorRegistry(admin);
        _deployTokens();
        _deployPools();
        _link();
    }

    // ---------------------------------------------------------------- deploy

    function _deployTokens() private {
        usdc1 = newToken("USDC", 6);
        usdc56 = newToken("USDC", 18);
        usdcHub = newToken("USDC", 6);
        weth = newToken("WETH", 18);
        privacyPool = new PrivacyPool();
        privacyPool.init(treasury, SHIELD_FEE);
    }

    function _deployPools() private {
        pool1 = newPool(ETHEREUM, currency(usdc1), 6, dollars(6));
        pool56 = newPool(BSC, currency(usdc56), 18, dollars(18));
        poolEth = newPool(ETHEREUM, NATIVE, 18, ether_());
        hub = newPool(HUB, currency(usdcHub), 6, dollars(6));
        hubWeth = newPool(HUB, currency(weth), 18, ether_());
        vm.chainId(ETHEREUM);
        shieldPool = new ShieldPool(config(PRIVATE, currency(usdc1), 6, dollars(6)), privacyPool);
    }

    function _link() private {
        link(pool1, ETHEREUM, hub, HUB, address(usdcHub), INBOUND_RATE, Delivery.Address);
        link(pool56, BSC, hub, HUB, address(usdcHub), INBOUND_RATE, Delivery.Address);
        link(shieldPool, PRIVATE, hub, HUB, address(usdcHub), OTHER_RATE, Delivery.Address);
        link(hub, HUB, pool1, ETHEREUM, address(usdc1), OTHER_RATE, Delivery.Address);
        link(hub, HUB, pool56, BSC, address(usdc56), OTHER_RATE, Delivery.Address);
        link(hub, HUB, shieldPool, PRIVATE, address(usdc1), OTHER_RATE, Delivery.Note);
        link(poolEth, ETHEREUM, hubWeth, HUB, address(weth), INBOUND_RATE, Delivery.Address);
        link(hubWeth, HUB, poolEth, ETHEREUM, Currency.unwrap(NATIVE), OTHER_RATE, Delivery.Address);
    }

    /// @notice Lets `dst` pay the orders of `src`
    function link(
        Pool src,
        uint256 srcPlace,
        Pool dst,
        uint256 dstPlace,
        address dstToken,
        uint32 rate,
        Delivery delivery
    ) internal {
        vm.startPrank(admin);
        src.setDestination(dstPlace, dstToken, terms(delivery, address(dst), rate));
        (uint96 cap,,) = dst.caps(CapKind.Payments);
        dst.setSource(srcPlace, address(src), Link.Open, uint24(rate), cap);
        vm.stopPrank();
    }

    /// @notice The terms of an open destination
    function terms(Delivery delivery, address pool, uint32 rate) internal pure returns (Destination memory) {
        return Destination({delivery: delivery, state: Link.Open, pool: pool, rate: rate, lifetime: LIFETIME});
    }

    /// @notice The terms of a destination as they are, but closed
    function closed(OrderSource source, uint256 place, address token)
        internal
        view
        returns (Destination memory d)
    {
        (d.delivery,, d.pool, d.rate, d.lifetime) = source.destinations(place, token);
        d.state = Link.Closed;
    }

    function newToken(string memory symbol, uint8 decimals) internal returns (BlacklistToken token) {
        token = new BlacklistToken();
        token.init(symbol, symbol, decimals);
    }

    function newPool(uint256 place, Currency token, uint8 decimals, Limits memory limits)
        internal
        returns (Pool)
    {
        vm.chainId(place);
        return new Pool(config(place, token, decimals, limits));
    }

    function config(uint256 place, Currency token, uint8 decimals, Limits memory limits)
        internal
        view
        returns (PoolConfig memory)
    {
        return PoolConfig({
            place: place,
            token: token,
            decimals: decimals,
            registry: registry,
            roles: roles(),
            limits: limits,
            caps: capsFor(limits),
            feeBound: FEE_BOUND
        });
    }

    function roles() internal view returns (Roles memory) {
        return
            Roles({
                admin: admin, relayer: relayer, standby: standby, guardian: guardian, treasurer: treasurer
            });
    }

    /// @notice The limits of a stablecoin
    function dollars(uint8 decimals) internal pure returns (Limits memory) {
        uint128 unit = uint128(10 ** decimals);
        return Limits({min: 10 * unit, max: 25_000 * unit});
    }

    /// @notice The limits of ether
    function ether_() internal pure returns (Limits memory) {
        return Limits({min: 0.01 ether, max: 20 ether});
    }

    /// @notice Eight of the largest orders in any day, four of them at once; of liquidity a hundred
    function capsFor(Limits memory limits) internal pure returns (Caps memory) {
        uint96 max = uint96(limits.max);
        return Caps({payments: 8 * max, refunds: 8 * max, releases: 8 * max, treasury: 100 * max});
    }

    // ------------------------------------------------------------------- act

    /// @notice Deposits `amount` of USDC from alice on chain 1, for bob on the hub
    function openInbound(uint256 amount) internal returns (Order memory) {
        return open(pool1, alice, amount, HUB, abi.encodePacked(bob), 0, address(usdcHub), 0);
    }

    /// @notice Deposits `amount` of USDC from alice on the hub, for a note on chain 1
    function openShield(uint256 amount) internal returns (Order memory) {
        return open(hub, alice, amount, PRIVATE, note(), 2, address(usdc1), 0);
    }

    /// @notice Mints, approves, swaps, and returns the order that the event carries
    function open(
        Pool pool,
        address sender,
        uint256 amount,
        uint256 dstPlace,
        bytes memory recipient,
        uint8 recipientType,
        address dstToken,
        bytes32 integratorId
    ) internal returns (Order memory) {
        uint256 value = provide(pool, sender, amount);
        vm.recordLogs();
        vm.prank(sender);
        pool.swap{value: value}(dstPlace, amount, recipient, recipientType, dstToken, integratorId);
        return lastOrder();
    }

    /// @notice Gives `sender` the `amount` to deposit, and returns the value to send with it
    function provide(Pool pool, address sender, uint256 amount) internal returns (uint256 value) {
        if (pool.token().isNative()) {
            vm.deal(sender, sender.balance + amount);
            return amount;
        }
        AnyToken token = AnyToken(Currency.unwrap(pool.token()));
        token.mint(sender, amount);
        vm.prank(sender);
        token.approve(address(pool), amount);
    }

    /// @notice Adds liquidity
    function fund(Pool pool, uint256 amount) internal {
        uint256 value = provide(pool, treasury, amount);
        vm.prank(treasury);
        pool.fund{value: value}(amount);
    }

    function fulfil(Pool pool, Order memory order) internal {
        vm.prank(relayer);
        pool.fulfil(order, false);
    }

    /// @notice Pays an order whose recipient may have to claim
    function fulfilOrOwe(Pool pool, Order memory order) internal {
        vm.prank(relayer);
        pool.fulfil(order, true);
    }

    /// @notice Declares one order paid
    function release(OrderSource source, bytes32 id) internal {
        bytes32[] memory ids = new bytes32[](1);
        ids[0] = id;
        vm.prank(relayer);
        source.releaseMany(ids);
    }

    /// @notice Takes liquidity out, to the listed treasury
    function withdraw(Pool pool, uint256 amount) internal {
        vm.prank(admin);
        pool.setTreasury(treasury, true);
        vm.prank(treasurer);
        pool.withdraw(treasury, amount);
    }

    function pause(OrderSource source, bool deposits, bool payments) internal {
        vm.prank(guardian);
        source.setPauses(deposits, payments);
    }

    function register(uint32 rate) internal returns (bytes32 id) {
        vm.prank(admin);
        return registry.register(partner, rate);
    }

    // ------------------------------------------------------------------ read

    /// @notice The order that the last recorded OrderOpened event carries
    function lastOrder() internal returns (Order memory) {
        return orderIn(vm.getRecordedLogs());
    }

    /// @notice The order that the last OrderOpened event of `logs` carries
    function orderIn(Vm.Log[] memory logs) internal pure returns (Order memory order) {
        for (uint256 i = logs.length; i > 0; --i) {
            if (logs[i - 1].topics[0] != IOrderSource.OrderOpened.selector) continue;
            (,,, order) = abi.decode(logs[i - 1].data, (address, uint256, uint256, Order));
            vm.assertEq(logs[i - 1].topics[1], order.id(), "the event names the order's ID");
            vm.assertEq(
                logs[i - 1].topics[2], bytes32(uint256(uint160(order.refundTo))), "and who is refunded"
            );
            vm.assertEq(logs[i - 1].topics[3], bytes32(order.dstPlace), "and the destination");
            return order;
        }
        revert("no order was opened");
    }

    /// @notice What is held for an order
    function held(OrderSource source, bytes32 id) internal view returns (uint256 amount) {
        (amount,,,) = source.deposits(id);
    }

    function stateOf(OrderSource source, bytes32 id) internal view returns (DepositState state) {
        (,,, state) = source.deposits(id);
    }

    function heldTotal(ILedger ledger) internal view returns (uint256 held_) {
        (, held_) = ledger.totals();
    }

    function owed(ILedger ledger) internal view returns (uint256 owed_) {
        (owed_,) = ledger.totals();
    }

    /// @notice The nonce of the order that `sender` opens after `count` others for the same `refundTo`
    function nonceOf(address sender, uint256 count) internal pure returns (uint256) {
        return uint256(keccak256(abi.encode(sender, count)));
    }

    /// @notice A type 2 recipient, no two words equal
    function note() internal pure returns (bytes memory) {
        return abi.encodePacked(
            bytes32(uint256(0xA1)),
            bytes32(uint256(0xB2)),
            bytes32(uint256(0xC3)),
            bytes32(uint256(0xD4)),
            bytes32(uint256(0xE5))
        );
    }

    function currency(MintableToken token) internal pure returns (Currency) {
        return Currency.wrap(address(token));
    }

    /// @notice The error of a caller that would have to be the admin
    function deniedAdmin(address caller) internal pure returns (bytes memory) {
        return denied(caller, 0);
    }

    function denied(address caller, bytes32 role) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, caller, role);
    }

    function refused(Refusal why) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IOrderSource.OrderRefused.selector, why);
    }

    function notHeld(bytes32 id) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IOrderSource.NotHeld.selector, id);
    }
}
