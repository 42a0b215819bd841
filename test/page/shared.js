// The browser that several programs share: prints its address, and ends when it is
// killed.

import { chromium } from "playwright-core";
import { options } from "./chromium.js";

const server = await chromium.launchServer(options);
console.log(server.wsEndpoint());
