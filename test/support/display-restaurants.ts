import { pizzeria } from '../../db/demo/pizzeria.ts';
import type { DemoRestaurant, DemoSection } from '../../db/demo/restaurant.ts';
import { trattoria } from '../../db/demo/trattoria/index.ts';
import { dishOf, restaurantOf, sectionOf } from './restaurant.ts';

export const attack = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

/** A short menu that has one of everything, in another theme. */
function dressed(slug: string, theme: DemoRestaurant['theme']): DemoRestaurant {
  const [starters, , lunch] = trattoria.sections as [DemoSection, DemoSection, DemoSection];
  const wines = trattoria.sections.find(({ menu_type }) => menu_type === 'wine') as DemoSection;
  const short = ({ children, ...section }: DemoSection): DemoSection => ({
    ...section,
    dishes: section.dishes.slice(0, 3),
    children: children.slice(0, 1).map(short),
  });
  return { ...trattoria, slug, theme, sections: [starters, lunch, wines].map(short) };
}

export const light = dressed('light', trattoria.theme);
export const dark = dressed('dark', pizzeria.theme);
/** Colours that nobody who is well would choose. */
export const odd = dressed('odd', {
  ...trattoria.theme,
  primary_color: '#FFFF33',
  secondary_color: '#777777',
  accent_color: '#FF00AA',
  background_color: '#8A8A8A',
  text_color: '#909090',
  font_family: 'x}</style>, "Comic Sans MS", sans-serif',
  font_url: 'javascript:alert(1)',
});

/** A menu of few dishes, some of whose texts are attacks. */
export const small = restaurantOf(
  'small',
  [
    sectionOf('Cucina', {
      dishes: [
        dishOf(attack, { allergens: ['latte'] }),
        dishOf('Caffè freddo', { description: { it: attack }, price: 1234.5 }),
      ],
    }),
    sectionOf('Notte', {
      time_visibility: { start: '22:00', end: '02:00' },
      dishes: [dishOf('Spaghetti di mezzanotte', { price: 0 })],
    }),
  ],
  { supported_locales: ['it'], review_url: 'javascript:alert(1)' },
);
