// The only place where text becomes HTML. What comes in was rendered and cleaned by the server; scripts never run from it.
const policy = window.trustedTypes
  ? window.trustedTypes.createPolicy("tata", { createHTML: (html) => html })
  : { createHTML: (html) => html };

/** Puts HTML of our own server into an element. */
export function fill(element, html) {
  element.innerHTML = policy.createHTML(html);
}

/** The first element of HTML of our own server. */
export function element(html) {
  const holder = document.createElement("template");
  fill(holder, html);
  return holder.content.firstElementChild;
}

/** A part of a page. */
export async function part(address) {
  const response = await fetch(address, { headers: { accept: "text/html", "x-part": "1" } });
  if (!response.ok) throw new Error(await reason(response));
  return response.text();
}

/** Why a request was refused, in the server's words. */
export async function reason(response) {
  const said = await response.json().catch(() => null);
  return (said && said.detail) || `${response.status} ${response.statusText}`;
}
