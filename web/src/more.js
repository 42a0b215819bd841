// The fields that few swaps need. They are folded until one of them is used.

const $ = (id) => document.getElementById(id);

/** optional are the parameters of these fields. */
export const optional = ["refundTo", "integratorId"];

/** unfold shows the fields if one of these parameters is among them. */
export function unfold(params) {
  if (params.some((p) => optional.includes(p))) $("more").open = true;
}

/** takesRefund tells whether a swap names who gets the deposit back: a burn goes back to the account that burns. */
export const takesRefund = (route) => route?.type !== "CCTP_INBOUND";

/**
 * offerRefund shows the field for refunds where a swap takes it. What a link or
 * the route before has left in it stays in view: it must not vanish unseen.
 */
export function offerRefund(route) {
  $("refund").hidden = !takesRefund(route) && $("refundTo").value === "";
  if ($("refundTo").value !== "") unfold(["refundTo"]);
}
