// The fields that few swaps need. They are folded until one of them is used.

const $ = (id) => document.getElementById(id);

/** optional are the parameters of these fields. */
export const optional = ["refundTo", "integratorId"];

/** unfold shows the fields if one of these parameters is among them. */
export function unfold(params) {
  if (params.some((p) => optional.includes(p))) $("more").open = true;
}

/** takesRefund reports whether a swap has an address for refunds: a burn goes back to the account that burns. */
export const takesRefund = (route) => route?.type !== "CCTP_INBOUND";

/**
 * offerRefund shows the field for refunds where a swap takes it. A field that is not
 * empty stays visible, so that no value is lost unseen.
 */
export function offerRefund(route) {
  $("refund").hidden = !takesRefund(route) && $("refundTo").value === "";
  if ($("refundTo").value !== "") unfold(["refundTo"]);
}
