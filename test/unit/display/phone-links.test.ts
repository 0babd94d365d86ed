import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phoneLinks } from '../../../gateway/display/parts/frame.ts';
import { html } from '../../../gateway/http/html.ts';

const written = (phone: string) => html`${phoneLinks(phone)}`.text;
const link = (number: string, text: string) => `<a href="tel:${number}">${text}</a>`;

test('a telephone text becomes one link for each number, and the rest stays text', () => {
  for (const [phone, expected] of [
    ['+39 040 123456', link('+39040123456', '+39 040 123456')],
    ['Tel. 040 123456', `Tel. ${link('040123456', '040 123456')}`],
    [
      '040 123456 / 333 1234567',
      `${link('040123456', '040 123456')} / ${link('3331234567', '333 1234567')}`,
    ],
    [
      '040 123456, 333-1234567 (sera)',
      `${link('040123456', '040 123456')}, ${link('3331234567', '333-1234567')} (sera)`,
    ],
    ['+49 (0)30 901820', link('+4930901820', '+49 (0)30 901820')],
  ] as const) {
    assert.equal(written(phone), expected, phone);
  }
});

test('an Italian number keeps its 0, which a caller from abroad dials too', () => {
  assert.equal(written('+39 (0)40 123456'), link('+39040123456', '+39 (0)40 123456'));
});

test('a text is no link when it is not certain how its number is dialled', () => {
  for (const phone of ['030/1234567', '040 123456/7', '12345', 'chiedere in sala', '']) {
    assert.equal(written(phone), phone, phone);
  }
});

test('a telephone text is read in one pass, however long its digits and slashes are', () => {
  const phone = '0/'.repeat(5_000);
  assert.equal(written(phone), phone);
});
