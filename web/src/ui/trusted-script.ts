type Policy = { createScriptURL(url: string): string };

declare global {
  /** Absent in browsers that do not know them. */
  var trustedTypes:
    | { createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy }
    | undefined;
}

const trusted = new Map<string, string>();

/**
 * The address of a script as the page may load it: by a Trusted Types policy that the page's header
 * names and that has this one script. A policy can be created once in a page.
 */
export function trustedScript(policy: string, script: string): string {
  const url =
    trusted.get(policy) ??
    globalThis.trustedTypes
      ?.createPolicy(policy, { createScriptURL: () => script })
      .createScriptURL(script) ??
    script;
  trusted.set(policy, url);
  return url;
}
