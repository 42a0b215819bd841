// The browser that the tests of the page share: prints its address, and ends when it
// is killed.

import { share } from "./browser.js";

console.log(await share());
