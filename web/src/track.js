// Where a swap is, by a hash in the address or in the form.

import { Progress } from "./progress.js";

const $ = (id) => document.getElementById(id);

/** Track is the view of one transaction. */
export class Track {
  constructor(world, wallets) {
    Object.assign(this, { world, wallets });
    $("track-form").addEventListener("submit", (event) => {
      event.preventDefault();
      location.href = `/?tx=${encodeURIComponent($("track-hash").value.trim())}`;
    });
  }

  /** follow shows a transaction until its orders are at their end. */
  follow(hash, srcChain) {
    $("track-hash").value = hash;
    const progress = new Progress(this.world, this.wallets);
    $("track-note").replaceWith(Object.assign(progress.notes, { id: "track-note" }));
    $("track-result").replaceWith(Object.assign(progress.result, { id: "track-result" }));
    return progress.follow(hash, srcChain);
  }
}
