import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** Roles without a meaning of their own. */
const SILENT = new Set(['generic', 'none', 'InlineTextBox', 'LineBreak']);

/**
 * The words that Chromium gives screen readers for an element and all that is in it: a line for each
 * part, its role and its name.
 */
export async function spokenTree(page: Page, selector: string): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  const { root } = await devtools.send('DOM.getDocument');
  const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { node } = await devtools.send('DOM.describeNode', { nodeId });
  const { nodes } = await devtools.send('Accessibility.getFullAXTree');
  await devtools.detach();
  const byId = new Map(nodes.map((one) => [one.nodeId, one]));
  const first = nodes.find(({ backendDOMNodeId: id }) => id === node.backendNodeId);
  assert.ok(first, `the tree has no ${selector}`);
  const linesOf = (one: (typeof nodes)[number]): string[] => {
    const { ignored, role, name, childIds = [] } = one;
    const below = childIds.flatMap((id) => {
      const child = byId.get(id);
      return child ? linesOf(child) : [];
    });
    const isSaid = !ignored && !SILENT.has(role?.value);
    const text = String(name?.value ?? '').replace(/[\s\u00ad]+/g, ' ');
    return isSaid ? [`${role?.value} ${text}`.trim(), ...below] : below;
  };
  return linesOf(first);
}
