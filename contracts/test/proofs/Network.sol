// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pool} from "../../src/Pool.sol";
import {OrderSource} from "../../src/base/OrderSource.sol";
import {Currency, NATIVE} from "../../src/types/Currency.sol";
import {Link} from "../../src/types/Order.sol";
import {BurnFixture} from "../support/BurnFixture.sol";

/// @notice All contracts of the fixtures in lists, a second pool on the hub, and random numbers to pick from them
abstract contract Network is BurnFixture {
    struct Route {
        OrderSource from;
        uint256 place;
        address token;
    }

    struct Payer {
        Pool pool;
        uint256 place;
        address source;
    }

    Pool internal hub2; // the next generation of the hub's pool
    OrderSource[] internal ledgers;
    Pool[] internal pools;
    Route[] internal routes;
    Payer[] internal payers;
    bytes32 internal partnerId;
    address internal source; // the two contracts that matter to an order under way, so that many changes meet them
    address internal payer;
    uint256 private entropy;

    function setUp() public virtual override {
        super.setUp();
        partnerId = register(1_000);
        hub2 = newPool(HUB, currency(usdcHub), 6, dollars(6));
        vm.chainId(GATEWAY);
        _listPools();
        _listRoutes();
        _listPayers();
    }

    // ---------------------------------------------------------------- random

    function reseed(uint256 seed) internal {
        entropy = uint256(keccak256(abi.encode(seed)));
    }

    /// @notice The next random number between `min` and `max`, both inclusive
    function draw(uint256 min, uint256 max) internal returns (uint256) {
        entropy = uint256(keccak256(abi.encode(entropy)));
        return bound(entropy, min, max);
    }

    function chance(uint256 oneIn) internal returns (bool) {
        return draw(1, oneIn) == 1;
    }

    /// @notice One of the contracts; half of the time one of the two that matter, if any do
    function pick() internal returns (OrderSource) {
        address one = chance(2) ? source : payer;
        return one != address(0) && chance(2) ? OrderSource(one) : ledgers[draw(0, ledgers.length - 1)];
    }

    function pickPool() internal returns (Pool) {
        OrderSource one = pick();
        return address(one) == address(receiver) ? hub : Pool(address(one));
    }

    function pickRoute() internal returns (Route memory route) {
        uint256 first = draw(0, routes.length - 1);
        if (source == address(0) || chance(2)) return routes[first];
        while (address(routes[first].from) != source) {
            first = (first + 1) % routes.length;
        }
        return routes[first];
    }

    function pickPayer() internal returns (Payer memory) {
        uint256 first = draw(0, payers.length - 1);
        if (payer == address(0) || chance(2)) return payers[first];
        while (address(payers[first].pool) != payer) {
            first = (first + 1) % payers.length;
        }
        return payers[first];
    }

    // ------------------------------------------------------------------ list

    function _listPools() private {
        pools = [pool1, pool56, poolEth, hub, hubWeth, shieldPool, Pool(gateway), hub2];
        for (uint256 i; i < pools.length; ++i) {
            ledgers.push(pools[i]);
        }
        ledgers.push(receiver);
    }

    function _listRoutes() private {
        OrderSource[4] memory toHub = [OrderSource(pool1), pool56, shieldPool, receiver];
        for (uint256 i; i < toHub.length; ++i) {
            routes.push(Route(toHub[i], HUB, address(usdcHub)));
        }
        routes.push(Route(poolEth, HUB, address(weth)));
        routes.push(Route(hubWeth, ETHEREUM, Currency.unwrap(NATIVE)));
        routes.push(Route(hub, ETHEREUM, address(usdc1)));
        routes.push(Route(hub, BSC, address(usdc56)));
        routes.push(Route(hub, PRIVATE, address(usdc1)));
        routes.push(Route(hub, ARBITRUM, address(there.token)));
        routes.push(Route(hub, GATEWAY, address(here.token)));
    }

    /// @dev The next generation is paid by the same sources as the first.
    function _listPayers() private {
        Payer[4] memory sources = [
            Payer(hub, ETHEREUM, address(pool1)),
            Payer(hub, BSC, address(pool56)),
            Payer(hub, PRIVATE, address(shieldPool)),
            Payer(hub, ARBITRUM, address(receiver))
        ];
        for (uint256 i; i < sources.length; ++i) {
            payers.push(sources[i]);
            payers.push(Payer(hub2, sources[i].place, sources[i].source));
            vm.prank(admin);
            hub2.setSource(sources[i].place, sources[i].source, Link.Open, uint24(OTHER_RATE), 200_000e6);
        }
        Pool[4] memory outbound = [pool1, pool56, Pool(shieldPool), Pool(gateway)];
        for (uint256 i; i < outbound.length; ++i) {
            payers.push(Payer(outbound[i], HUB, address(hub)));
        }
        payers.push(Payer(hubWeth, ETHEREUM, address(poolEth)));
        payers.push(Payer(poolEth, HUB, address(hubWeth)));
    }
}
