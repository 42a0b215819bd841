// Amounts as people read them.

import { formatUnits } from "/page/js/client.js";

/** human writes smallest units with a point, and a comma between thousands. */
export function human(units, decimals) {
  const [whole, part] = formatUnits(BigInt(units), decimals).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return part ? `${grouped}.${part}` : grouped;
}

/** tokens is an amount with its symbol. */
export const tokens = (units, token) => `${human(units, token.decimals)} ${token.symbol}`;
