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
import {Network} from "./Network.sol";

/// @notice Changes that would break a promise, tried by the admin
/// @dev Whether they are refused is not looked at: they must not matter.
abstract contract Oversteps is Network {
    uint256 internal letThrough; // some are in order now and then, such as a rate that was at its highest

    function overstep(uint256 what, Route memory route) internal {
        Pool pool = pickPool();
        address target = what < 2 ? address(route.from) : what < 4 ? address(pool) : address(registry);
        if (what > 4) target = what == 5 ? address(gateway) : address(receiver);
        (address boss, bytes memory call) = (TwoStepAdmin(target).admin(), forbidden(what, route, pool));
        vm.prank(boss);
        (bool ok,) = target.call(call);
        if (ok) ++letThrough;
    }

    function forbidden(uint256 what, Route memory route, Pool pool) private returns (bytes memory) {
        if (what < 2) {
            return abi.encodeCall(OrderSource.setDestination, (route.place, route.token, worse(what, route)));
        }
        if (what == 2) return abi.encodeCall(Ledger.setCap, (CapKind.Releases, 1));
        (uint96 cap,,) = pool.caps(CapKind.Releases);
        if (what == 3) return abi.encodeCall(Pool.setLimits, (Limits(1, cap)));
        if (what == 4) return abi.encodeCall(IntegratorRegistry.lowerRate, (partnerId, 10_000));
        Remote memory remote = Remote(ARBITRUM_DOMAIN + 1, address(there.token), Link.Open);
        if (what == 5) return abi.encodeCall(GatewayPool.setRemote, (ARBITRUM, remote));
        return abi.encodeCall(Receiver.setPlace, (ARBITRUM_DOMAIN, draw(1, 1e6)));
    }

    /// @dev The same terms with a higher rate, or paid in another way.
    function worse(uint256 what, Route memory route) private view returns (Destination memory d) {
        (d.delivery, d.state, d.pool, d.rate, d.lifetime) = route.from.destinations(route.place, route.token);
        if (what == 0) d.rate = 10_000;
        else d.delivery = d.delivery == Delivery.Note ? Delivery.Address : Delivery.Note;
    }
}
