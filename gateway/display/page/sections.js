import { createDishRenderer, translated } from './dishes.js';
import { el } from './element.js';

/** The menu's flat list as a tree; a wine section never moves up below one of another kind. */
export function nest(sections) {
  const nodes = new Map(sections.map((section) => [section.id, { ...section, children: [] }]));
  const roots = [];
  for (const node of nodes.values()) {
    const parent = nodes.get(node.parent_id);
    (parent?.menu_type === node.menu_type ? parent.children : roots).push(node);
  }
  const hasContent = (node) => {
    node.children = node.children.filter(hasContent);
    return node.items.length > 0 || node.children.length > 0;
  };
  return roots.filter(hasContent);
}

/** Whether a section is served at `time`, `HH:MM`; hours may pass midnight, and last for a whole day. */
export function isOpen({ time_visibility_enabled, time_start, time_end }, time) {
  if (!time_visibility_enabled) return true;
  const start = time_start ?? '00:00';
  const end = time_end ?? '24:00';
  return start < end ? start <= time && time < end : time >= start || time < end;
}

function hours({ time_visibility_enabled, time_start, time_end }, texts) {
  if (!time_visibility_enabled || !(time_start || time_end)) return null;
  const text = `${time_start ?? '00:00'}\u2009–\u2009${time_end ?? '24:00'}`;
  return el(
    'p',
    { className: 'hours' },
    el('span', { textContent: text }),
    el('span', { className: 'closed-note', textContent: texts.notNow }),
  );
}

/**
 * Makes the function that makes a section's element, with all that is below it.
 *
 * @param locale of the menu's texts; others among them get their own `lang`
 * @param labels of the allergens, in order, by key: `{ number, name }`
 */
export function createRenderer(context) {
  const { settings, locale, texts } = context;
  const { default_locale: lang } = settings;
  const renderDish = createDishRenderer(context);
  const list = (dishes) =>
    dishes.length > 0 && el('ul', { className: 'dishes' }, ...dishes.map(renderDish));

  const groups = ({ items, types, show_subcategories }, level) => {
    if (!show_subcategories) return [list(items)];
    const known = new Set(types.map(({ id }) => id));
    const grouped = types.map(({ id, name, name_translations }) => {
      const heading = translated(`h${level}`, 'type', name, name_translations, locale);
      const dishes = list(items.filter((dish) => dish.type_id === id));
      return dishes && el('div', { className: 'group' }, heading, dishes);
    });
    return [list(items.filter((dish) => !known.has(dish.type_id))), ...grouped];
  };

  const render = (node, level = 2) => {
    const below = Math.min(level + 1, 6);
    return el(
      'section',
      { id: `section-${node.id}`, className: node.menu_type },
      el(
        'div',
        { className: 'heading' },
        translated(`h${level}`, '', node.name, node.name_translations, locale),
        hours(node, texts),
        node.notes && el('p', { className: 'notes', lang, dir: 'auto', textContent: node.notes }),
      ),
      el(
        'div',
        { className: 'flow' },
        ...groups(node, below),
        ...node.children.map((child) => render(child, below)),
      ),
    );
  };
  return render;
}
