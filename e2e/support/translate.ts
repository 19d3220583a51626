import type { BrowserContext } from '@playwright/test';

/**
 * From now on pages of the context are under translation, as Chrome does it: each text node, of the
 * HTML and of what comes later, is replaced by two nested `font` elements with a text node of their
 * own. The text stays the same, so that elements are found by what they say. What the app writes to
 * a text node that was replaced never shows: it is logged as an error, which fails the test.
 */
export async function translatePages(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const skipped = 'script, style, noscript, textarea, title, svg, [translate=no], .notranslate';
    const XHTML = 'http://www.w3.org/1999/xhtml';
    const replaced = new WeakMap<Node, Text>();
    const observer = new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === 'characterData' && replaced.has(target)) reportStale(target as Text);
        else for (const node of type === 'childList' ? addedNodes : [target]) translate(node);
      }
    });
    observer.observe(document, { childList: true, characterData: true, subtree: true });

    function translate(root: Node): void {
      const nodes = [root];
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) nodes.push(walker.currentNode);
      for (const node of nodes) if (node instanceof Text) replace(node);
    }

    function replace(text: Text): void {
      const { parentElement: parent } = text;
      const isOurs = parent?.parentElement?.matches('font') && parent.matches('font');
      if (!parent?.isConnected || isOurs || parent.closest(skipped) || text.data.trim() === '')
        return;
      const outer = document.createElementNS(XHTML, 'font');
      const shown = outer
        .appendChild(document.createElementNS(XHTML, 'font'))
        .appendChild(document.createTextNode(text.data));
      parent.replaceChild(outer, text);
      replaced.set(text, shown);
      observer.observe(text, { characterData: true });
    }

    function reportStale(text: Text): void {
      const shown = replaced.get(text);
      if (!shown?.isConnected) return;
      console.error(`Under translation “${shown.data}” stays in sight in place of “${text.data}”`);
    }
  });
}
