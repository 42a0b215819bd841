// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {GatewayPool} from "../../src/GatewayPool.sol";
import {IntegratorRegistry} from "../../src/IntegratorRegistry.sol";
import {Pool} from "../../src/Pool.sol";
import {Receiver} from "../../src/Receiver.sol";
import {Ledger} from "../../src/base/Ledger.sol";
import {OrderSource} from "../../src/base/OrderSource.sol";
import {TwoStepAdmin} from "../../src/base/TwoStepAdmin.sol";
import {Remote} from "../../src/interfaces/IGatewayPool.sol";
import {CapKind} from "../../src/interfaces/ILedger.sol";
import {Destination, Limits} from "../../src/interfaces/IOrderSource.sol";
import {Delivery, Link} from "../../src/types/Order.sol";
import {Oversteps} from "./Oversteps.sol";

/// @notice Every setting that admin, guardian and treasurer can change, each to a random value that is valid
/// @dev A change is tried by the guardian half of the time, and by the admin if the guardian may not: for the admin it
/// must succeed. Third parties change their fees too.
abstract contract Settings is Oversteps {
    uint256 internal constant SETTINGS = 18;

    uint256 internal tightened; // changes that the guardian made
    uint256 internal loosened; // changes that needed the admin
    uint256 internal withdrawn; // withdrawals of more than nothing
    mapping(address ledger => uint256) private largests;
    uint32 private domains = 100; // those used up, from one that no fixture uses

    // ---------------------------------------------------------------- change

    function changeMany(uint256 most) internal {
        for (uint256 i = draw(0, most); i > 0; --i) {
            change(draw(0, SETTINGS - 1));
        }
    }

    /// @notice Changes the setting with this number
    function change(uint256 what) internal {
        if (what == 0) _pauses(pick());
        else if (what == 1) _cap(pick());
        else if (what == 2) _revokeRelayer(pick());
        else if (what == 3) _role(pick());
        else if (what == 4) _admin(pick());
        else if (what == 5) _destination(pickRoute());
        else if (what == 6) _newDestination(pick());
        else if (what == 7) _source(pickPayer());
        else if (what == 8) _limits(pickPool());
        else if (what == 9) _feeBound(pickPool());
        else if (what == 10) _withdraw(pickPool());
        else if (what == 11) _remote();
        else if (what == 12) _place();
        else if (what == 13) _partner();
        else if (what == 14) privacyPool.changeFee(uint120(draw(0, 100)));
        else if (what == 15) here.messenger.setMinFee(chance(2) ? 0 : draw(1, 20_000));
        else overstep(draw(0, 6), pickRoute());
    }

    /// @notice Makes the call as a setter: by the guardian if it may, else by the admin, who must be let
    function set(address target, bytes memory call) internal {
        bool ok;
        if (chance(2)) {
            vm.prank(guardian);
            (ok,) = target.call(call);
            if (ok) ++tightened;
        }
        if (!ok) setAsAdmin(target, call);
    }

    function setAsAdmin(address target, bytes memory call) internal {
        address boss = TwoStepAdmin(target).admin();
        vm.prank(boss);
        (bool ok, bytes memory why) = target.call(call);
        vm.assertEq(ok ? bytes("") : why, bytes(""), "the admin's valid setting is accepted");
        ++loosened;
    }

    function _pauses(OrderSource ledger) private {
        set(address(ledger), abi.encodeCall(Ledger.setPauses, (chance(2), chance(2))));
    }

    function _cap(OrderSource ledger) private {
        CapKind kind = CapKind(draw(0, 3));
        (, uint128 max) = ledger.limits();
        uint256 least = kind == CapKind.Releases ? 2 * largest(ledger) : 0;
        uint96 cap = uint96(least + draw(0, 20 * uint256(max)));
        (uint96 before,,) = ledger.caps(kind);
        set(address(ledger), abi.encodeCall(Ledger.setCap, (kind, cap)));
        if (cap < before) onLowered(ledger, kind);
    }

    /// @dev Lowering the cap of releases forgets what was released beyond the lower one's half.
    function onLowered(OrderSource ledger, CapKind kind) internal virtual {}

    /// @notice The highest maximum that a deposit had at `ledger`; it sees those that are in force when it is called
    function largest(OrderSource ledger) internal returns (uint256) {
        (, uint128 max) = ledger.limits();
        if (max > largests[address(ledger)]) largests[address(ledger)] = max;
        return largests[address(ledger)];
    }

    function _revokeRelayer(OrderSource ledger) private {
        set(address(ledger), abi.encodeCall(Ledger.revokeRelayer, (chance(2) ? relayer : standby)));
    }

    function _role(OrderSource ledger) private {
        bytes32 role = [ledger.RELAYER_ROLE(), ledger.GUARDIAN_ROLE(), ledger.TREASURER_ROLE()][draw(0, 2)];
        address holder = [relayer, standby, guardian, treasurer][draw(0, 3)];
        bytes memory grant = abi.encodeCall(ledger.grantRole, (role, holder));
        setAsAdmin(address(ledger), chance(2) ? grant : abi.encodeCall(ledger.revokeRole, (role, holder)));
    }

    /// @dev The new admin is an account that holds no other role.
    function _admin(OrderSource ledger) private {
        address next = address(uint160(draw(1e40, 1e41)));
        setAsAdmin(address(ledger), abi.encodeCall(TwoStepAdmin.offerAdmin, (next)));
        vm.prank(next);
        ledger.acceptAdmin();
    }

    /// @dev Rates only fall. The pool is now and then a later generation, or an account that pays nothing.
    function _destination(Route memory route) private {
        if (chance(2)) overstep(0, route);
        Destination memory d;
        (d.delivery, d.state, d.pool, d.rate, d.lifetime) = route.from.destinations(route.place, route.token);
        d.state = chance(3) ? Link.Closed : Link.Open;
        if (chance(2)) {
            d.rate = uint32(draw(0, d.rate));
            d.lifetime = uint32(draw(6 hours, 7 days));
            if (chance(4)) d.pool = chance(4) ? account("mistyped") : address(hub2);
        }
        bytes memory call = abi.encodeCall(OrderSource.setDestination, (route.place, route.token, d));
        set(address(route.from), call);
    }

    function _newDestination(OrderSource from) private {
        Destination memory d = terms(Delivery.Address, address(hub2), uint32(draw(0, 10_000)));
        address token = address(uint160(draw(1e40, 1e41)));
        set(address(from), abi.encodeCall(OrderSource.setDestination, (draw(1, 1e6), token, d)));
    }

    function _source(Payer memory payer) private {
        (, uint128 max) = payer.pool.limits();
        Link state = chance(3) ? Link.Closed : Link.Open;
        uint96 cap = uint96(draw(1, 20 * uint256(max)));
        uint24 rate = uint24(chance(2) ? 10_000 : draw(0, 10_000));
        set(
            address(payer.pool), abi.encodeCall(Pool.setSource, (payer.place, payer.source, state, rate, cap))
        );
    }

    function _limits(Pool pool) private {
        largest(pool);
        (uint96 cap,,) = pool.caps(CapKind.Releases);
        uint128 max = uint128(draw(1, cap / 2 < 1e26 ? cap / 2 : 1e26)); // so that no cap outgrows its type
        set(address(pool), abi.encodeCall(Pool.setLimits, (Limits(uint128(draw(1, max)), max))));
    }

    function _feeBound(Pool pool) private {
        setAsAdmin(address(pool), abi.encodeCall(Pool.setFeeBound, (uint32(draw(0, 5_000)))));
    }

    /// @dev As much as the treasurer can take, with the admin's help.
    function _withdraw(Pool pool) private {
        setAsAdmin(address(pool), abi.encodeCall(Pool.setTreasury, (treasury, true)));
        setAsAdmin(address(pool), abi.encodeCall(pool.grantRole, (pool.TREASURER_ROLE(), treasurer)));
        uint256 most = lens.spendable(pool, CapKind.Treasury);
        if (most > pool.liquidity()) most = pool.liquidity();
        uint256 amount = draw(most / 2, most);
        vm.prank(treasurer);
        pool.withdraw(treasury, amount);
        if (amount > 0) ++withdrawn;
        onWithdrawn(pool, amount);
        set(address(pool), abi.encodeCall(Pool.setTreasury, (treasury, false)));
    }

    function onWithdrawn(Pool pool, uint256 amount) internal virtual {}

    function _remote() private {
        Remote memory remote =
            Remote(ARBITRUM_DOMAIN, address(there.token), chance(2) ? Link.Open : Link.Closed);
        set(address(gateway), abi.encodeCall(GatewayPool.setRemote, (ARBITRUM, remote)));
    }

    function _place() private {
        setAsAdmin(address(receiver), abi.encodeCall(Receiver.setPlace, (++domains, draw(1, 1e6))));
    }

    function _partner() private {
        (, uint32 rate,) = registry.integrators(partnerId);
        bytes memory lower = abi.encodeCall(IntegratorRegistry.lowerRate, (partnerId, uint32(draw(0, rate))));
        bytes memory active = abi.encodeCall(IntegratorRegistry.setActive, (partnerId, chance(2)));
        setAsAdmin(address(registry), chance(2) ? lower : active);
    }
}
